import { inject } from '@adonisjs/core'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { record } from '#audit/record'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import type { StrayRecord } from '#backends/contract/inspection'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { RRsetItem } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import type { Outcome } from '#changes/model/outcome'
import { rectifyZone } from '#changes/signing/rectify'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { serialIsNewer } from '#dns/rdata/serial'
import { serialIn } from '#dns/rdata/soa'
import type { RecordData } from '#dns/types'
import { conflict, invalid } from '#exceptions/refusal'
import { ChangeSets, type ChangeAction } from '#zones/records/change_sets'
import { lookFor, type Check, type LookBounds, type Looked } from '#zones/consistency/checks'
import { strayEvents } from '#zones/consistency/stray_events'
import { firstSoa } from '#zones/templates/initial_records'

/** Zones or records that are mended at once. */
export const MOST_MENDED = 100

/** Looks for what other tools left wrong, and mends it. Everything throws a 403 `Refusal` for who is no administrator. */
@inject()
export class Consistency {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly changeSets: ChangeSets
  ) {
    this.#backend = manager.use()
  }

  /** Looks for one thing behind an id, as far as the bounds say; null where this backend cannot tell. */
  look(actor: Actor, check: Check, after: number, bounds: LookBounds): Promise<Looked | null> {
    demand(actor, { action: 'server.check_consistency' })
    return lookFor(this.#backend, check, after, bounds)
  }

  /**
   * Gives zones one SOA record each that is served, as one change set: the newest of several; where none is served, the
   * newest disabled one, and that of the settings where there is none. Others that are disabled stay so.
   * Throws a 409 `Refusal` where none of the zones lacks that any more, and as `ChangeSets.submit`.
   */
  async mendSoas(intent: Intent, ids: number[]): Promise<Outcome<AppliedZone[]>> {
    demand(intent.actor, { action: 'server.check_consistency' })
    const actions: ChangeAction[] = []
    for (const id of bounded(ids)) {
      const zone = await this.#backend.findZone(id)
      const records = zone && (await this.#soasFor(zone))
      if (zone && records) {
        actions.push({ op: 'set', name: zone.name, type: 'SOA', zoneId: id, records })
      }
    }
    if (actions.length === 0) {
      throw conflict('Each of these zones has one SOA record by now: nothing is left to mend')
    }
    return this.changeSets.submit(intent, actions)
  }

  /** Names of zones by their ids; those that are gone have none. */
  async namesOf(actor: Actor, ids: number[]): Promise<Map<number, string>> {
    demand(actor, { action: 'server.check_consistency' })
    const zones = await Promise.all(bounded(ids).map((id) => this.#backend.findZone(id)))
    return new Map(zones.flatMap((zone) => (zone ? [[zone.id, zone.name]] : [])))
  }

  /** Zones whose rows are wrong, with how many. Reads each of them. */
  async wrongRows(actor: Actor, ids: number[]): Promise<{ zone: BackendZone; rows: number }[]> {
    demand(actor, { action: 'server.check_consistency' })
    const found: { zone: BackendZone; rows: number }[] = []
    for (const id of bounded(ids)) {
      const [zone] = await this.#backend.signedZones(id - 1, 1)
      const rows = zone?.id === id ? await this.#backend.wrongRows(zone) : 0
      if (rows !== null && rows > 0) found.push({ zone, rows })
    }
    return found
  }

  /** Rectifies zones, each in a transaction of its own; how many were wrong. */
  async rectify({ actor }: Intent, ids: number[]): Promise<number> {
    demand(actor, { action: 'server.check_consistency' })
    let mended = 0
    for (const id of bounded(ids)) {
      const rows = await rectifyZone(this.#backend, actor, id)
      mended += rows === null || rows > 0 ? 1 : 0
    }
    return mended
  }

  /** Those of some records that belong to no zone. */
  async strays(actor: Actor, ids: number[]): Promise<StrayRecord[]> {
    demand(actor, { action: 'server.check_consistency' })
    return this.#backend.inspection?.straysAmong(bounded(ids)) ?? []
  }

  /** Deletes records that belong to no zone; the audit log keeps them. How many there were. */
  async removeStrays(intent: Intent, ids: number[]): Promise<number> {
    demand(intent.actor, { action: 'server.check_consistency' })
    const { inspection } = this.#backend
    return inTransaction(db.connection(), async (trx) => {
      const removed = (await inspection?.removeStrays(bounded(ids), trx)) ?? []
      if (removed.length > 0) {
        await record(trx, intent.actor, removed.flatMap(strayEvents))
      }
      await finishWrite(trx, intent)
      return removed.length
    })
  }

  /** The SOA records that the zone is to have, the served one first; null where one is served. */
  async #soasFor(zone: BackendZone): Promise<RRsetItem[] | null> {
    const sets = await this.#backend.rrsetsAt(zone, [zone.name])
    const stored = sets.filter(({ type }) => type === 'SOA').flatMap(({ records }) => records)
    const served = stored.filter(({ disabled }) => !disabled)
    if (served.length === 1) {
      return null
    }
    const disabled = stored.filter((one) => one.disabled)
    const kept = newestOf(served) ?? newestOf(disabled)
    const { content, priority } = kept ?? firstSoa()
    return [
      { content, priority, disabled: false },
      ...disabled
        .filter((one) => one !== kept)
        .map((one) => ({ content: one.content, priority: one.priority, disabled: true })),
    ]
  }
}

/** The one with the newest serial; undefined where none has a serial that can be read. */
function newestOf(soas: RecordData[]): RecordData | undefined {
  let newest: { soa: RecordData; serial: number } | undefined
  for (const soa of soas) {
    const serial = serialIn(soa.content)
    if (serial !== null && (!newest || serialIsNewer(serial, newest.serial))) {
      newest = { soa, serial }
    }
  }
  return newest?.soa
}

function bounded(ids: number[]): number[] {
  if (ids.length > MOST_MENDED) {
    throw invalid(`At most ${MOST_MENDED} are mended at once, found ${ids.length}`)
  }
  return ids
}
