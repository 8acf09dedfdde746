import type { AuditAction } from '#audit/actions'
import type { Detail } from '#audit/event'
import { record } from '#audit/record'
import { outsider } from '#access/actor'
import type { BackendZone, DnsBackend } from '#backends/contract'
import { BackendUnavailable, SigningKeyMissing, SigningRefused } from '#backends/errors'
import { today } from '#changes/clock'
import type { Intent } from '#changes/intent'
import { writeEntry } from '#changes/journal'
import { metadataAmong, restoreMetadata } from '#changes/kept_metadata'
import { sameState, withSerialOf } from '#changes/net_changes'
import { enqueue, outbox } from '#changes/outbox'
import { noteOutside } from '#changes/outside'
import { unmarkApplied } from '#changes/repeats'
import { settle } from '#changes/settle'
import { ensureZoneRow, type ZoneRow } from '#changes/zone_registry'
import { writeZones, type ZoneWrite } from '#changes/zone_write'
import { nextSerial } from '#dns/serial'
import { serialOfSet } from '#dns/soa'
import { invalid, notFound } from '#exceptions/refusal'

/** What the name server is to do to a zone, and how the audit log tells it. */
export interface SigningChange<T> {
  action: AuditAction
  /** What is known of it before; no secrets. */
  detail: Detail
  /** Answers of the name server change, so the serial has to move for its replicas. */
  movesSerial: boolean
  /** Kinds of metadata that the name server ends with it, and that stay nevertheless. */
  keepsMetadata?: readonly string[]
  /** Lets the name server do it. Throws `SigningRefused` and `BackendUnavailable`. */
  work: () => Promise<T>
  /** What is known only afterwards. */
  outcome?: (result: T) => Detail
}

/** Serials around a change. */
interface SerialStep {
  serialBefore: number | null
  serialAfter: number | null
}

const REPLICAS = new Set(['SLAVE', 'CONSUMER'])

/** What came of asking the name server: whether it did it, nobody knows where the answer was lost. */
type Asked<T> = { result: T } | { lost: BackendUnavailable }

/**
 * Changes how a zone is signed. The name server does that by itself, outside of any transaction of ours; what follows
 * from it is written afterwards, in one: what name servers derive from the keys, the serial, the journal entry, the
 * event of the audit log and what has to follow. What others changed before is told before. A serial that the server
 * moved is ours.
 *
 * A dry run ends before anything is asked of the server. Throws a 400 `Refusal` with the server's own words where it
 * does not accept the change, and a 404 for a key that is gone. With `BackendUnavailable` nobody knows whether it was
 * done: all that follows is written as if it was, a serial too many harms nobody, and the audit log says that it was
 * tried.
 */
export async function changeSigning<T>(
  backend: DnsBackend,
  intent: Intent,
  zone: BackendZone,
  change: SigningChange<T>
): Promise<T> {
  const kept = await writeZones(backend, async (write) => {
    const { current, row } = await locked(write, zone)
    await noteOutside(write, current, row, [current.name])
    const metadata = await metadataAmong(write, current, change.keepsMetadata)
    // Before the server is asked: a repeat must not ask it again, whatever becomes of this process.
    await settle(write.trx, intent)
    return metadata
  })
  const asked = await ask(backend, intent, change)
  await writeZones(backend, async (write) => {
    const { current, row } = await locked(write, zone)
    const { session, trx } = write
    const { actor, reason } = intent
    const serials = await moveSerial(write, current, row, change.movesSerial)
    const isRestored = await restoreMetadata(write, current, kept)
    await session.rectify(current)
    const entry = change.movesSerial
      ? await writeEntry(trx, { actor, reason, origin: null }, current, row, {
          changes: [],
          ...serials,
          zoneBefore: null,
          zoneAfter: null,
        })
      : undefined
    await enqueue(trx, backend.afterWrite(current, current, isRestored))
    const known = 'result' in asked ? change.outcome?.(asked.result) : undefined
    await record(trx, actor, {
      action: change.action,
      object: objectOf(current),
      ...('lost' in asked ? { outcome: 'failed' as const } : {}),
      detail: { ...change.detail, ...known, entry },
    })
    await settle(trx, intent)
  })
  outbox.kick()
  if ('lost' in asked) {
    throw asked.lost
  }
  return asked.result
}

async function ask<T>(
  backend: DnsBackend,
  { repeatId }: Intent,
  { work }: SigningChange<T>
): Promise<Asked<T>> {
  try {
    return { result: await work() }
  } catch (error) {
    if (error instanceof BackendUnavailable) {
      return { lost: error }
    }
    if (error instanceof SigningRefused) {
      if (repeatId !== null) {
        await writeZones(backend, ({ trx }) => unmarkApplied(trx, repeatId))
      }
      if (error instanceof SigningKeyMissing) {
        throw notFound('DNSSEC key not found')
      }
      throw invalid(`The name server does not accept this: ${error.message}`)
    }
    throw error
  }
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

/**
 * Takes over the serial that the server has moved, or moves it; where the change moves none, others did. Replicas keep
 * the serial of their primary.
 */
async function moveSerial(
  { session, trx }: ZoneWrite,
  zone: BackendZone,
  row: ZoneRow,
  moves: boolean
): Promise<SerialStep> {
  const changes = await session.takeOutsideChanges(zone, [zone.name])
  const moved = changes.find(
    ({ name, type, before, after }) =>
      moves && type === 'SOA' && name === zone.name && before && after && sameState(before, after)
  )
  const others = changes.filter((change) => change !== moved)
  const sets = await session.rrsetsAt(zone, [zone.name])
  const soa = sets.find(({ type }) => type === 'SOA')
  const serial = serialOfSet(soa)
  if (others.length > 0) {
    const author = { actor: outsider(), reason: null, origin: null }
    const unmoved = { serialBefore: serial, serialAfter: serial, zoneBefore: null, zoneAfter: null }
    await writeEntry(trx, author, zone, row, { changes: others, ...unmoved })
  }
  if (moved) {
    return { serialBefore: serialOfSet(moved.before), serialAfter: serial }
  }
  if (!moves || !soa || serial === null || REPLICAS.has(zone.kind)) {
    return { serialBefore: serial, serialAfter: serial }
  }
  const serialAfter = nextSerial(serial, today())
  if (serialAfter !== serial) {
    const { name, type } = soa
    const after = withSerialOf(soa, serialAfter)
    await session.applyRRsets(zone, [{ name, type, before: soa, after }])
  }
  return { serialBefore: serial, serialAfter }
}

function objectOf({ id, name }: BackendZone) {
  return { kind: 'zone' as const, id, name }
}
