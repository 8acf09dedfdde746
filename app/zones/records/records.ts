import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import type { BackendZone, DnsBackend, StoredRecord } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { RecordListQuery } from '#backends/contract/record_lists'
import { isReplica } from '#backends/contract/zone_kinds'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition, RecordAction, RecordInput, ListedEdit } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { inlineComments } from '#changes/comments/comment_store'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import dns from '#config/dns'
import { InvalidDns } from '#dns/errors'
import { isReverseZone, ownerNameUnless } from '#dns/names'
import { canonicalRecord } from '#dns/records/registry'
import type { Violation } from '#dns/rules/violation'
import type { RecordId } from '#dns/types'
import { Refusal, notFound } from '#exceptions/refusal'
import type { ListResult } from '#lists/list_result'
import type { OpenZone } from '#zones/directory'
import { retryIfChanged } from '#zones/history/retry_if_changed'
import {
  LinkedPtr,
  editsByZone,
  hasPtr,
  type AddressRecord,
  type PtrPlan,
} from '#zones/records/linked_ptr'

/** Input for a record; absent members get their defaults. */
export interface NewRecordInput extends Omit<RecordInput, 'ttl' | 'priority' | 'disabled'> {
  ttl?: number
  priority?: number
  disabled?: boolean
}

/** A stored record with its comment, if the comment was requested. */
export type CommentedRecord = StoredRecord & { comment?: string }

/** Result for a record and its linked PTR record. */
export interface WrittenRecord {
  record: StoredRecord
  /** null if not requested, or if the type has no PTR record. */
  ptr: { written: boolean; note: string | null } | null
  warnings: Violation[]
}

/** Options of a single write. */
export interface RecordOptions {
  /** Precondition on the record; for a new record, on its RRset. */
  condition?: Condition
  /** Whether to write the linked PTR record. */
  withPtr?: boolean
}

/** An applied change of one record. */
interface AppliedRecord extends Pick<WrittenRecord, 'ptr'> {
  applied: AppliedZone
}

