import { outsider } from '#access/actor'
import type { DnsBackend } from '#backends/contract'
import { BackendUnavailable, WritesPending, ZoneGone } from '#backends/errors'
import type { UnconfirmedWrite, UnconfirmedWrites } from '#backends/unconfirmed'
import type { ChangeSet } from '#changes/change_set'
import { writeEntry, type Author } from '#changes/journal'
import { ensureZoneRow } from '#changes/zone_registry'
import { zoneWork, type ZoneWrite } from '#changes/zone_write'
import { isSerialOnly, stateAmong } from '#dns/outcome'
import { serialOfSet } from '#dns/soa'

/** Writes that are younger may be at work still: longer than any call to a name server takes. */
export const AT_WORK_MS = 60_000

/** Who a change set is for, as it is kept with writes that can be cut off. */
interface IntendedAuthor {
  userId: number | null
  username: string
  address: string | null
  door: Author['actor']['door']
  keyId: number | null
  reason: string | null
}

/** What is kept of the author of a change set until its writes are confirmed. */
export function intendedAuthor({ intent: { actor, reason } }: ChangeSet): IntendedAuthor {
  const { userId, username, address, door, key } = actor
  return { userId, username, address, door, keyId: key?.id ?? null, reason }
}

/**
 * Finds out what became of writes that were cut off between the server and the journal. What was done becomes the entry
 * that it was to be, by whom it was intended; what was not is forgotten; where somebody else wrote since, it is told
 * as that. One that may be at work still, and of which not all is seen, is left for later: that is `WritesPending`.
 * Answers how many there were. Throws `BackendUnavailable` where it cannot be seen of one of them, after it
 * looked at the others.
 */
export async function settleUnconfirmed(
  backend: DnsBackend,
  which: { zoneIds?: readonly number[]; before?: string }
): Promise<number> {
  const { unconfirmed } = backend
  const writes = unconfirmed ? await unconfirmed.list(which) : []
  const failures: BackendUnavailable[] = []
  for (const write of writes) {
    try {
      await settleOne(backend, unconfirmed!, write)
    } catch (error) {
      if (!(error instanceof BackendUnavailable)) {
        throw error
      }
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw failures[0]
  }
  return writes.length
}

async function settleOne(
  backend: DnsBackend,
  unconfirmed: UnconfirmedWrites,
  write: UnconfirmedWrite
): Promise<void> {
  if (!mayBeAtWork(write)) {
    await unconfirmed.clear(write)
  } else if (!write.steps.every(({ kind }) => kind === 'records' || kind === 'rectify')) {
    throw new WritesPending(write.steps.map(({ zoneId }) => zoneId))
  }
  const settle = (of: UnconfirmedWrite) =>
    unconfirmed.settle(
      write.id,
      zoneWork(backend, (zones) => noteOutcome(zones, of))
    )
  try {
    await settle(write)
  } catch (error) {
    if (!(error instanceof ZoneGone)) {
      throw error
    }
    // One zone that is gone says nothing of the others.
    const steps = await livingSteps(backend, write)
    await (steps.length > 0 ? settle({ ...write, steps }) : unconfirmed.forget(write.id))
  }
}

/** Whether the server may be at it still. */
function mayBeAtWork({ beganAt }: UnconfirmedWrite): boolean {
  return Date.now() - Date.parse(beganAt) < AT_WORK_MS
}

/** Steps of zones that the server has. */
async function livingSteps(
  backend: DnsBackend,
  { steps }: UnconfirmedWrite
): Promise<UnconfirmedWrite['steps']> {
  const living = new Set<number>()
  for (const id of new Set(steps.map(({ zoneId }) => zoneId))) {
    try {
      const zone = await backend.findZone(id)
      if (zone) {
        await backend.metadataOf(zone)
        living.add(id)
      }
    } catch (error) {
      if (!(error instanceof ZoneGone)) {
        throw error
      }
    }
  }
  return steps.filter(({ zoneId }) => living.has(zoneId))
}

async function noteOutcome(
  { session, trx, tally }: ZoneWrite,
  write: UnconfirmedWrite
): Promise<void> {
  const { steps, author } = write
  const written = steps.filter(({ kind, changes }) => kind === 'records' && changes.length > 0)
  const locked = await session.lockZones(written.map(({ zoneId }) => zoneId))
  for (const { zoneId, zoneName, changes } of written) {
    const zone = locked.get(zoneId)
    if (zone?.name !== zoneName) {
      continue
    }
    const names = [...new Set(changes.map(({ name }) => name))]
    const sets = await session.rrsetsAt(zone, names)
    if (stateAmong(changes, sets) !== 'after') {
      if (mayBeAtWork(write)) {
        throw new WritesPending([zoneId])
      }
      continue
    }
    const row = await ensureZoneRow(trx, zone, tally)
    const found = await session.takeOutsideChanges(zone, [...names, zone.name])
    const soa = found.find(({ name, type }) => type === 'SOA' && name === zone.name)
    const done = found.filter((change) => !isSerialOnly(change))
    if (done.length > 0) {
      await writeEntry(trx, authorOf(author), zone, row, {
        changes: done,
        serialBefore: serialOfSet(soa?.before),
        serialAfter: serialOfSet(soa?.after),
        zoneBefore: null,
        zoneAfter: null,
      })
    }
  }
}

function authorOf(kept: object | null): Author {
  const { userId, username, address, door } = outsider()
  const nobody = { userId, username, address, door, keyId: null, reason: null }
  const { keyId, reason, ...actor } = { ...nobody, ...(kept as IntendedAuthor | null) }
  return { actor: { ...actor, key: keyId === null ? null : { id: keyId } }, reason, origin: null }
}
