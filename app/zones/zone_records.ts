import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import type { BackendZone, DnsBackend, RecordQuery, StoredRecord } from '#backends/contract'
import { BackendManager } from '#backends/manager'
import { applyChangeSet, type AppliedZone } from '#changes/apply'
import type { RecordAction, RecordInput } from '#changes/change_set'
import dns from '#config/dns'
import { isReverseZone } from '#dns/names'
import type { RecordId } from '#dns/types'
import { notFound } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'

/** A wished record; what is absent takes its default. */
export interface NewRecordInput extends Omit<RecordInput, 'ttl' | 'priority' | 'disabled'> {
  ttl?: number
  priority?: number
  disabled?: boolean
}

/** The records of one zone. */
@inject()
export class ZoneRecords {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Records by type, then name. */
  list({ zone }: OpenZone, query: RecordQuery) {
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

  /** Adds one record to its RRset. Returns the record as it is stored. */
  async create(
    actor: Actor,
    open: OpenZone,
    input: NewRecordInput,
    reason: string | null = null
  ): Promise<StoredRecord> {
    const record: RecordInput = {
      ...input,
      ttl: input.ttl ?? defaultTtl(open.zone, input.type),
      priority: input.priority ?? 0,
      disabled: input.disabled ?? false,
    }
    const applied = await this.#apply(actor, open, { op: 'add', record }, reason)
    return this.find(open, newRecordId(applied))
  }

  /** Changes one record, which keeps its id. Returns it as it is stored now. */
  async update(
    actor: Actor,
    open: OpenZone,
    id: RecordId,
    patch: Partial<RecordInput>,
    reason: string | null = null
  ): Promise<StoredRecord> {
    await this.#apply(actor, open, { op: 'edit', id, patch }, reason)
    return this.find(open, id)
  }

  /** Deletes one record. */
  async delete(
    actor: Actor,
    open: OpenZone,
    id: RecordId,
    reason: string | null = null
  ): Promise<void> {
    await this.#apply(actor, open, { op: 'delete', id }, reason)
  }

  async #apply(
    actor: Actor,
    { zone }: OpenZone,
    action: RecordAction,
    reason: string | null
  ): Promise<AppliedZone> {
    const { zones } = await applyChangeSet(this.#backend, {
      actor,
      reason,
      origin: null,
      zones: [{ op: 'edit', zoneId: zone.id, actions: [action] }],
    })
    return zones[0]
  }
}

/** TTL in seconds of a record that names none: PTR in reverse zones may have a default of its own. */
function defaultTtl(zone: BackendZone, type: string): number {
  const isReversePtr = type.toUpperCase() === 'PTR' && isReverseZone(zone.name)
  return isReversePtr ? (dns.ttl_reverse ?? dns.ttl) : dns.ttl
}

/** The one id that is there after the change and was not before. */
function newRecordId(applied: AppliedZone): RecordId {
  const before = new Set(
    applied.changes.flatMap(({ before: set }) => set?.records.map((record) => record.id) ?? [])
  )
  const added = applied.changes
    .flatMap(({ after }) => after?.records.map((record) => record.id) ?? [])
    .find((id) => id !== undefined && !before.has(id))
  if (added === undefined) {
    throw new Error('A record was added, but no new id came back')
  }
  return added
}
