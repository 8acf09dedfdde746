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
import {
  findProblems,
  type Check,
  type CheckBounds,
  type CheckResult,
} from '#zones/consistency/checks'
import { strayEvents } from '#zones/consistency/stray_events'
import { firstSoa } from '#zones/templates/initial_records'

/** Zones or records in one repair. */
export const MAX_REPAIRED = 100

/**
 * Finds and repairs errors that other programs left. Every method throws a 403 `Refusal` for anyone
 * but administrators.
 */
@inject()
export class Consistency {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly changeSets: ChangeSets
  ) {
    this.#backend = manager.use()
  }

  /**
   * Runs a check on ids greater than `after`, within the bounds; null if this backend does not
   * support it.
   */
  runCheck(
    actor: Actor,
    check: Check,
    after: number,
    bounds: CheckBounds
  ): Promise<CheckResult | null> {
    demand(actor, { action: 'server.check_consistency' })
    return findProblems(this.#backend, check, after, bounds)
  }

  /**
   * Leaves one enabled SOA record per zone, as one change set: the newest enabled, else the newest
   * disabled, else the one of the settings. Deletes other enabled ones; disabled ones stay. Throws
   * a 409 `Refusal` if no zone needs a repair, and as `ChangeSets.submit`.
   */
  async repairSoas(intent: Intent, ids: number[]): Promise<Outcome<AppliedZone[]>> {
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
      throw conflict('Each of these zones already has exactly one SOA record: nothing to fix')
    }
    return this.changeSets.submit(intent, actions)
  }

  /** Returns the names of zones by id, without deleted zones. */
  async namesOf(actor: Actor, ids: number[]): Promise<Map<number, string>> {
    demand(actor, { action: 'server.check_consistency' })
    const zones = await Promise.all(bounded(ids).map((id) => this.#backend.findZone(id)))
    return new Map(zones.flatMap((zone) => (zone ? [[zone.id, zone.name]] : [])))
  }

  /** Returns the zones with wrong rows and the number of these rows. Reads each zone completely. */
  async wrongRows(actor: Actor, ids: number[]): Promise<{ zone: BackendZone; rows: number }[]> {
    demand(actor, { action: 'server.check_consistency' })
    const zonesWithRows: { zone: BackendZone; rows: number }[] = []
    for (const id of bounded(ids)) {
      const [zone] = await this.#backend.signedZones(id - 1, 1)
      const rows = zone?.id === id ? await this.#backend.countWrongRows(zone) : 0
      if (rows !== null && rows > 0) zonesWithRows.push({ zone, rows })
    }
    return zonesWithRows
  }

  /** Rectifies zones, one transaction per zone. Returns the number of zones that were wrong. */
  async rectify({ actor }: Intent, ids: number[]): Promise<number> {
    demand(actor, { action: 'server.check_consistency' })
    let repaired = 0
    for (const id of bounded(ids)) {
      const rows = await rectifyZone(this.#backend, actor, id)
      repaired += rows === null || rows > 0 ? 1 : 0
    }
    return repaired
  }

  /** Returns those records that belong to no zone. */
  async strays(actor: Actor, ids: number[]): Promise<StrayRecord[]> {
    demand(actor, { action: 'server.check_consistency' })
    return this.#backend.inspection?.findStraysAmong(bounded(ids)) ?? []
  }

  /**
   * Deletes records that belong to no zone, and writes them to the audit log. Returns their number.
   */
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

  /**
   * Returns the SOA records for the zone, the enabled one first; null if exactly one is enabled.
   */
  async #soasFor(zone: BackendZone): Promise<RRsetItem[] | null> {
    const sets = await this.#backend.rrsetsAt(zone, [zone.name])
    const soas = sets.filter(({ type }) => type === 'SOA').flatMap(({ records }) => records)
    const enabledSoas = soas.filter(({ disabled }) => !disabled)
    if (enabledSoas.length === 1) {
      return null
    }
    const disabled = soas.filter((one) => one.disabled)
    const soa = newestOf(enabledSoas) ?? newestOf(disabled)
    const { content, priority } = soa ?? firstSoa()
    return [
      { content, priority, disabled: false },
      ...disabled
        .filter((one) => one !== soa)
        .map((one) => ({ content: one.content, priority: one.priority, disabled: true })),
    ]
  }
}

/** Returns the record with the newest serial; undefined if no serial can be read. */
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
  if (ids.length > MAX_REPAIRED) {
    throw invalid(`At most ${MAX_REPAIRED} zones can be fixed at once, found ${ids.length}`)
  }
  return ids
}
