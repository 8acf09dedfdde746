import type { Actor } from '#access/actor'
import { record } from '#audit/record'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { enqueue, outbox } from '#changes/transaction/outbox'
import { writeZones } from '#changes/recovery/write_zones'

/** A signed zone that was checked. */
export interface CheckedZone {
  zone: BackendZone
  /** Number of wrong rows; null if the name server does not report it. */
  rows: number | null
}

/** Zones per query. */
const ZONE_BATCH_SIZE = 100

/**
 * Checks signed zones whose records Zonewright writes for rows that would prove wrong denials, and
 * rectifies them. Each zone has its transaction and lock, and is read once. Records, serials and
 * journals stay.
 *
 * @param dryRun only check
 */
export async function* rectifyZones(
  backend: DnsBackend,
  actor: Actor,
  dryRun: boolean
): AsyncGenerator<CheckedZone, void> {
  for (let after = 0; ;) {
    const zones = await backend.signedZones(after, ZONE_BATCH_SIZE)
    for (const zone of zones) {
      const rows = dryRun
        ? await backend.countWrongRows(zone)
        : await rectifyZone(backend, actor, zone.id)
      yield { zone, rows }
    }
    if (zones.length < ZONE_BATCH_SIZE) {
      return
    }
    after = zones[zones.length - 1].id
  }
}

/**
 * Rectifies one zone. Returns the number of wrong rows; null if the name server rectified it, and 0
 * for a missing or unsigned zone.
 */
export async function rectifyZone(
  backend: DnsBackend,
  actor: Actor,
  id: number
): Promise<number | null> {
  const rows = await writeZones(backend, async ({ session, trx }) => {
    const locked = await session.lockZones([id])
    const zone = locked.get(id)
    const [signed] = zone ? await session.signedZones(id - 1, 1) : []
    const wrongRows = zone && signed?.id === id ? await session.rectify(zone) : 0
    if (zone && wrongRows !== null && wrongRows > 0) {
      await enqueue(trx, backend.afterWrite(zone, zone))
      const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
      await record(trx, actor, { action: 'zone.rectified', object, detail: { rows: wrongRows } })
    }
    return wrongRows
  })
  if (rows !== null && rows > 0) {
    outbox.wake()
  }
  return rows
}
