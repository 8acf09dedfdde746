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
import { isVerifiable, findVisibleSteps, namesIn } from '#changes/recovery/verify_steps'
import {
  authorFromStored,
  authorOfZone,
  hasSideEffects,
  recoverableEffects,
  withEntryNumber,
  repeatIdOfAuthor,
  storeEffects,
  type EffectContext,
} from '#changes/transaction/effect_handlers'
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
interface RecoveredZone {
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
  mayBeRunning: boolean
): Promise<void> {
  const { session, trx, countChange } = write
  const author = authorFromStored(stored)
  const ids = [...new Set(steps.map(({ zoneId }) => zoneId))]
  const zoneEffects = (effects ?? []) as ZoneEffects[]
  const otherEffects = effectsWithoutSteps(zoneEffects, steps)
  const named = [...ids, ...otherEffects.map(({ zoneId }) => zoneId)]
  const locked = await session.lockZones([...new Set(named)])
  let isComplete = !steps.some(isUndone)
  for (const id of ids) {
    const zone = locked.get(id)
    const zoneSteps = steps.filter((step) => step.zoneId === id)
    if (zone?.name !== zoneSteps[0].zoneName || !zone) {
      isComplete = false
      continue
    }
    const verifiableSteps = zoneSteps.filter(isVerifiable)
    const visible = await findVisibleSteps(session, zone, verifiableSteps)
    const isApplied = isDeepStrictEqual(visible, verifiableSteps)
    if (!isApplied) {
      if (mayBeRunning) {
        throw new WritesPending([id])
      }
      isComplete = false
    }
    if (visible.length > 0) {
      const all = zoneEffects.find(({ zoneId }) => zoneId === id)
      const row = await ensureZoneRow(trx, zone, countChange)
      const isFullyApplied = isApplied && !zoneSteps.some(isUndone)
      const found = { zone, row, visible, ...(isFullyApplied ? { effects: all } : {}) }
      await (visible.some(({ kind }) => kind === 'delete')
        ? recordDeletion(write, found, author)
        : recordChange(backend, write, found, authorOfZone(author, all)))
    }
  }
  if (isComplete) {
    await recoverOtherEffects(write, otherEffects, locked, author)
    if (author.origin?.kind === 'request' && steps.some(isVerifiable)) {
      await confirmRequest(trx, author.actor, Number(author.origin.id))
    }
  }
  // If no zone shows the write, it may still have been applied: its key is settled, so that no
  // repeat applies it twice.
  const repeatId = repeatIdOfAuthor(stored)
  if (repeatId !== null) {
    await settleRepeat(trx, repeatId, isComplete)
  }
}

function isUndone({ kind }: UnconfirmedStep): boolean {
  return kind === 'undone'
}

/** Side effects of zones without a step that is visible on the name server. */
function effectsWithoutSteps(all: ZoneEffects[], steps: UnconfirmedStep[]): ZoneEffects[] {
  const namesWithSteps = new Set(steps.filter(isVerifiable).map(({ zoneName }) => zoneName))
  return all.filter((effects) => hasSideEffects(effects) && !namesWithSteps.has(effects.zoneName))
}

/** Stores them if the write was applied completely; changed comments get a journal entry. */
async function recoverOtherEffects(
  write: ZoneWrite,
  otherEffects: ZoneEffects[],
  locked: Map<number, BackendZone>,
  author: Author
): Promise<void> {
  const { session, trx, countChange } = write
  for (const stored of otherEffects) {
    const { zoneId, zoneName } = stored
    const zone = locked.get(zoneId)
    if (zone?.name !== zoneName || !zone) {
      continue
    }
    const row = await ensureZoneRow(trx, zone, countChange)
    const context = { trx, actor: author.actor, zone, row }
    const { changes, effects } = await recoverableParts(write, context, [], stored)
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
    await storeEffects(context, effectsWithEntryNumber(effects, entry))
  }
}

