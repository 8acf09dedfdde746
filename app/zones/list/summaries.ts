import db from '@adonisjs/lucid/services/db'
import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize, type ZoneAction } from '#access/authorize'
import { ownershipOf } from '#access/ownership'
import type { ZoneFacts } from '#access/ownership'
import type { DnsBackend, ZoneSummaryRow } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { chunks } from '#database/statements/chunks'
import type { ListedZone } from '#zones/list/full_list'

/** Actor and time of the last change. */
export interface LastChange {
  entry: number
  /** ISO 8601 */
  time: string
  username: string
  channel: string
}

export interface NamedOwner {
  id: number
  name: string
}

/** A row of the zone list. Fields that the actor may not view are null. */
export interface ZoneSummary extends ListedZone, ZoneSummaryRow {
  lastChange: LastChange | null
  owners: { users: NamedOwner[]; groups: NamedOwner[] } | null
}

interface ChangeRow {
  zone: number | string
  entry: number
  time: string
  username: string
  channel: string
}

/** Reads the columns of the zone list: a constant number of statements per page. */
@inject()
export class ZoneSummaries {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Returns summaries of zones that the actor may view, in the given order. */
  async readVisible(actor: Actor, zones: readonly ListedZone[]): Promise<ZoneSummary[]> {
    return this.#readSummaries(zones, (action, zone) => authorize(actor, { action, zone }).allowed)
  }

  /** Returns complete summaries, for internal use only. */
  async readFull(zones: readonly ListedZone[]): Promise<ZoneSummary[]> {
    return this.#readSummaries(zones, () => true)
  }

  async #readSummaries(
    zones: readonly ListedZone[],
    isVisible: (action: ZoneAction, zone: ZoneFacts) => boolean
  ): Promise<ZoneSummary[]> {
    const facts = await factsOfAll(zones)
    const visibleFor = (action: ZoneAction) => facts.filter((zone) => isVisible(action, zone))
    const backendSummaries = await this.backendSummaries(zones)
    const changes = await lastChanges(visibleFor('zone.view_history').map(({ id }) => id))
    const owners = await namedOwners(visibleFor('zone.view_owners'))
    return zones.map(({ id, name, type }) => ({
      id,
      name,
      type,
      ...(backendSummaries.get(id) ?? { serial: null, signing: null, records: null }),
      lastChange: changes.get(id) ?? null,
      owners: owners.get(id) ?? null,
    }))
  }

  /** Returns the summaries of the backend; empty if the backend has none. */
  async backendSummaries(zones: readonly ListedZone[]): Promise<Map<number, ZoneSummaryRow>> {
    return (await this.#backend.zoneSummaries?.(zones.map(({ id }) => id))) ?? new Map()
  }
}

/** Returns the facts for decisions about these zones. */
export async function factsOfAll(zones: readonly ListedZone[]): Promise<ZoneFacts[]> {
  const facts: ZoneFacts[] = []
  for (const part of chunks([...zones])) {
    const ownerships = await ownershipOf(part)
    part.forEach(({ id, name, type }) => {
      const ownership = ownerships.get(id) ?? { users: new Set(), groups: new Set() }
      facts.push({ id, name, kind: type, ownership })
    })
  }
  return facts
}

/** Returns the newest entry of each zone. The zone row contains its number. */
async function lastChanges(ids: number[]): Promise<Map<number, LastChange>> {
  const changes = new Map<number, LastChange>()
  for (const part of chunks(ids)) {
    const rows = (await db
      .from('zw_zones')
      .join('zw_journal', (join) => {
        join
          .on('zw_journal.zone_uid', 'zw_zones.uid')
          .andOn('zw_journal.entry', 'zw_zones.last_entry')
      })
      .whereIn('zw_zones.id', part)
      .select(
        'zw_zones.id as zone',
        'zw_journal.entry',
        'zw_journal.time',
        'zw_journal.username',
        'zw_journal.channel'
      )) as ChangeRow[]
    rows.forEach(({ zone, ...change }) => changes.set(Number(zone), change))
  }
  return changes
}

async function namedOwners(zones: ZoneFacts[]) {
  const users = await names(
    'zw_users',
    'username',
    zones.flatMap(({ ownership }) => [...ownership.users])
  )
  const groups = await names(
    'zw_groups',
    'name',
    zones.flatMap(({ ownership }) => [...ownership.groups])
  )
  const named = (ids: ReadonlySet<number>, namesById: Map<number, string>) =>
    [...ids].sort((one, other) => one - other).map((id) => ({ id, name: namesById.get(id) ?? '' }))
  return new Map(
    zones.map(({ id, ownership }) => [
      id,
      { users: named(ownership.users, users), groups: named(ownership.groups, groups) },
    ])
  )
}

async function names(table: string, column: string, ids: number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const part of chunks([...new Set(ids)])) {
    const rows: { id: number; name: string }[] = await db
      .from(table)
      .whereIn('id', part)
      .select('id', `${column} as name`)
    rows.forEach(({ id, name }) => found.set(id, name))
  }
  return found
}
