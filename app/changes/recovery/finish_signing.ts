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
import { isSameState, withSerial } from '#changes/journal/net_changes'
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
  /** Metadata that the name server deletes with the change, and that are written again. */
  retained: Metadata
}

/** A finished change of signing: its author, what was requested, and the outcome. */
export interface FinishedSigning {
  author: Author
  pendingSigning: PendingSigning
  /** `isUnknown`: the outcome is unknown. `detail`: detail of the audit event that is known afterwards. */
  outcome: { isUnknown: boolean; detail: Detail }
  extent: ConsequenceExtent
}

/** How many of the consequences the name server accepts, and its message for the refused ones. */
export interface ConsequenceExtent {
  consequences: 'all' | 'unrectified' | 'none'
  refusal: string | null
}

/** Serials around a change. */
interface SerialChange {
  serialBefore: number | null
  serialAfter: number | null
}

const REPLICA_KINDS = new Set(['SLAVE', 'CONSUMER'])

/**
 * Writes the consequences (`finishSigning`), with fewer of them each time the name server refuses: the outcome of the keys is
 * recorded in any case. Returns the message of the refusal, or null.
 */
export async function finishWithFallback(
  finish: (extent: ConsequenceExtent) => Promise<unknown>
): Promise<string | null> {
  let refusal: string | null = null
  for (const consequences of ['all', 'unrectified'] as const) {
    try {
      await finish({ consequences, refusal })
      return refusal
    } catch (error) {
      if (!(error instanceof WriteRefused)) {
        throw error
      }
      refusal ??= error.message
    }
  }
  await finish({ consequences: 'none', refusal })
  return refusal
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
    pendingSigning: { action, detail, movesSerial, retained: restored },
    outcome,
    extent,
  }: FinishedSigning
): Promise<void> {
  const { session, trx, countChange } = write
  const locked = await session.lockZones([zone.id])
  const current = locked.get(zone.id)
  if (current?.name !== zone.name || (await session.isMissingOnServer?.(current))) {
    throw new ZoneGone('The zone was deleted')
  }
  const row = await ensureZoneRow(trx, current, countChange)
  const { consequences, refusal } = extent
  const mayWriteZone = consequences !== 'none'
  const serials = await updateSerial(write, current, row, {
    mustIncrease: movesSerial,
    mayWriteZone,
  })
  const isRestored = mayWriteZone && (await restoreMetadata(write, current, restored))
  if (consequences === 'all') {
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
    ...(outcome.isUnknown ? { outcome: 'failed' as const } : {}),
    detail: {
      ...detail,
      ...outcome.detail,
      entry,
      ...(refusal === null ? {} : { unfinished: refusal }),
    },
  })
}

/** Adopts the serial that the server changed, or changes it if allowed. Replicas have the serial of their primary. */
async function updateSerial(
  { session, trx }: ZoneWrite,
  zone: BackendZone,
  row: ZoneRow,
  { mustIncrease, mayWriteZone }: { mustIncrease: boolean; mayWriteZone: boolean }
): Promise<SerialChange> {
  const changes = await session.takeExternalChanges(zone, [zone.name])
  const serialChange = changes.find(
    ({ name, type, before, after }) =>
      mustIncrease &&
      type === 'SOA' &&
      name === zone.name &&
      before &&
      after &&
      isSameState(before, after)
  )
  const otherChanges = changes.filter((change) => change !== serialChange)
  const sets = await session.rrsetsAt(zone, [zone.name])
  const soa = sets.find(({ type }) => type === 'SOA')
  const serial = serialOfSet(soa)
  if (otherChanges.length > 0) {
    const author = { actor: externalActor(), reason: null, origin: null }
    const unchangedEntry = {
      serialBefore: serial,
      serialAfter: serial,
      zoneBefore: null,
      zoneAfter: null,
    }
    await writeEntry(trx, author, zone, row, { changes: otherChanges, ...unchangedEntry })
  }
  if (serialChange) {
    return { serialBefore: serialOfSet(serialChange.before), serialAfter: serial }
  }
  if (!mustIncrease || !mayWriteZone || !soa || serial === null || REPLICA_KINDS.has(zone.kind)) {
    return { serialBefore: serial, serialAfter: serial }
  }
  const serialAfter = nextSerial(serial, today())
  if (serialAfter !== serial) {
    const { name, type } = soa
    const after = withSerial(soa, serialAfter)
    await session.applyRRsets(zone, [{ name, type, before: soa, after }])
  }
  return { serialBefore: serial, serialAfter }
}
