import { isDeepStrictEqual } from 'node:util'
import type { BackendZone, DnsBackend, PropertyChange } from '#backends/contract/backend'
import { WritesPending } from '#backends/contract/errors'
import type { UnconfirmedStep, UnconfirmedWrite } from '#backends/contract/pending_writes'
import type { ZoneProperties } from '#changes/model/zone_properties'
import { writeEntry } from '#changes/journal/write_entry'
import type { Author } from '#changes/model/intent'
import { JournalReader } from '#changes/journal/reader'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { confirmRequest } from '#changes/requests/confirm'
import { failRequestsOf } from '#changes/requests/zone_gone'
import { settleRepeat } from '#changes/idempotency/requests'
import { isTelling, stepsVisibleIn, namesIn } from '#changes/recovery/verify_steps'
import {
  authorOfIntended,
  authorOfZone,
  hasSideEffects,
  recoverableEffects,
  renumbered,
  repeatOfIntended,
  storeEffects,
  type EffectContext,
} from '#changes/transaction/pending_effects'
import type { JournalState, SideEffects, ZoneEffects } from '#changes/model/side_effects'
import { putInTrash } from '#changes/journal/trash'
import {
  ensureZoneRow,
  removeZoneRow,
  updateZoneRow,
  type ZoneRow,
} from '#changes/zone_index/zone_rows'
import type { ZoneState } from '#changes/journal/zone_state'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { diffRRsets } from '#dns/diff'
import { isSerialOnly } from '#dns/outcome'
import { hasCommentChanges, withCommentChanges } from '#dns/record_comments'
import { serialOfSet } from '#dns/rdata/soa'
import type { RRset, RRsetChange } from '#dns/types'

/** A zone of a pending write, with the steps that are visible on the name server. */
interface FoundZone {
  zone: BackendZone
  row: ZoneRow
  visible: UnconfirmedStep[]
  /** Absent unless all steps were applied. */
  effects?: ZoneEffects
}

/**
 * Stores journal entries and side effects of a pending write, zone by zone, as far as the name
 * server has applied it. Throws `WritesPending` for an incomplete write whose process may still
 * work on it.
 */
export async function recordOutcome(
  backend: DnsBackend,
  write: ZoneWrite,
  { steps, author: stored, effects }: UnconfirmedWrite,
  mayBeAtWork: boolean
): Promise<void> {
  const { session, trx, tally } = write
  const author = authorOfIntended(stored)
  const ids = [...new Set(steps.map(({ zoneId }) => zoneId))]
  const zoneEffects = (effects ?? []) as ZoneEffects[]
  const others = withoutSteps(zoneEffects, steps)
  const named = [...ids, ...others.map(({ zoneId }) => zoneId)]
  const locked = await session.lockZones([...new Set(named)])
  let isWhole = !steps.some(isUndone)
  for (const id of ids) {
    const zone = locked.get(id)
    const asked = steps.filter((step) => step.zoneId === id)
    if (zone?.name !== asked[0].zoneName || !zone) {
      isWhole = false
      continue
    }
    const wanted = asked.filter(isTelling)
    const visible = await stepsVisibleIn(session, zone, wanted)
    const isApplied = isDeepStrictEqual(visible, wanted)
    if (!isApplied) {
      if (mayBeAtWork) {
        throw new WritesPending([id])
      }
      isWhole = false
    }
    if (visible.length > 0) {
      const all = zoneEffects.find(({ zoneId }) => zoneId === id)
      const row = await ensureZoneRow(trx, zone, tally)
      const isAll = isApplied && !asked.some(isUndone)
      const found = { zone, row, visible, ...(isAll ? { effects: all } : {}) }
      await (visible.some(({ kind }) => kind === 'delete')
        ? recordDeletion(write, found, author)
        : recordChange(backend, write, found, authorOfZone(author, all)))
    }
  }
  if (isWhole) {
    await recoverOthers(write, others, locked, author)
    if (author.origin?.kind === 'request' && steps.some(isTelling)) {
      await confirmRequest(trx, author.actor, Number(author.origin.id))
    }
  }
  // If no zone shows the write, it may still have been applied: its key is settled, so that no
  // repeat applies it twice.
  const repeatId = repeatOfIntended(stored)
  if (repeatId !== null) {
    await settleRepeat(trx, repeatId, isWhole)
  }
}

