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
import { metadataAmong } from '#changes/transaction/metadata_snapshot'
import { outbox } from '#changes/transaction/outbox'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { unmarkApplied } from '#changes/idempotency/requests'
import { finishWrite } from '#changes/idempotency/finish_write'
import {
  asFarAsTaken,
  finishSigning,
  type Extent,
  type PendingSigning,
} from '#changes/recovery/finish_signing'
import { intendedAuthor } from '#changes/transaction/pending_effects'
import { ensureZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import { writeZones } from '#changes/recovery/write_zones'
import { zoneWork, type ZoneWrite } from '#changes/transaction/zone_transaction'
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
  work: () => Promise<T>
  /** Details known after the change. */
  outcome?: (result: T) => Detail
}

const NOT_ASKED =
  'The name server answers too few calls now, and was not asked: nothing was changed, try again later'

/** Result of a change that the name server applied. */
export interface SigningChanged<T> {
  result: T
  /** Error of the name server in a follow-up: rectification, serial or metadata; null for none. */
  unfinished: string | null
}

/** Result of the call to the name server; it is unknown if the answer was lost. */
type Asked<T> = { result: T } | { lost: BackendUnavailable }

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
): Promise<SigningChanged<T>> {
  const { action, movesSerial } = change
  const { actor, reason } = intent
  const author = { actor, reason, origin: null }
  const { unconfirmedWrites: unconfirmed } = backend
  const begun = await writeZones(backend, async (write) => {
    const { current, row } = await locked(write, zone)
    await recordExternalChanges(write, current, row, [current.name])
    const known = await metadataAmong(write, current, change.retainedMetadata)
    const [restored, ended] = change.endsMetadata ? [{}, known] : [known, {}]
    const detail = Object.keys(ended).length > 0 ? { ...change.detail, ended } : change.detail
    const pending: PendingSigning = { action, detail, movesSerial, kept: restored }
    const id = await unconfirmed?.storeSigning(write.trx, current, intendedAuthor(author), pending)
    // Before the call: a repeat must not call the server again, even if this process ends.
    await finishWrite(write.trx, intent)
    return { id, pendingSigning: pending }
  })
  const forget = async (trx?: TransactionClientContract) => {
    await (begun.id === undefined ? null : unconfirmed?.forget(begun.id, trx))
  }
  const asking = () => ask(backend, intent, change, forget)
  const asked = await (begun.id !== undefined && unconfirmed
    ? unconfirmed.runWithHeartbeat(begun.id, asking)
    : asking())
  const known = 'result' in asked ? change.outcome?.(asked.result) : undefined
  const outcome = { isLost: 'lost' in asked, known: known ?? {} }
  const finish = (extent: Extent) => {
    const work = async (write: ZoneWrite) => {
      await finishSigning(backend, write, zone, {
        author,
        pendingSigning: begun.pendingSigning,
        outcome,
        extent,
      })
      await finishWrite(write.trx, intent)
    }
    return begun.id !== undefined && unconfirmed
      ? unconfirmed.settle(begun.id, zoneWork(backend, work))
      : writeZones(backend, work)
  }
  let unfinished: string | null
  try {
    unfinished = await asFarAsTaken(finish)
  } catch (error) {
    if (error instanceof WriteRefused || error instanceof ZoneGone) {
      await forget()
    }
    throw error
  }
  outbox.wake()
  if ('lost' in asked) {
    throw asked.lost
  }
  return { result: asked.result, unfinished }
}

async function ask<T>(
  backend: DnsBackend,
  { repeatId }: Intent,
  { work }: SigningChange<T>,
  forget: (trx: TransactionClientContract) => Promise<void>
): Promise<Asked<T>> {
  try {
    return { result: await work() }
  } catch (error) {
    const isNothing = error instanceof SigningRefused || error instanceof NotExecuted
    if (error instanceof BackendUnavailable && !isNothing) {
      return { lost: error }
    }
    if (isNothing) {
      // In one transaction: if the process ends before, the recovery frees the repeat.
      await writeZones(backend, async ({ trx }) => {
        await forget(trx)
        await (repeatId === null ? null : unmarkApplied(trx, repeatId))
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
  return error instanceof NotSent ? new Refusal(503, NOT_ASKED) : error
}

async function locked(
  { session, trx, tally }: ZoneWrite,
  zone: BackendZone
): Promise<{ current: BackendZone; row: ZoneRow }> {
  const zones = await session.lockZones([zone.id])
  const current = zones.get(zone.id)
  if (!current || current.name !== zone.name) {
    throw notFound('Zone not found')
  }
  return { current, row: await ensureZoneRow(trx, current, tally) }
}
