import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import type { BackendZone, DnsBackend, RecordQuery, StoredRecord } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import { applyChangeSet } from '#changes/apply'
import type { AppliedZone } from '#changes/change_context'
import type { RecordAction, RecordInput, ZoneChangeSet } from '#changes/change_set'
import dns from '#config/dns'
import { InvalidDns } from '#dns/errors'
import { isReverseZone, ownerName } from '#dns/names'
import { canonicalRecord } from '#dns/records/registry'
import type { RecordId } from '#dns/types'
import { Refusal, notFound } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { PtrCompanion, hasPtr, type Mirrored, type PtrPlan } from '#zones/ptr_companion'

/** A wished record; what is absent takes its default. */
export interface NewRecordInput extends Omit<RecordInput, 'ttl' | 'priority' | 'disabled'> {
  ttl?: number
  priority?: number
  disabled?: boolean
}

/** What a record type can look like; no record has another. */
const TYPE_WORD = /^[A-Za-z0-9-]{1,10}$/

/** What became of a written record and of the PTR record that was asked for with it. */
export interface WrittenRecord {
  record: StoredRecord
  /** null when none was asked for, or the type has none. */
  ptr: { written: boolean; note: string | null } | null
}

/** The records of one zone. */
@inject()
export class ZoneRecords {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly companion: PtrCompanion
  ) {
    this.#backend = manager.use()
  }

  /** Records by type, then name. */
  async list({ zone }: OpenZone, query: RecordQuery) {
    if (query.type !== undefined && !TYPE_WORD.test(query.type)) {
      return { records: [], total: 0 }
    }
    return this.#backend.listRecords(zone, query)
  }

  /** Throws a 404 `Refusal` when the zone has no such record. */
  async find({ zone }: OpenZone, id: RecordId): Promise<StoredRecord> {
    const record = await this.#backend.findRecord(zone, id)
    if (!record) {
      throw notFound('Record not found in this zone')
    }
    return record
  }

  /** Adds one record to its RRset, and its PTR record where that is asked for and possible. */
  async create(
    actor: Actor,
    open: OpenZone,
    input: NewRecordInput,
    options: { createPtr?: boolean; reason?: string } = {}
  ): Promise<WrittenRecord> {
    const wish: RecordInput = {
      ...input,
      ttl: input.ttl ?? defaultTtl(open.zone, input.type),
      priority: input.priority ?? 0,
      disabled: input.disabled ?? false,
    }
    const plan =
      options.createPtr && hasPtr(wish.type)
        ? await this.companion.create(actor, preview(open.zone, wish))
        : null
    const { applied, ptr } = await this.#write(
      actor,
      open,
      { op: 'add', record: wish },
      plan,
      options
    )
    return { record: addedRecord(applied), ptr }
  }

  /** Changes one record, which keeps its id, and moves its PTR record where that is asked for. */
  async update(
    actor: Actor,
    open: OpenZone,
    id: RecordId,
    patch: Partial<RecordInput>,
    options: { updatePtr?: boolean; reason?: string } = {}
  ): Promise<WrittenRecord> {
    const old = await this.find(open, id)
    const wish = { ...old, priority: old.priority ?? 0, ...withoutAbsent(patch) }
    const plan =
      options.updatePtr && hasPtr(wish.type)
        ? await this.companion.update(actor, old, preview(open.zone, wish))
        : null
    const { applied, ptr } = await this.#write(
      actor,
      open,
      { op: 'edit', id, patch },
      plan,
      options
    )
    // Nothing in the changes means nothing was changed.
    return { record: findStored(applied, id) ?? old, ptr }
  }

  /** Deletes one record. */
  async delete(actor: Actor, open: OpenZone, id: RecordId, reason?: string): Promise<void> {
    await this.#write(actor, open, { op: 'delete', id }, null, { reason })
  }

  /**
   * Applies the change, and the PTR change with it in one change set. What stands in the way of the PTR
   * record alone does not stop the record itself: then it is written without.
   */
  async #write(
    actor: Actor,
    { zone }: OpenZone,
    action: RecordAction,
    plan: PtrPlan | null,
    { reason }: { reason?: string }
  ): Promise<{ applied: AppliedZone; ptr: WrittenRecord['ptr'] }> {
    const own: ZoneChangeSet = { op: 'edit', zoneId: zone.id, actions: [action] }
    const apply = async (zones: ZoneChangeSet[]): Promise<AppliedZone> => {
      const set = { actor, reason: reason ?? null, origin: null, zones }
      const result = await applyChangeSet(this.#backend, set)
      return result.zones[0]
    }
    if (!plan?.zones) {
      const ptr = plan && { written: false, note: plan.refusal }
      return { applied: await apply([own]), ptr }
    }
    const merged = plan.zones.find((change) => change.op === 'edit' && change.zoneId === zone.id)
    const others = plan.zones.filter((change) => change !== merged)
    const actions = merged?.op === 'edit' ? [action, ...merged.actions] : [action]
    try {
      const applied = await apply([{ ...own, actions }, ...others])
      return { applied, ptr: { written: true, note: plan.warning } }
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof InvalidDns)) {
        throw error
      }
      return { applied: await apply([own]), ptr: { written: false, note: error.message } }
    }
  }
}

/** The record as it will be stored, as far as its PTR record depends on it. Throws `InvalidDns`. */
function preview(zone: BackendZone, wish: RecordInput): Mirrored {
  const name = ownerName(wish.name, zone.name)
  const { content } = canonicalRecord({ ...wish, name, apex: zone.name })
  return { name, type: wish.type.toUpperCase(), content, ttl: wish.ttl }
}

function withoutAbsent(patch: Partial<RecordInput>): Partial<RecordInput> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

/** TTL in seconds of a record that names none: PTR in reverse zones may have a default of its own. */
function defaultTtl(zone: BackendZone, type: string): number {
  const isReversePtr = type.toUpperCase() === 'PTR' && isReverseZone(zone.name)
  return isReversePtr ? (dns.ttl_reverse ?? dns.ttl) : dns.ttl
}

/** The record that is there after the change and was not before. */
function addedRecord(applied: AppliedZone): StoredRecord {
  const before = new Set(
    applied.changes.flatMap(({ before: set }) => set?.records.map((record) => record.id) ?? [])
  )
  const id = applied.changes
    .flatMap(({ after }) => after?.records.map((record) => record.id) ?? [])
    .find((candidate) => candidate !== undefined && !before.has(candidate))
  const record = id === undefined ? null : findStored(applied, id)
  if (!record) {
    throw new Error('A record was added, but no new record came back')
  }
  return record
}

/**
 * A record as the change left it. Taken from the change itself: by the time of another read, somebody else
 * may have changed it again.
 */
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