function isUndone({ kind }: UnconfirmedStep): boolean {
  return kind === 'undone'
}

/** Side effects of zones without a step that is visible on the name server. */
function withoutSteps(all: ZoneEffects[], steps: UnconfirmedStep[]): ZoneEffects[] {
  const telling = new Set(steps.filter(isTelling).map(({ zoneName }) => zoneName))
  return all.filter((effects) => hasSideEffects(effects) && !telling.has(effects.zoneName))
}

/** Stores them if the write was applied completely; changed comments get a journal entry. */
async function recoverOthers(
  write: ZoneWrite,
  others: ZoneEffects[],
  locked: Map<number, BackendZone>,
  author: Author
): Promise<void> {
  const { session, trx, tally } = write
  for (const stored of others) {
    const { zoneId, zoneName } = stored
    const zone = locked.get(zoneId)
    if (zone?.name !== zoneName || !zone) {
      continue
    }
    const row = await ensureZoneRow(trx, zone, tally)
    const context = { trx, actor: author.actor, zone, row }
    const { changes, effects } = await recoverable(write, context, [], stored)
    const { template, comments } = effects
    if (changes.length === 0) {
      await storeEffects(context, { template, comments })
      continue
    }
    const serial = serialIn(await session.rrsetsAt(zone, [zone.name]))
    const { zoneBefore, zoneAfter } = stored.journal
    const entry = await writeEntry(trx, authorOfZone(author, stored), zone, row, {
      changes,
      serialBefore: serial,
      serialAfter: serial,
      zoneBefore,
      zoneAfter,
    })
    await storeEffects(context, numbered(effects, entry))
  }
}

async function recordChange(
  backend: DnsBackend,
  write: ZoneWrite,
  { zone, row, visible, effects: intended }: FoundZone,
  author: Author
): Promise<void> {
  const { session, trx, tally } = write
  const names = [...new Set([...visible.flatMap(namesIn), zone.name])]
  const hadSnapshot = await session.hasPropertiesSnapshot(zone)
  const found = await session.takeExternalChanges(zone, names)
  const moved = found.filter((change) => !isSerialOnly(change))
  const withMetadata = visible.some(({ kind }) => kind === 'metadata')
  const isOfProperties = withMetadata || visible.some(({ kind }) => kind === 'properties')
  const planned = intended?.journal ?? propertiesOf(visible)
  const { zoneBefore, zoneAfter } = isOfProperties
    ? propertiesSince(
        planned,
        await session.takeExternalPropertyChanges(zone, { withMetadata }),
        hadSnapshot
      )
    : planned
  // If the records are in an entry of external changes already, the comments get an entry of their
  // own.
  const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
  const usual: SideEffects = {
    template: null,
    comments: [],
    auditEvents: [{ action: 'zone.changed', object, detail: { entry: 0 } }],
    outbox: backend.afterWrite(zone, zone, zoneAfter !== null),
  }
  const context = { trx, actor: author.actor, zone, row }
  const { changes, effects } = await recoverable(write, context, moved, intended ?? usual)
  if (changes.length === 0 && zoneAfter === null) {
    await storeEffects(context, numbered(effects, await entryWith(trx, row, visible)))
    return
  }
  const soa = found.find(({ name, type }) => type === 'SOA' && name === zone.name)
  const serialAfter = serialIn(await session.rrsetsAt(zone, [zone.name]))
  const entry = await writeEntry(trx, author, zone, row, {
    changes,
    serialBefore: soa ? serialOfSet(soa.before) : serialAfter,
    serialAfter,
    zoneBefore,
    zoneAfter,
  })
  await updateZoneRow({ trx, tally }, zone, (zoneAfter ?? {}) as ZoneProperties)
  await storeEffects(context, numbered(effects, entry))
}

/** Number of the entry that contains the steps as external changes. */
async function entryWith(
  trx: ZoneWrite['trx'],
  { uid, last_entry: last }: ZoneRow,
  visible: UnconfirmedStep[]
): Promise<number> {
  const sets = visible.flatMap((step) => (step.kind === 'records' ? step.changes : []))
  const names = [...new Set(sets.map(({ name }) => name))]
  const touches = await new JournalReader(uid, trx).lastTouches(0, names)
  const found = sets
    .filter(({ type }) => type !== 'SOA')
    .map(({ name, type }) => touches.get(`${name} ${type}`) ?? 0)
  return found.reduce((newest, entry) => Math.max(newest, entry), 0) || last
}

