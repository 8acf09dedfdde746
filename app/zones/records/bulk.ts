import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition, ListedEdit, RecordAction, RecordInput } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import {
  ActionErrors,
  ActionRefused,
  collectSteps,
  itemMessages,
} from '#changes/model/action_error'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitOrRefuse } from '#changes/submit'
import { runYielding } from '#database/event_loop'
import { InvalidDns } from '#dns/errors'
import type { Operation, RecordId } from '#dns/types'
import { Refusal, invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { editsByZone } from '#zones/records/linked_ptr'
import { ZoneRecords, withDefaults } from '#zones/records/records'

/** One validated operation of a bulk request. */
export interface BulkOperation extends Partial<RecordInput> {
  /** `create`, `update` or `delete` in any case; other values are refused. */
  action: string
  id?: RecordId
  /** Required state of the record that is edited or deleted. */
  condition?: Condition
  /** Required comment of the record that is edited. */
  expectedComment?: string
  /** A new record without a TTL gets the TTL of its RRset, if it exists. */
  keepTtl?: boolean
  /** Whether to write the PTR record of an address record, too. */
  withPtr?: boolean
}

/** PTR records of operations, and reasons for missing ones. */
export interface BulkCompanions {
  zones: ListedEdit[]
  messages: string[]
}

/** Result of a bulk request. */
export interface BulkOutcome {
  total: number
  done: Record<Operation, number>
  applied: AppliedZone
  /** The zone of the request, and other zones of the change set. */
  zones: AppliedZone[]
}

/** A refused bulk request, of which nothing was applied. It has the status of the reason. */
export class BulkRefused extends Refusal {
  /**
   * @param total number of operations in the request
   * @param words the `action` of an operation, by its index in the request
   */
  constructor(total: number, reason: Refusal | InvalidDns, words: (index: number) => string) {
    const refused = reason instanceof ActionRefused ? reason.all : []
    const errors = refused
      .filter(({ action }) => action < total)
      .flatMap((each) =>
        each
          .messages()
          .map((message) => `Operation ${each.action} (${words(each.action)}): ${message}`)
      )
    const message = itemMessages(refused) ?? 'Bulk operations failed'
    super(reason instanceof Refusal ? reason.status : 400, message, {
      total_operations: total,
      created: 0,
      updated: 0,
      deleted: 0,
      failed: Math.max(errors.length, 1),
      errors: errors.length > 0 ? errors : [reason.message],
    })
    this.because(reason)
  }
}

const ACTIONS: readonly Operation[] = ['create', 'update', 'delete']

/** Writes many records of one zone in one transaction. */
@inject()
export class RecordBulk {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly records: ZoneRecords
  ) {
    this.#backend = manager.use()
  }

  /**
   * Plans the requested PTR records as changes of other zones. `handle` reports errors of the
   * operations.
   */
  async companions(
    actor: Actor,
    openedZone: OpenZone,
    operations: BulkOperation[]
  ): Promise<BulkCompanions> {
    const remarks: string[] = []
    const edits: ListedEdit[] = []
    for (const { id, withPtr, ...record } of operations) {
      const plan = withPtr ? await this.records.ptrOf(actor, openedZone, id ?? null, record) : null
      if (plan) {
        remarks.push(...[plan.refusal, plan.warning].filter((remark) => remark !== null))
        edits.push(...[plan.removal, plan.addition].filter((edit) => edit !== null))
      }
    }
    return { zones: editsByZone(edits), messages: remarks }
  }

  /** Throws the `BulkRefused` of these operations, of which none is valid. */
  refuse(operations: BulkOperation[], errors: ActionErrors): never {
    try {
      errors.throwIfAny()
    } catch (error) {
      throw bulkRefused(error as ActionRefused, operations)
    }
    throw invalid('At least one operation is required')
  }

  /**
   * Applies the operations in order, as one change set with one serial, together with changes of
   * other zones. Throws a 403 `Refusal` if the key does not allow one, and `BulkRefused` with up to
   * 100 refused operations.
   *
   * @param errors operations that are refused already, by index. They have no valid members
   */
  async handle(
    intent: Intent,
    openedZone: OpenZone,
    operations: BulkOperation[],
    {
      condition,
      companions: linkedPtrEdits = [],
      errors = new ActionErrors(),
    }: { condition?: Condition; companions?: ListedEdit[]; errors?: ActionErrors } = {}
  ): Promise<Outcome<BulkOutcome>> {
    const total = operations.length
    try {
      const words = await runYielding(
        collectSteps(operations, errors, ({ action }) => actionWord(action))
      )
      const requestedOperations = words.filter((word) => word !== undefined)
      demand(intent.actor, { action: 'key.operate', operations: [...new Set(requestedOperations)] })
      const found = await runYielding(
        collectSteps(operations, errors, (operation, index) =>
          actionOf(openedZone, operation, words[index]!)
        )
      )
      const indexes = [...found.keys()].filter((index) => found[index] !== undefined)
      const actions = found.filter((action) => action !== undefined)
      const isSameZone = ({ zoneId }: ListedEdit) => zoneId === openedZone.zone.id
      const zoneEdit = linkedPtrEdits.find(isSameZone) ?? {
        op: 'edit',
        zoneId: openedZone.zone.id,
        actions: [],
      }
      const otherZoneEdits = linkedPtrEdits.filter((edit) => !isSameZone(edit))
      const outcome = await submitOrRefuse(this.#backend, errors, {
        set: {
          intent,
          origin: { kind: 'bulk', id: String(total) },
          zones: [
            { ...zoneEdit, actions: [...actions, ...zoneEdit.actions], condition },
            ...otherZoneEdits,
          ],
        },
        positionOf: ({ action, zoneId }) => ({
          item: zoneId === openedZone.zone.id ? (indexes[action] ?? total) : total,
          record: null,
        }),
      })
      const count = (word: Operation) => words.filter((candidate) => candidate === word).length
      const counts = { create: count('create'), update: count('update'), delete: count('delete') }
      return await mapOutcome(outcome, (zones) => ({
        total,
        done: counts,
        applied: zones[0],
        zones,
      }))
    } catch (error) {
      const isReason = error instanceof Refusal || error instanceof InvalidDns
      const isPlainRefusal = error instanceof Refusal && !(error instanceof ActionRefused)
      if (!isReason || (isPlainRefusal && [403, 404].includes(error.status))) {
        throw error
      }
      throw bulkRefused(error, operations)
    }
  }
}

