import { outsider } from '#access/actor'
import type { DnsBackend } from '#backends/contract'
import { BackendUnavailable, ZoneGone } from '#backends/errors'
import type { UnconfirmedWrite, UnconfirmedWrites } from '#backends/unconfirmed'
import type { ChangeSet } from '#changes/change_set'
import { writeEntry, type Author } from '#changes/journal'
import { ensureZoneRow } from '#changes/zone_registry'
import { zoneWork, type ZoneWrite } from '#changes/zone_write'
import { isSerialOnly, stateAmong } from '#dns/outcome'
import { serialOfSet } from '#dns/soa'

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
 * as that. Answers how many there were. Throws `BackendUnavailable` where it cannot be seen of one of them, after it
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
  await unconfirmed.clear(write)
  try {
    await unconfirmed.settle(
      write.id,
      zoneWork(backend, (zones) => noteOutcome(zones, write))
    )
  } catch (error) {
    if (!(error instanceof ZoneGone)) {
      throw error
    }
    await unconfirmed.forget(write.id)
  }
}

async function noteOutcome(
  { session, trx, tally }: ZoneWrite,
  { steps, author }: UnconfirmedWrite
): Promise<void> {
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