@inject()
export class ZoneRecords {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly companion: LinkedPtr
  ) {
    this.#backend = manager.use()
  }

  /**
   * Returns whether an editable zone has no enabled NS record at its apex, so that no delegation is
   * possible.
   */
  async lacksNameServers({ zone }: OpenZone): Promise<boolean> {
    if (isReplica(zone)) return false
    const sets = await this.#backend.rrsetsAt(zone, [zone.name])
    const servers = sets.find(({ type }) => type === 'NS')?.records ?? []
    return !servers.some(({ disabled }) => !disabled)
  }

  list({ zone }: OpenZone, query: RecordListQuery): Promise<ListResult<StoredRecord>> {
    return this.#backend.listRecords(zone, query)
  }

  /** Yields the whole list, read on demand. */
  batches({ zone }: OpenZone, query: RecordListQuery): AsyncGenerator<StoredRecord[], void> {
    return this.#backend.recordBatches(zone, query)
  }

  /** Returns the comment of each record, in their order; empty without a comment. */
  comments({ zone }: OpenZone, records: StoredRecord[]): Promise<string[]> {
    return inlineComments(
      zone,
      records.map((record) => ({ ...record, priority: record.priority ?? 0 }))
    )
  }

  /** Adds the comment to each record. */
  async commented(openedZone: OpenZone, records: CommentedRecord[]): Promise<CommentedRecord[]> {
    const comments = await this.comments(openedZone, records)
    return records.map((record, index) => ({ ...record, comment: comments[index] }))
  }

  /** Throws a 404 `Refusal` if the zone has no such record. */
  async find(
    { zone }: OpenZone,
    id: RecordId,
    options: { asKnown?: boolean } = {}
  ): Promise<StoredRecord> {
    const record = await this.#backend.findRecord(zone, id, options)
    if (!record) {
      throw notFound('Record not found in this zone')
    }
    return record
  }

  /** Adds a record to its RRset, and the linked PTR record if requested and possible. */
  async create(
    intent: Intent,
    openedZone: OpenZone,
    input: NewRecordInput,
    options: RecordOptions = {}
  ): Promise<Outcome<WrittenRecord>> {
    const requestedRecord = withDefaults(openedZone.zone, input)
    const plan =
      options.withPtr && hasPtr(requestedRecord.type)
        ? await this.companion.create(intent.actor, preview(openedZone.zone, requestedRecord))
        : null
    const action = { op: 'add' as const, record: requestedRecord, condition: options.condition }
    return mapOutcome(this.#write(intent, openedZone, action, plan), ({ applied, ptr }) => {
      return { record: addedRecord(applied), ptr, warnings: applied.warnings }
    })
  }

  /**
   * Edits a record, which keeps its id. Moves the linked PTR record if requested, based on the
   * record at the time of the write.
   */
  update(
    intent: Intent,
    openedZone: OpenZone,
    id: RecordId,
    patch: Partial<RecordInput>,
    options: RecordOptions = {}
  ): Promise<Outcome<WrittenRecord>> {
    return retryIfChanged(() => this.#update(intent, openedZone, id, patch, options))
  }

  async #update(
    intent: Intent,
    openedZone: OpenZone,
    id: RecordId,
    patch: Partial<RecordInput>,
    options: RecordOptions
  ): Promise<Outcome<WrittenRecord>> {
    const old = await this.find(openedZone, id, { asKnown: true })
    const requestedRecord = { ...old, priority: old.priority ?? 0, ...withoutAbsent(patch) }
    const plan =
      options.withPtr && hasPtr(old.type, requestedRecord.type)
        ? await this.companion.update(
            intent.actor,
            old,
            preview(openedZone.zone, requestedRecord, old.name)
          )
        : null
    const from = plan ? old : undefined
    const typedRecord = { ...patch, isTyped: true }
    const action = {
      op: 'edit' as const,
      id,
      patch: typedRecord,
      from,
      condition: options.condition,
    }
    return mapOutcome(this.#write(intent, openedZone, action, plan), ({ applied, ptr }) => {
      // Without a change, the stored record is the result.
      return { record: findStored(applied, id) ?? old, ptr, warnings: applied.warnings }
    })
  }

  /**
   * Plans the linked PTR record of a new (`id` null) or edited record. Returns null for types
   * without PTR, and for an invalid record.
   */
  async ptrOf(
    actor: Actor,
    openedZone: OpenZone,
    id: RecordId | null,
    patch: Partial<RecordInput>
  ): Promise<PtrPlan | null> {
    const old = id === null ? null : await this.#backend.findRecord(openedZone.zone, id)
    const blank = { name: '', type: '', content: '', priority: old?.priority ?? 0 }
    const requestedRecord = { ...blank, ...old, priority: blank.priority, ...withoutAbsent(patch) }
    if (!hasPtr(requestedRecord.type, old?.type ?? '') || (id !== null && !old)) {
      return null
    }
    try {
      const record = preview(
        openedZone.zone,
        withDefaults(openedZone.zone, requestedRecord),
        old?.name
      )
      return old
        ? await this.companion.update(actor, old, record)
        : await this.companion.create(actor, record)
    } catch (error) {
      if (error instanceof InvalidDns) return null
      throw error
    }
  }

  delete(
    intent: Intent,
    openedZone: OpenZone,
    id: RecordId,
    condition?: Condition
  ): Promise<Outcome<unknown>> {
    return this.#write(intent, openedZone, { op: 'delete', id, condition }, null)
  }

  /**
   * Applies the change and the PTR changes in one change set. If a PTR record alone is refused, the
   * record and the rest of the plan are written without it.
   */
  async #write(
    intent: Intent,
    { zone }: OpenZone,
    action: RecordAction,
    plan: PtrPlan | null
  ): Promise<Outcome<AppliedRecord>> {
    const zoneEdit: ListedEdit = { op: 'edit', zoneId: zone.id, actions: [action] }
    const apply = (ptrEdits: ListedEdit[]): Promise<Outcome<AppliedZone>> => {
      const set = { intent, origin: null, zones: editsByZone([zoneEdit, ...ptrEdits]) }
      return mapOutcome(submitChangeSet(this.#backend, set), (zones) => {
        // The zones of PTR records have their own warnings.
        return { ...zones[0], warnings: zones.flatMap((one) => one.warnings) }
      })
    }
    if (!plan) {
      return mapOutcome(apply([]), (applied) => ({ applied, ptr: null }))
    }
    const { removal, addition, refusal, warning } = plan
    const attempt = async (
      ptrEdits: ListedEdit[],
      refused: string | null
    ): Promise<Outcome<AppliedRecord>> => {
      try {
        const isPtrApplied = ptrEdits.some((edit) => edit === addition)
        const ptr = { written: isPtrApplied, note: isPtrApplied ? warning : refused }
        return await mapOutcome(apply(ptrEdits), (applied) => ({ applied, ptr }))
      } catch (error) {
        const isRefused = error instanceof Refusal || error instanceof InvalidDns
        if (!isRefused || ptrEdits.length === 0) {
          throw error
        }
        return attempt(ptrEdits.slice(0, -1), refused ?? error.message)
      }
    }
    const ptrEdits = [removal, addition].filter((edit) => edit !== null)
    return attempt(ptrEdits, refusal)
  }
}