function bulkRefused(reason: Refusal | InvalidDns, operations: BulkOperation[]): BulkRefused {
  return new BulkRefused(operations.length, reason, (index) => operations[index].action)
}

function actionWord(action: string): Operation {
  const word = ACTIONS.find((known) => known === action.toLowerCase())
  if (!word) {
    const message = `Invalid action: ${action.slice(0, 100)}. Must be 'create', 'update', or 'delete'`
    throw invalid(message)
  }
  return word
}

function actionOf(
  { zone }: OpenZone,
  {
    action: _,
    id,
    condition,
    expectedComment,
    keepTtl,
    withPtr: _withPtr,
    ...record
  }: BulkOperation,
  word: Operation
): RecordAction {
  if (word === 'create') {
    const { name, type, content } = record
    const missing = Object.entries({ name, type, content }).find(([, value]) => !value)
    if (name === undefined || type === undefined || content === undefined || missing) {
      throw invalid(`Field '${missing?.[0]}' is required`)
    }
    const input = withDefaults(zone, { ...record, name, type, content })
    return { op: 'add', record: input, ...(keepTtl && record.ttl === undefined ? { keepTtl } : {}) }
  }
  if (id === undefined) {
    const message = `Field 'id' is required for ${word} operation`
    throw invalid(message)
  }
  return word === 'delete'
    ? { op: 'delete', id, condition }
    : {
        op: 'edit',
        id,
        patch: { ...record, isTyped: true },
        condition,
        expectedComment,
      }
}
