import type { Actor } from '#access/actor'
import { record } from '#audit/record'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { enqueue, outbox } from '#changes/transaction/outbox'
import { writeZones } from '#changes/recovery/write_zones'

/** A signed zone that was looked at. */
export interface LookedAt {
  zone: BackendZone
  /** How many of its rows were wrong; null where the name server keeps them to itself, and nobody can compare. */
  rows: number | null
}

/** Zones that are listed at once. */
const BATCH = 100

/**
 * Looks at every signed zone whose records are written here for rows by which denials would be proven wrongly,
 * and puts them right, each zone in a transaction of its own under its lock. Records, serials and journals stay
 * as they are. Each zone is read once.
 *
 * @param dryRun only look
 */
export async function* rectifyZones(
  backend: DnsBackend,
  actor: Actor,
  dryRun: boolean
): AsyncGenerator<LookedAt, void> {
  for (let after = 0; ;) {
    const zones = await backend.signedZones(after, BATCH)
    for (const zone of zones) {
      const rows = dryRun
        ? await backend.wrongRows(zone)
        : await rectifyZone(backend, actor, zone.id)
      yield { zone, rows }
    }
    if (zones.length < BATCH) {
      return
    }
    after = zones[zones.length - 1].id
  }
}

/**
 * Puts one zone right. Answers how many rows were wrong, or null where the name server did it and says nothing of that; 0
 * also for a zone that is gone, or not one to look at.
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
    const wrong = zone && signed?.id === id ? await session.rectify(zone) : 0
    if (zone && wrong !== null && wrong > 0) {
      await enqueue(trx, backend.afterWrite(zone, zone))
      const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
      await record(trx, actor, { action: 'zone.rectified', object, detail: { rows: wrong } })
    }
    return wrong
  })
  if (rows !== null && rows > 0) {
    outbox.kick()
  }
  return rows
}
