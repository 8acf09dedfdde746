import { foldCase } from '#dns/names'
import type { ListedRecord } from '#backends/contract/record_lists'
import { recordFromRow, type RecordRow } from '#backends/sql/rows'
import type { StoredRecord } from '#backends/contract/types'
import { presentContent } from '#dns/records/registry'

/** A row of a list. Its content is parsed on access only, which is most of the work. */
export class ListedRow implements ListedRecord {
  #record: StoredRecord | undefined

  constructor(
    private readonly row: RecordRow,
    private readonly apex: string
  ) {}

  get record(): StoredRecord {
    return (this.#record ??= recordFromRow(this.row, this.apex))
  }

  get id(): number {
    return Number(this.row.id)
  }

  get name(): string {
    return foldCase(this.row.name)
  }

  get type(): string {
    return (this.row.type ?? '').toUpperCase()
  }

  get ttl(): number {
    return this.row.ttl ?? 0
  }

  get content(): string {
    return presentContent(this.type, this.record.content)
  }

  get priority(): number {
    return this.record.priority ?? 0
  }

  get stored_type(): string {
    return this.row.type ?? ''
  }

  get stored_name(): string {
    return this.row.name
  }
}
