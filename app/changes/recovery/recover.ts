import type { DnsBackend } from '#backends/contract/backend'
import { WriteRefused, WritesPending, ZoneGone } from '#backends/contract/errors'
import {
  AT_WORK_MS,
  type UnconfirmedStep,
  type UnconfirmedWrite,
  type UnconfirmedWrites,
  type WhichWrites,
} from '#backends/contract/pending_writes'
import { outbox } from '#changes/transaction/outbox'
import { asFarAsTaken, finishSigning, type ToldSigning } from '#changes/recovery/finish_signing'
import { authorOfIntended } from '#changes/transaction/pending_effects'
import { recordOutcome } from '#changes/recovery/record_outcome'
import { zoneWork } from '#changes/transaction/zone_transaction'

/** Kinds of steps that a zone does not show while they may be at work. */
const UNSEEN: ReadonlySet<string> = new Set(['create', 'keys', 'signing', 'undone'])

/**
 * Finds out what became of writes that were cut off between the server and the journal. What was done gets all that it was
 * to get: the entry, by whom it was intended, the event of the audit log and what has to follow. What was not is forgotten;
 * where somebody else wrote since, it is told as that. One that may be at work still, and of which not all is seen, is left for
 * later: that is `WritesPending`. Answers how many there were. Throws `BackendUnavailable` where it cannot be seen of one of
 * them, or what else kept it from one of them, after it looked at the others.
 */
export async function recoverPendingWrites(
  backend: DnsBackend,
  which: WhichWrites
): Promise<number> {
  const { unconfirmed } = backend
  if (!unconfirmed) {
    return 0
  }
  let looked = 0
  const failures: unknown[] = []
  for await (const write of unconfirmed.list(which)) {
    looked++
    try {
      await settleOne(backend, unconfirmed, write)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw failures[0]
  }
  return looked
}

async function settleOne(
  backend: DnsBackend,
  unconfirmed: UnconfirmedWrites,
  write: UnconfirmedWrite
): Promise<void> {
  const mayBeAtWork = Date.now() - Date.parse(write.beganAt) < AT_WORK_MS
  const { steps } = write
  if (!mayBeAtWork) {
    await unconfirmed.clear(write)
  } else if (steps.every(({ kind }) => kind === 'signing')) {
    return
  } else if (steps.some(({ kind }) => UNSEEN.has(kind))) {
    throw new WritesPending(steps.map(({ zoneId }) => zoneId))
  }
  const signing = steps.find((step) => step.kind === 'signing')
  if (signing) {
    await settleSigning(backend, unconfirmed, write, signing)
  } else {
    const work = zoneWork(backend, (zones) => recordOutcome(backend, zones, write, mayBeAtWork))
    await unconfirmed.settle(write.id, work)
  }
  outbox.kick()
}

/** Nobody knows whether the name server did it: what follows is written as if it had, and told as tried. */
async function settleSigning(
  backend: DnsBackend,
  unconfirmed: UnconfirmedWrites,
  { id, author }: UnconfirmedWrite,
  { zoneId, zoneName, told }: Extract<UnconfirmedStep, { kind: 'signing' }>
): Promise<void> {
  const zone = { id: zoneId, name: zoneName }
  const outcome = { isLost: true, known: {} }
  try {
    await asFarAsTaken((extent) =>
      unconfirmed.settle(
        id,
        zoneWork(backend, (write) =>
          finishSigning(backend, write, zone, {
            author: authorOfIntended(author),
            told: told as ToldSigning,
            outcome,
            extent,
          })
        )
      )
    )
  } catch (error) {
    if (!(error instanceof WriteRefused || error instanceof ZoneGone)) {
      throw error
    }
    // It would be refused each time, and nothing could be written to the zone any more.
    await unconfirmed.forget(id)
  }
}