async function recordChange(
  backend: DnsBackend,
  write: ZoneWrite,
  { zone, row, visible, effects: storedEffects }: RecoveredZone,
  author: Author
): Promise<void> {
  const { session, trx, countChange } = write
  const names = [...new Set([...visible.flatMap(namesIn), zone.name])]
  const hadSnapshot = await session.hasPropertiesSnapshot(zone)
  const found = await session.takeExternalChanges(zone, names)
  const propertyChange = found.filter((change) => !isSerialOnly(change))
  const withMetadata = visible.some(({ kind }) => kind === 'metadata')
  const changesProperties = withMetadata || visible.some(({ kind }) => kind === 'properties')
  const planned = storedEffects?.journal ?? propertiesOf(visible)
  const { zoneBefore, zoneAfter } = changesProperties
    ? propertiesSince(
        planned,
        await session.takeExternalPropertyChanges(zone, { withMetadata }),
        hadSnapshot
      )
    : planned
  // If the records are in an entry of external changes already, the comments get an entry of their
  // own.
  const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
  const defaultEffects: SideEffects = {
    template: null,
    comments: [],
    auditEvents: [{ action: 'zone.changed', object, detail: { entry: 0 } }],
    outbox: backend.afterWrite(zone, zone, zoneAfter !== null),
  }
  const context = { trx, actor: author.actor, zone, row }
  const { changes, effects } = await recoverableParts(
    write,
    context,
    propertyChange,
    storedEffects ?? defaultEffects
  )
  if (changes.length === 0 && zoneAfter === null) {
    await storeEffects(
      context,
      effectsWithEntryNumber(effects, await findEntryWithSteps(trx, row, visible))
    )
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
  await updateZoneRow({ trx, countChange: countChange }, zone, (zoneAfter ?? {}) as ZoneProperties)
  await storeEffects(context, effectsWithEntryNumber(effects, entry))
}

/** Number of the entry that contains the steps as external changes. */
async function findEntryWithSteps(
  trx: ZoneWrite['trx'],
  { uid, last_entry: last }: ZoneRow,
  visible: UnconfirmedStep[]
): Promise<number> {
  const sets = visible.flatMap((step) => (step.kind === 'records' ? step.changes : []))
  const names = [...new Set(sets.map(({ name }) => name))]
  const lastEntries = await new JournalReader(uid, trx).lastChangesOf(0, names)
  const found = sets
    .filter(({ type }) => type !== 'SOA')
    .map(({ name, type }) => lastEntries.get(`${name} ${type}`) ?? 0)
  return found.reduce((newest, entry) => Math.max(newest, entry), 0) || last
}

/**
 * The changes of a zone, and its side effects that are still valid. Comments on a deleted RRset are
 * in neither: the journal has every stored comment.
 */
async function recoverableParts(
  { session }: ZoneWrite,
  context: EffectContext,
  propertyChange: RRsetChange[],
  { template, comments, auditEvents, outbox }: SideEffects
): Promise<{ changes: RRsetChange[]; effects: SideEffects }> {
  const valid = await recoverableEffects(context, { template, comments, auditEvents, outbox })
  const names = [...new Set(valid.comments.map(({ name }) => name))]
  const changes = withCommentChanges(
    propertyChange,
    valid.comments,
    await session.rrsetsAt(context.zone, names)
  )
  return { changes, effects: { ...valid, comments: changes.filter(hasCommentChanges) } }
}

/** Side effects whose audit events name the new journal entry. */
function effectsWithEntryNumber<E extends Pick<SideEffects, 'auditEvents'>>(
  effects: E,
  entry: number
): E {
  return { ...effects, auditEvents: withEntryNumber(effects.auditEvents, entry) }
}

/** Uses the snapshot of the deleted zone, which the same write had updated. */
async function recordDeletion(
  { session, trx, countChange }: ZoneWrite,
  { zone, row, effects }: RecoveredZone,
  author: Author
): Promise<void> {
  if (!effects) {
    return
  }
  // The server has no metadata of a deleted zone.
  await recordExternalChanges(
    { session, trx, countChange: countChange },
    zone,
    row,
    undefined,
    false
  )
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
  await removeZoneRow(trx, zone.id, countChange)
  const { auditEvents, outbox } = effectsWithEntryNumber(effects, entry)
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
  propertyChange: PropertyChange | null,
  hadSnapshot: boolean
): JournalState {
  const inSnapshot = hadSnapshot ? SNAPSHOT_PROPERTIES : []
  const stateWith = (state: object | null, patch?: PropertyChange['after']) => {
    const otherEffects = Object.entries(state ?? {}).filter(([key]) => !inSnapshot.includes(key))
    const all = { ...Object.fromEntries(otherEffects), ...patch }
    return Object.keys(all).length > 0 ? all : null
  }
  return {
    zoneBefore: stateWith(stored.zoneBefore, propertyChange?.before),
    zoneAfter: stateWith(stored.zoneAfter, propertyChange?.after),
  }
}

function serialIn(rrsets: RRset[]): number | null {
  return serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
}