/**
 * Returns the part of the future record that decides its PTR record. Does not validate a stored
 * name. Throws `InvalidDns`.
 */
function preview(zone: BackendZone, requestedRecord: RecordInput, stored = ''): AddressRecord {
  const name = ownerNameUnless(stored, requestedRecord.name, zone.name)
  const { content } = canonicalRecord({ ...requestedRecord, name, apex: zone.name })
  return { name, type: requestedRecord.type.toUpperCase(), content, ttl: requestedRecord.ttl }
}

/** Fills absent members with defaults. */
export function withDefaults(zone: BackendZone, input: NewRecordInput): RecordInput {
  return {
    ...input,
    isTyped: true,
    ttl: input.ttl ?? defaultTtl(zone, input.type),
    priority: input.priority ?? 0,
    disabled: input.disabled ?? false,
  }
}

function withoutAbsent(patch: Partial<RecordInput>): Partial<RecordInput> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

/** Returns the default TTL in seconds. PTR records in reverse zones can have another default. */
export function defaultTtl(zone: BackendZone, type: string): number {
  const isReversePtr = type.toUpperCase() === 'PTR' && isReverseZone(zone.name)
  return isReversePtr ? (dns.ttl_reverse ?? dns.ttl) : dns.ttl
}

/** Returns the record that the change added. */
function addedRecord(applied: AppliedZone): StoredRecord {
  const before = new Set(
    applied.changes.flatMap(({ before: set }) => set?.records.map((record) => record.id) ?? [])
  )
  const id = applied.changes
    .flatMap(({ after }) => after?.records.map((record) => record.id) ?? [])
    .find((candidate) => candidate !== undefined && !before.has(candidate))
  const record = id === undefined ? null : findStored(applied, id)
  if (!record) {
    throw new Error('A record was added, but the new record was not found')
  }
  return record
}

/** Returns a record from the applied change. A later read could include changes of others. */
function findStored(applied: AppliedZone, id: RecordId): StoredRecord | null {
  for (const { after } of applied.changes) {
    const record = after?.records.find((candidate) => String(candidate.id) === String(id))
    if (after && record?.id !== undefined) {
      const { name, type, ttl } = after
      return { name, type, ttl, ...record, id: record.id, auth: record.auth ?? true }
    }
  }
  return null
}
