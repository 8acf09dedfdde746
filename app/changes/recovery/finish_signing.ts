import { externalActor } from '#access/actor'
import type { AuditAction } from '#audit/actions'
import type { Detail } from '#audit/event'
import { record } from '#audit/record'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { WriteRefused, ZoneGone } from '#backends/contract/errors'
import { today } from '#changes/model/clock'
import { writeEntry } from '#changes/journal/write_entry'
import type { Author } from '#changes/model/intent'
import { restoreMetadata } from '#changes/transaction/metadata_snapshot'
import { sameState, withSerialOf } from '#changes/journal/net_changes'
import { enqueue } from '#changes/transaction/outbox'
import { ensureZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import type { Metadata } from '#dns/metadata/metadata'
import { nextSerial } from '#dns/rdata/serial'
import { serialOfSet } from '#dns/rdata/soa'

/** The stored state of a change of signing before the name server is called. Contains no secrets. */
export interface PendingSigning {
  action: AuditAction
  detail: Detail
  movesSerial: boolean
  /** Metadata that the name server ends with it, and that stay nevertheless. */
  kept: Metadata
}

/** A finished change of signing: its author, what was requested, and the outcome. */
export interface SigningEnd {
  author: Author
  pendingSigning: PendingSigning
  /** `isLost`: the outcome is unknown. `known`: detail of the audit event that is known afterwards. */
  outcome: { isLost: boolean; known: Detail }
  extent: Extent
}

/** The consequences that the name server accepts, and its message for the refused ones. */
export interface Extent {
  follows: 'all' | 'unrectified' | 'none'
  unfinished: string | null
}

/** Serials around a change. */
interface SerialStep {
  serialBefore: number | null
  serialAfter: number | null
}

const REPLICAS = new Set(['SLAVE', 'CONSUMER'])

/**
 * Writes the consequences (`finishSigning`), with fewer of them each time the name server refuses: the outcome of the keys is
 * recorded in any case. Returns the message of the refusal, or null.
 */
export async function asFarAsTaken(
  finish: (extent: Extent) => Promise<unknown>
): Promise<string | null> {
  let unfinished: string | null = null
  for (const follows of ['all', 'unrectified'] as const) {
    try {
      await finish({ follows, unfinished })
      return unfinished
    } catch (error) {
      if (!(error instanceof WriteRefused)) {
        throw error
      }
      unfinished ??= error.message
    }
  }
  await finish({ follows: 'none', unfinished })
  return unfinished
}

/**
 * Writes the consequences after the name server changed the signing of a zone, see `changeSigning`. Throws `ZoneGone` for a
 * deleted zone.
 */
export async function finishSigning(
  backend: DnsBackend,
  write: ZoneWrite,
  zone: Pick<BackendZone, 'id' | 'name'>,
  {
    author,
    pendingSigning: { action, detail, movesSerial, kept: restored },
    outcome,
    extent,
  }: SigningEnd
): Promise<void> {
  const { session, trx, tally } = write
  const locked = await session.lockZones([zone.id])
  const current = locked.get(zone.id)
  if (current?.name !== zone.name || (await session.isMissingOnServer?.(current))) {
    throw new ZoneGone('The zone is gone')
  }
  const row = await ensureZoneRow(trx, current, tally)
  const { follows, unfinished } = extent
  const isAsked = follows !== 'none'
  const serials = await moveSerial(write, current, row, { isOwnChange: movesSerial, isAsked })
  const isRestored = isAsked && (await restoreMetadata(write, current, restored))
  if (follows === 'all') {
    await session.rectify(current)
  }
  const entry = movesSerial
    ? await writeEntry(trx, author, current, row, {
        changes: [],
        ...serials,
        zoneBefore: null,
        zoneAfter: null,
      })
    : undefined
  await enqueue(trx, backend.afterWrite(current, current, isRestored))
  await record(trx, author.actor, {
    action,
    object: { kind: 'zone', id: current.id, name: current.name },
    ...(outcome.isLost ? { outcome: 'failed' as const } : {}),
    detail: { ...detail, ...outcome.known, entry, ...(unfinished === null ? {} : { unfinished }) },
  })
}

/** Adopts the serial that the server changed, or changes it if allowed. Replicas have the serial of their primary. */
async function moveSerial(
  { session, trx }: ZoneWrite,
  zone: BackendZone,
  row: ZoneRow,
  { isOwnChange, isAsked }: { isOwnChange: boolean; isAsked: boolean }
): Promise<SerialStep> {
  const changes = await session.takeExternalChanges(zone, [zone.name])
  const moved = changes.find(
    ({ name, type, before, after }) =>
      isOwnChange &&
      type === 'SOA' &&
      name === zone.name &&
      before &&
      after &&
      sameState(before, after)
  )
  const others = changes.filter((change) => change !== moved)
  const sets = await session.rrsetsAt(zone, [zone.name])
  const soa = sets.find(({ type }) => type === 'SOA')
  const serial = serialOfSet(soa)
  if (others.length > 0) {
    const author = { actor: externalActor(), reason: null, origin: null }
    const unmoved = { serialBefore: serial, serialAfter: serial, zoneBefore: null, zoneAfter: null }
    await writeEntry(trx, author, zone, row, { changes: others, ...unmoved })
  }
  if (moved) {
    return { serialBefore: serialOfSet(moved.before), serialAfter: serial }
  }
  if (!isOwnChange || !isAsked || !soa || serial === null || REPLICAS.has(zone.kind)) {
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
