import type { ApiResponse } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import { addressOf, idOf, type ListUnderTest } from '#tests/support/lists/list_under_test'
import {
  compareRows,
  expected,
  lookupOf,
  orderFrom,
  type Cell,
  type Fold,
  type Parameters,
  type ReferenceRow,
} from '#tests/support/lists/reference'

/** A list and its stored rows, to check responses. */
export class ListCheck {
  readonly #wholes = new Map<string, Cell[]>()

  constructor(
    readonly list: ListUnderTest,
    readonly rows: ReferenceRow[],
    private readonly fold: Fold,
    private readonly assert: Assert
  ) {}

  /** Sends a request and compares the response with the reference: rows, order, window, pagination and cursor. */
  async answersAsSpecified(parameters: Parameters): Promise<void> {
    const { assert } = this
    const title = addressOf(this.list, parameters)
    const response = await this.list.as.get(title)
    const wanted = expected(this.list.reference, this.rows, parameters, this.fold)
    assert.equal(response.status(), wanted.status, `${title}: ${response.text()}`)
    if (wanted.status === 400) {
      assert.isNull(response.body().data, title)
      return
    }
    const ids = await this.#inOrder(parameters, wanted.rows)
    const { from, size } = wanted
    const end = size === null ? ids.length : from + size
    assert.deepEqual(this.idsOf(response), ids.slice(from, end), title)
    const { pagination, next_cursor: next } = response.body()
    assert.deepEqual(
      pagination,
      size === null
        ? undefined
        : {
            // Page numbers end at 100 000 000 000.
            current_page: Math.min(from / size + 1, 100_000_000_000),
            per_page: size,
            total: ids.length,
            last_page: Math.max(1, Math.ceil(ids.length / size)),
          },
      title
    )
    assert.isUndefined(next, title)
  }

  /** Walks from the start. Asserts every row once, in order, with full steps except the last. */
  async walksWhole(parameters: Parameters, size: number): Promise<void> {
    const { assert } = this
    const wanted = expected(this.list.reference, this.rows, parameters, this.fold)
    if (wanted.status === 400 || lookupOf(this.list.reference, parameters)) return
    const ids = await this.#inOrder(parameters, wanted.rows)
    const given = { ...parameters, per_page: String(size) }
    const title = addressOf(this.list, given)
    let cursor: string | null = '*'
    for (let at = 0; cursor !== null; at += size) {
      const response: ApiResponse = await this.list.as.get(
        addressOf(this.list, { ...given, cursor })
      )
      assert.equal(response.status(), 200, `${title}: ${response.text()}`)
      assert.deepEqual(this.idsOf(response), ids.slice(at, at + size), `${title} from ${at}`)
      const { next_cursor: next, pagination } = response.body()
      assert.isUndefined(pagination)
      assert.equal(next === null, at + size >= ids.length, `${title} from ${at}: ${next}`)
      cursor = next
    }
  }

  idsOf(response: ApiResponse): Cell[] {
    const items: Record<string, unknown>[] = response.body().data[this.list.member]
    return items.map((item) => idOf(this.list, item))
  }

  /**
   * Returns ids in the expected order. If the specification does not order ties, the complete list of the application does,
   * after a check that its order is correct.
   */
  async #inOrder(parameters: Parameters, sorted: ReferenceRow[]): Promise<Cell[]> {
    const { reference } = this.list
    const ids = sorted.map(({ id }) => id)
    if (reference.tie !== null || lookupOf(reference, parameters)) return ids
    const rest = { ...parameters, page: '', per_page: '' }
    const address = addressOf(this.list, rest)
    const known = this.#wholes.get(address)
    if (known) return known
    const whole = this.idsOf(await this.list.as.get(address))
    this.assert.sameMembers(whole, ids, address)
    const order = orderFrom(reference, parameters.sort)!
    const rows = whole.map((id) => sorted.find((row) => row.id === id)!)
    for (let at = 1; at < rows.length; at++) {
      const difference = compareRows(reference, order, rows[at - 1], rows[at], this.fold)
      this.assert.isAtMost(difference, 0, `${address}: ${whole[at - 1]} before ${whole[at]}`)
    }
    this.#wholes.set(address, whole)
    return whole
  }
}
