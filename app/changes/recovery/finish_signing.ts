import { outsider } from '#access/actor'
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

/** What is known of a change of signing before the name server is asked. No secrets: it is stored as it is. */
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
  /** `isLost`: nobody knows whether it was done; `known`: what is known only afterwards. */
  outcome: { isLost: boolean; known: Detail }
  extent: Extent
}

/** How much of what follows is asked of the name server, and why it is not all: its own words. */
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
 * Lets what follows be written (`finishSigning`), with less of it each time the name server refuses it: what became of the keys
 * is told in any case. Answers its words where it refused something, and null otherwise.
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
 * Writes what follows once the name server was asked to change how a zone is signed, see `changeSigning`. Throws
 * `ZoneGone` where the zone is.
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
  if (current?.name !== zone.name || (await session.isGone?.(current))) {
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

/**
 * Takes over the serial that the server has moved, or moves it, where it may be asked to; where the change moves none, others
 * did. Replicas keep the serial of their primary.
 */
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
    const author = { actor: outsider(), reason: null, origin: null }
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
