import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditAction } from '#audit/actions'
import type { Detail } from '#audit/event'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import {
  BackendUnavailable,
  NotExecuted,
  NotSent,
  SigningKeyMissing,
  SigningRefused,
  WriteRefused,
  ZoneGone,
} from '#backends/contract/errors'
import type { Intent } from '#changes/model/intent'
import { readMetadataKinds } from '#changes/transaction/metadata_snapshot'
import { outbox } from '#changes/transaction/outbox'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { revertApplied } from '#changes/idempotency/requests'
import { finishWrite } from '#changes/idempotency/finish_write'
import {
  finishWithFallback,
  finishSigning,
  type ConsequenceExtent,
  type PendingSigning,
} from '#changes/recovery/finish_signing'
import { toStoredAuthor } from '#changes/transaction/effect_handlers'
import { ensureZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import { writeZones } from '#changes/recovery/write_zones'
import { runZoneWork, type ZoneWrite } from '#changes/transaction/zone_transaction'
import { invalid, notFound, Refusal } from '#exceptions/refusal'

/** A change of signing on the name server, and its audit event. */
export interface SigningChange<T> {
  action: AuditAction
  /** Details known before the change; no secrets. */
  detail: Detail
  /** The answers of the name server change, so that the serial must increase for its replicas. */
  movesSerial: boolean
  /** Metadata kinds that the name server deletes, and that are restored afterwards. */
  retainedMetadata?: readonly string[]
  /** The metadata cannot be restored on an unsigned zone: the audit event stores them. */
  endsMetadata?: boolean
  /** The call to the name server. Throws `SigningRefused` and `BackendUnavailable`. */
  call: () => Promise<T>
  /** Details known after the change. */
  detailOf?: (result: T) => Detail
}

const SERVER_BUSY =
  'Too many calls of the name server failed, so it was not called: nothing was changed, try again later'

/** Result of a change that the name server applied. */
export interface SigningResult<T> {
  result: T
  /** Error of the name server in a follow-up: rectification, serial or metadata; null for none. */
  refusal: string | null
}

/** Result of the call to the name server; it is unknown if the answer was lost. */
type CallResult<T> = { result: T } | { unknownError: BackendUnavailable }

/**
 * Changes the signing of a zone. The name server does that outside of any transaction. Serial,
 * journal entry, audit event and outbox rows are written afterwards, in one transaction; external
 * changes before. A pending write (`unconfirmed`) is stored before the call, so that a recovery can
 * write them if this process ends.
 *
 * @throws Refusal 400 with the message of the server that refuses, 404 for a missing key, 503 if it
 *   was not called
 * @throws NothingDone if the server did nothing
 * @throws BackendUnavailable if the result is unknown. The follow-ups are written as if it was
 *   applied, as a further serial does no harm; the audit event says that it was tried
 */
export async function changeSigning<T>(
  backend: DnsBackend,
  intent: Intent,
  zone: BackendZone,
  change: SigningChange<T>
): Promise<SigningResult<T>> {
  const { action, movesSerial } = change
  const { actor, reason } = intent
  const author = { actor, reason, origin: null }
  const { unconfirmedWrites } = backend
  const stored = await writeZones(backend, async (write) => {
    const { current, row } = await lockSignedZone(write, zone)
    await recordExternalChanges(write, current, row, [current.name])
    const known = await readMetadataKinds(write, current, change.retainedMetadata)
    const [restored, endedMetadata] = change.endsMetadata ? [{}, known] : [known, {}]
    const detail =
      Object.keys(endedMetadata).length > 0
        ? { ...change.detail, ended: endedMetadata }
        : change.detail
    const pending: PendingSigning = { action, detail, movesSerial, retained: restored }
    const id = await unconfirmedWrites?.storeSigning(
      write.trx,
      current,
      toStoredAuthor(author),
      pending
    )
    // Before the call: a repeat must not call the server again, even if this process ends.
    await finishWrite(write.trx, intent)
    return { id, pendingSigning: pending }
  })
  const forget = async (trx?: TransactionClientContract) => {
    await (stored.id === undefined ? null : unconfirmedWrites?.forget(stored.id, trx))
  }
  const callServer = () => callOnce(backend, intent, change, forget)
  const callResult = await (stored.id !== undefined && unconfirmedWrites
    ? unconfirmedWrites.runWithHeartbeat(stored.id, callServer)
    : callServer())
  const known = 'result' in callResult ? change.detailOf?.(callResult.result) : undefined
  const outcome = { isUnknown: 'unknownError' in callResult, detail: known ?? {} }
  const finish = (extent: ConsequenceExtent) => {
    const call = async (write: ZoneWrite) => {
      await finishSigning(backend, write, zone, {
        author,
        pendingSigning: stored.pendingSigning,
        outcome,
        extent,
      })
      await finishWrite(write.trx, intent)
    }
    return stored.id !== undefined && unconfirmedWrites
      ? unconfirmedWrites.settle(stored.id, runZoneWork(backend, call))
      : writeZones(backend, call)
  }
  let refusal: string | null
  try {
    refusal = await finishWithFallback(finish)
  } catch (error) {
    if (error instanceof WriteRefused || error instanceof ZoneGone) {
      await forget()
    }
    throw error
  }
  outbox.wake()
  if ('unknownError' in callResult) {
    throw callResult.unknownError
  }
  return { result: callResult.result, refusal }
}

async function callOnce<T>(
  backend: DnsBackend,
  { repeatId }: Intent,
  { call }: SigningChange<T>,
  forget: (trx: TransactionClientContract) => Promise<void>
): Promise<CallResult<T>> {
  try {
    return { result: await call() }
  } catch (error) {
    const isNotExecuted = error instanceof SigningRefused || error instanceof NotExecuted
    if (error instanceof BackendUnavailable && !isNotExecuted) {
      return { unknownError: error }
    }
    if (isNotExecuted) {
      // In one transaction: if the process ends before, the recovery frees the repeat.
      await writeZones(backend, async ({ trx }) => {
        await forget(trx)
        await (repeatId === null ? null : revertApplied(trx, repeatId))
      })
    }
    throw refusalOf(error)
  }
}

/** The answer to a change that was not applied; other errors stay. */
function refusalOf(error: unknown): unknown {
  if (error instanceof SigningKeyMissing) {
    return notFound('DNSSEC key not found')
  }
  if (error instanceof SigningRefused) {
    return invalid(`The name server does not accept this: ${error.message}`)
  }
  return error instanceof NotSent ? new Refusal(503, SERVER_BUSY) : error
}

async function lockSignedZone(
  { session, trx, countChange }: ZoneWrite,
  zone: BackendZone
): Promise<{ current: BackendZone; row: ZoneRow }> {
  const zones = await session.lockZones([zone.id])
  const current = zones.get(zone.id)
  if (!current || current.name !== zone.name) {
    throw notFound('Zone not found')
  }
  return { current, row: await ensureZoneRow(trx, current, countChange) }
}
