import type { DnsBackend } from '#backends/contract/backend'
import { WriteRefused, WritesPending, ZoneGone } from '#backends/contract/errors'
import {
  HEARTBEAT_TIMEOUT_MS,
  type UnconfirmedStep,
  type UnconfirmedWrite,
  type UnconfirmedWrites,
  type PendingWriteFilter,
} from '#backends/contract/pending_writes'
import { outbox } from '#changes/transaction/outbox'
import {
  finishWithFallback,
  finishSigning,
  type PendingSigning,
} from '#changes/recovery/finish_signing'
import { authorFromStored } from '#changes/transaction/effect_handlers'
import { recordOutcome } from '#changes/recovery/record_outcome'
import { runZoneWork } from '#changes/transaction/zone_transaction'

/** Kinds of steps that cannot be verified on the server while the process may work on them. */
const UNVERIFIABLE_KINDS: ReadonlySet<string> = new Set(['create', 'keys', 'signing', 'undone'])

/**
 * Recovers pending writes. Applied writes get their journal entry with the original author, audit
 * event and outbox rows; others are discarded. Overwritten ones are recorded as external changes.
 *
 * @returns the number of pending writes
 * @throws WritesPending for an incomplete write whose process may still work on it
 * @throws BackendUnavailable if the server cannot be read. The first error is thrown after all
 *   writes were tried
 */
export async function recoverPendingWrites(
  backend: DnsBackend,
  filter: PendingWriteFilter
): Promise<number> {
  const { unconfirmedWrites } = backend
  if (!unconfirmedWrites) {
    return 0
  }
  let count = 0
  const failures: unknown[] = []
  for await (const write of unconfirmedWrites.list(filter)) {
    count++
    try {
      await settleWrite(backend, unconfirmedWrites, write)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw failures[0]
  }
  return count
}

async function settleWrite(
  backend: DnsBackend,
  unconfirmed: UnconfirmedWrites,
  write: UnconfirmedWrite
): Promise<void> {
  const mayBeRunning = Date.now() - Date.parse(write.beganAt) < HEARTBEAT_TIMEOUT_MS
  const { steps } = write
  if (!mayBeRunning) {
    await unconfirmed.reverseSafeSteps(write)
  } else if (steps.every(({ kind }) => kind === 'signing')) {
    return
  } else if (steps.some(({ kind }) => UNVERIFIABLE_KINDS.has(kind))) {
    throw new WritesPending(steps.map(({ zoneId }) => zoneId))
  }
  const signing = steps.find((step) => step.kind === 'signing')
  if (signing) {
    await settleSigning(backend, unconfirmed, write, signing)
  } else {
    const work = runZoneWork(backend, (zones) => recordOutcome(backend, zones, write, mayBeRunning))
    await unconfirmed.settle(write.id, work)
  }
  outbox.wake()
}

/**
 * The result on the name server is unknown: the side effects are stored as if it was applied, the
 * audit event as failed.
 */
async function settleSigning(
  backend: DnsBackend,
  unconfirmed: UnconfirmedWrites,
  { id, author }: UnconfirmedWrite,
  { zoneId, zoneName, pendingSigning }: Extract<UnconfirmedStep, { kind: 'signing' }>
): Promise<void> {
  const zone = { id: zoneId, name: zoneName }
  const outcome = { isUnknown: true, detail: {} }
  try {
    await finishWithFallback((extent) =>
      unconfirmed.settle(
        id,
        runZoneWork(backend, (write) =>
          finishSigning(backend, write, zone, {
            author: authorFromStored(author),
            pendingSigning: pendingSigning as PendingSigning,
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
    // Every retry would fail, and the pending write would block all writes to the zone.
    await unconfirmed.forget(id)
  }
}
