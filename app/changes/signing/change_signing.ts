import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditAction } from '#audit/actions'
import type { Detail } from '#audit/event'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import {
  BackendUnavailable,
  NothingDone,
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
  type ToldSigning,
} from '#changes/recovery/finish_signing'
import { intendedAuthor } from '#changes/transaction/pending_effects'
import { ensureZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import { writeZones } from '#changes/recovery/write_zones'
import { zoneWork, type ZoneWrite } from '#changes/transaction/zone_transaction'
import { invalid, notFound, Refusal } from '#exceptions/refusal'

/** What the name server is to do to a zone, and how the audit log tells it. */
export interface SigningChange<T> {
  action: AuditAction
  /** What is known of it before; no secrets. */
  detail: Detail
  /** Answers of the name server change, so the serial has to move for its replicas. */
  movesSerial: boolean
  /** Kinds of metadata that the name server ends with it, and that stay nevertheless. */
  keepsMetadata?: readonly string[]
  /** They cannot stay, as the server takes them of signed zones only: the audit log tells what they were. */
  endsMetadata?: boolean
  /** Lets the name server do it. Throws `SigningRefused` and `BackendUnavailable`. */
  work: () => Promise<T>
  /** What is known only afterwards. */
  outcome?: (result: T) => Detail
}

const NOT_ASKED =
  'The name server answers too few calls now, and was not asked: nothing was changed, try again later'

/** What came of a change that the name server made. */
export interface SigningChanged<T> {
  result: T
  /** Its own words where it refused what has to follow: a rectification, a serial, metadata. */
  unfinished: string | null
}

/** What came of asking the name server: whether it did it, nobody knows where the answer was lost. */
type Asked<T> = { result: T } | { lost: BackendUnavailable }

/**
 * Changes how a zone is signed. The name server does that by itself, outside of any transaction of ours; what follows
 * from it is written afterwards, in one: what name servers derive from the keys, the serial, the journal entry, the
 * event of the audit log and what has to follow. What others changed before is told before. A serial that the server
 * moved is ours.
 *
 * A dry run ends before anything is asked of the server. Throws a 400 `Refusal` with the server's own words where it
 * does not accept the change, a 404 for a key that is gone, a 503 where it was not asked, and `NothingDone` where it did
 * nothing. With any other `BackendUnavailable` nobody knows whether it was done: all that follows is written as if it was, a
 * serial too many harms nobody, and the audit log says that it was tried. What follows and is refused is left out, and told.
 * That the server is going to be asked is kept where the backend keeps writes that may be cut off (`unconfirmed`), as one at
 * work while it is asked: should this process end, others write what follows.
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
  const { unconfirmed } = backend
  const begun = await writeZones(backend, async (write) => {
    const { current, row } = await locked(write, zone)
    await recordExternalChanges(write, current, row, [current.name])
    const known = await metadataAmong(write, current, change.keepsMetadata)
    const [kept, ended] = change.endsMetadata ? [{}, known] : [known, {}]
    const detail = Object.keys(ended).length > 0 ? { ...change.detail, ended } : change.detail
    const told: ToldSigning = { action, detail, movesSerial, kept }
    const id = await unconfirmed?.begin(write.trx, current, intendedAuthor(author), told)
    // Before the server is asked: a repeat must not ask it again, whatever becomes of this process.
    await finishWrite(write.trx, intent)
    return { id, told }
  })
  const forget = async (trx?: TransactionClientContract) => {
    await (begun.id === undefined ? null : unconfirmed?.forget(begun.id, trx))
  }
  const asking = () => ask(backend, intent, change, forget)
  const asked = await (begun.id !== undefined && unconfirmed
    ? unconfirmed.atWork(begun.id, asking)
    : asking())
  const known = 'result' in asked ? change.outcome?.(asked.result) : undefined
  const outcome = { isLost: 'lost' in asked, known: known ?? {} }
  const finish = (extent: Extent) => {
    const work = async (write: ZoneWrite) => {
      await finishSigning(backend, write, zone, { author, told: begun.told, outcome, extent })
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
  outbox.kick()
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
    const isNothing = error instanceof SigningRefused || error instanceof NothingDone
    if (error instanceof BackendUnavailable && !isNothing) {
      return { lost: error }
    }
    if (isNothing) {
      // At once: a process that ends in between leaves both, and whoever settles the write frees the repeat.
      await writeZones(backend, async ({ trx }) => {
        await forget(trx)
        await (repeatId === null ? null : unmarkApplied(trx, repeatId))
      })
    }
    throw refusalOf(error)
  }
}

/** What is answered to a change that was not made; other errors as they are. */
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
