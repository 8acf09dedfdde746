import type { DnsBackend } from '#backends/contract'
import { BackendUnavailable, WritesPending } from '#backends/errors'
import type { UnconfirmedWrite, UnconfirmedWrites } from '#backends/unconfirmed'
import { outbox } from '#changes/outbox'
import { noteOutcome } from '#changes/unconfirmed_outcome'
import { zoneWork } from '#changes/zone_write'

/** Writes that are younger may be at work still: longer than any call to a name server takes. */
export const AT_WORK_MS = 60_000

/**
 * Finds out what became of writes that were cut off between the server and the journal. What was done gets all that it was
 * to get: the entry, by whom it was intended, the event of the audit log and what has to follow. What was not is forgotten;
 * where somebody else wrote since, it is told as that. One that may be at work still, and of which not all is seen, is left for
 * later: that is `WritesPending`. Answers how many there were. Throws `BackendUnavailable` where it cannot be seen of one of
 * them, after it looked at the others.
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
  const mayBeAtWork = Date.now() - Date.parse(write.beganAt) < AT_WORK_MS
  if (!mayBeAtWork) {
    await unconfirmed.clear(write)
  } else if (write.steps.some(({ kind }) => kind === 'create' || kind === 'keys')) {
    throw new WritesPending(write.steps.map(({ zoneId }) => zoneId))
  }
  const work = zoneWork(backend, (zones) => noteOutcome(backend, zones, write, mayBeAtWork))
  await unconfirmed.settle(write.id, work)
  outbox.kick()
}