/**
 * The changes of a zone, and its side effects that are still valid. Comments on a deleted RRset are
 * in neither: the journal has every stored comment.
 */
async function recoverable(
  { session }: ZoneWrite,
  context: EffectContext,
  moved: RRsetChange[],
  { template, comments, auditEvents, outbox }: SideEffects
): Promise<{ changes: RRsetChange[]; effects: SideEffects }> {
  const valid = await recoverableEffects(context, { template, comments, auditEvents, outbox })
  const names = [...new Set(valid.comments.map(({ name }) => name))]
  const changes = withCommentChanges(
    moved,
    valid.comments,
    await session.rrsetsAt(context.zone, names)
  )
  return { changes, effects: { ...valid, comments: changes.filter(hasCommentChanges) } }
}

/** Side effects whose audit events name the new journal entry. */
function numbered<E extends Pick<SideEffects, 'auditEvents'>>(effects: E, entry: number): E {
  return { ...effects, auditEvents: renumbered(effects.auditEvents, entry) }
}

/** Uses the snapshot of the deleted zone, which the same write had updated. */
async function recordDeletion(
  { session, trx, tally }: ZoneWrite,
  { zone, row, effects }: FoundZone,
  author: Author
): Promise<void> {
  if (!effects) {
    return
  }
  // The server has no metadata of a deleted zone.
  await recordExternalChanges({ session, trx, tally }, zone, row, undefined, false)
  const rrsets = await session.allRRsets(zone)
  const { zoneBefore, keys = null } = effects.journal
  const entry = await writeEntry(trx, author, zone, row, {
    changes: diffRRsets(rrsets, []),
    serialBefore: serialIn(rrsets),
    serialAfter: null,
    zoneBefore,
    zoneAfter: null,
  })
  const state = zoneBefore as ZoneState | null
  const owners = state?.owners ?? { users: [], groups: [] }
  await putInTrash(trx, zone, row, author.actor, { owners, keys })
  const request = author.origin?.kind === 'request' ? Number(author.origin.id) : null
  await failRequestsOf(trx, author.actor, row, request)
  await session.deleteZone(zone)
  await removeZoneRow(trx, zone.id, tally)
  const { auditEvents, outbox } = numbered(effects, entry)
  await storeEffects({ trx, actor: author.actor }, { auditEvents, outbox })
}

/** The properties that the steps changed. */
function propertiesOf(steps: UnconfirmedStep[]): JournalState {
  const [before, after]: ZoneProperties[] = [{}, {}]
  for (const step of steps) {
    if (step.kind === 'properties') {
      Object.assign(before, step.before)
      Object.assign(after, step.after)
    } else if (step.kind === 'metadata') {
      before.metadata = step.before
      after.metadata = step.after
    }
  }
  return Object.keys(after).length > 0
    ? { zoneBefore: before, zoneAfter: after }
    : { zoneBefore: null, zoneAfter: null }
}

/** Properties that other programs change, too. */
const SNAPSHOT_PROPERTIES = ['kind', 'masters', 'account']

/**
 * Kind, primaries and account as changed since the snapshot. Changes before the snapshot have an
 * entry already.
 */
function propertiesSince(
  stored: JournalState,
  moved: PropertyChange | null,
  hadSnapshot: boolean
): JournalState {
  const inSnapshot = hadSnapshot ? SNAPSHOT_PROPERTIES : []
  const side = (state: object | null, patch?: PropertyChange['after']) => {
    const others = Object.entries(state ?? {}).filter(([key]) => !inSnapshot.includes(key))
    const all = { ...Object.fromEntries(others), ...patch }
    return Object.keys(all).length > 0 ? all : null
  }
  return {
    zoneBefore: side(stored.zoneBefore, moved?.before),
    zoneAfter: side(stored.zoneAfter, moved?.after),
  }
}

function serialIn(rrsets: RRset[]): number | null {
  return serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
}
