import { isDeepStrictEqual } from 'node:util'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import type { BackendZone, DnsBackend, FollowUp, PropertyChange } from '#backends/contract/backend'
import { WritesPending } from '#backends/contract/errors'
import type { UnconfirmedStep, UnconfirmedWrite } from '#backends/contract/pending_writes'
import type { KeptState } from '#changes/transaction/change_context'
import type { ZoneProperties } from '#changes/model/change_set'
import { writeEntry, type Author } from '#changes/journal/write_entry'
import { JournalReader } from '#changes/journal/reader'
import { enqueue } from '#changes/transaction/outbox'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { confirmRequest } from '#changes/requests/confirm'
import { failRequestsOf } from '#changes/requests/zone_gone'
import { keepBeside, keptLate, type ZoneSideEffects } from '#changes/planning/side_effects'
import { settleRepeat } from '#changes/idempotency/requests'
import { isTelling, stepsVisibleIn, namesIn } from '#changes/recovery/verify_steps'
import {
  authorOfIntended,
  authorTold,
  renumbered,
  repeatOfIntended,
  type PendingEffects,
} from '#changes/transaction/pending_effects'
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
import { isNoted, withNotes } from '#dns/record_comments'
import { serialOfSet } from '#dns/soa'
import type { RRset, RRsetChange } from '#dns/types'

/** A zone of a write that was cut off, and the steps of it that the name server shows. */
interface FoundZone {
  zone: BackendZone
  row: ZoneRow
  made: UnconfirmedStep[]
  /** What was to be told of it; absent where not all of it was made. */
  told?: PendingEffects
}

/**
 * Writes what own tables would have got with a write that was cut off, zone by zone, as far as the name server shows that it
 * was made. Throws `WritesPending` where not all is seen of a write that may be at work still.
 */
export async function recordOutcome(
  backend: DnsBackend,
  write: ZoneWrite,
  { steps, author: kept, told }: UnconfirmedWrite,
  mayBeAtWork: boolean
): Promise<void> {
  const { session, trx, tally } = write
  const author = authorOfIntended(kept)
  const ids = [...new Set(steps.map(({ zoneId }) => zoneId))]
  const others = besideOnly(told as PendingEffects[] | null, steps)
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
    const made = await stepsVisibleIn(session, zone, wanted)
    const isMade = isDeepStrictEqual(made, wanted)
    if (!isMade) {
      if (mayBeAtWork) {
        throw new WritesPending([id])
      }
      isWhole = false
    }
    if (made.length > 0) {
      const all = (told as PendingEffects[] | null)?.find(({ zoneId }) => zoneId === id)
      const row = await ensureZoneRow(trx, zone, tally)
      const isAll = isMade && !asked.some(isUndone)
      const found = { zone, row, made, ...(isAll ? { told: all } : {}) }
      await (made.some(({ kind }) => kind === 'delete')
        ? noteDeletion(write, found, author)
        : noteChange(backend, write, found, authorTold(author, all)))
    }
  }
  if (isWhole) {
    await keepOthers(write, others, locked, author)
    if (author.origin?.kind === 'request' && steps.some(isTelling)) {
      await confirmRequest(trx, author.actor, Number(author.origin.id))
    }
  }
  // Where the zones show nothing of it, it may have been made: its key says so rather than that it is made twice.
  const repeatId = repeatOfIntended(kept)
  if (repeatId !== null) {
    await settleRepeat(trx, repeatId, isWhole)
  }
}

function isUndone({ kind }: UnconfirmedStep): boolean {
  return kind === 'undone'
}

/** Zones that were to get something in own tables, and show nothing of the write themselves. */
function besideOnly(told: PendingEffects[] | null, steps: UnconfirmedStep[]): PendingEffects[] {
  const telling = new Set(steps.filter(isTelling).map(({ zoneName }) => zoneName))
  return (told ?? []).filter(({ zoneName, beside }) => beside && !telling.has(zoneName))
}

/** They get it with the rest, which is there as a whole; what is written about their records has its entry. */
async function keepOthers(
  write: ZoneWrite,
  others: PendingEffects[],
  locked: Map<number, BackendZone>,
  author: Author
): Promise<void> {
  const { session, trx, tally } = write
  for (const told of others) {
    const { zoneId, zoneName } = told
    const zone = locked.get(zoneId)
    if (zone?.name !== zoneName || !zone || !told.beside) {
      continue
    }
    const row = await ensureZoneRow(trx, zone, tally)
    const { changes, beside } = await withBesideLate(write, zone, row, [], told.beside)
    if (changes.length > 0) {
      const serial = serialIn(await session.rrsetsAt(zone, [zone.name]))
      const { zoneBefore, zoneAfter } = told.kept
      const entry = await writeEntry(trx, authorTold(author, told), zone, row, {
        changes,
        serialBefore: serial,
        serialAfter: serial,
        zoneBefore,
        zoneAfter,
      })
      await tell(trx, author, entry, told)
    }
    await keepBeside(trx, author.actor, zone, row, beside)
  }
}

async function noteChange(
  backend: DnsBackend,
  write: ZoneWrite,
  { zone, row, made, told }: FoundZone,
  author: Author
): Promise<void> {
  const { session, trx, tally } = write
  const names = [...new Set([...made.flatMap(namesIn), zone.name])]
  const wereNoted = await session.notesProperties(zone)
  const found = await session.takeExternalChanges(zone, names)
  const moved = found.filter((change) => !isSerialOnly(change))
  const withMetadata = made.some(({ kind }) => kind === 'metadata')
  const isOfProperties = withMetadata || made.some(({ kind }) => kind === 'properties')
  const kept = told?.kept ?? propertiesOf(made)
  const { zoneBefore, zoneAfter } = isOfProperties
    ? propertiesSince(kept, await session.takeOutsideProperties(zone, { withMetadata }), wereNoted)
    : kept
  // Where somebody looked before, the records stand in an entry already, and what is written about them gets one of its own.
  const { changes, beside } = await withBesideLate(write, zone, row, moved, told?.beside)
  const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
  const say = (entry: number) =>
    tell(trx, author, entry, {
      events: told?.events ?? [{ action: 'zone.changed', object, detail: { entry } }],
      follows: told?.follows ?? backend.afterWrite(zone, zone, zoneAfter !== null),
    })
  if (changes.length === 0 && zoneAfter === null) {
    await keepBeside(trx, author.actor, zone, row, beside)
    await say(await entryWith(trx, row, made))
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
  await keepBeside(trx, author.actor, zone, row, beside)
  await say(entry)
}

/** Number of the entry in which what was made stands already, as the work of others. */
async function entryWith(
  trx: ZoneWrite['trx'],
  { uid, last_entry: last }: ZoneRow,
  made: UnconfirmedStep[]
): Promise<number> {
  const sets = made.flatMap((step) => (step.kind === 'records' ? step.changes : []))
  const names = [...new Set(sets.map(({ name }) => name))]
  const touches = await new JournalReader(uid, trx).lastTouches(0, names)
  const found = sets
    .filter(({ type }) => type !== 'SOA')
    .map(({ name, type }) => touches.get(`${name} ${type}`) ?? 0)
  return found.reduce((newest, entry) => Math.max(newest, entry), 0) || last
}

/**
 * The changes of a zone, and what can still be kept beside them. What is written about an RRset that is gone by now is in neither:
 * the journal tells of all that is kept.
 */
async function withBesideLate(
  { session, trx }: ZoneWrite,
  zone: BackendZone,
  row: ZoneRow,
  moved: RRsetChange[],
  told: ZoneSideEffects = { template: null, notes: [] }
): Promise<{ changes: RRsetChange[]; beside: ZoneSideEffects }> {
  const { template, notes } = await keptLate(trx, zone, row, told)
  const noted = await session.rrsetsAt(zone, [...new Set(notes.map(({ name }) => name))])
  const changes = withNotes(moved, notes, noted)
  return { changes, beside: { template, notes: changes.filter(isNoted) } }
}

/** What is known of a zone that is gone is what it held when it was deleted: it was looked at for that very write. */
async function noteDeletion(
  { session, trx, tally }: ZoneWrite,
  { zone, row, told }: FoundZone,
  author: Author
): Promise<void> {
  if (!told) {
    return
  }
  // Of metadata it shows nothing any more.
  await recordExternalChanges({ session, trx, tally }, zone, row, undefined, false)
  const rrsets = await session.allRRsets(zone)
  const { zoneBefore, keys = null } = told.kept
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
  await tell(trx, author, entry, told)
}

/** Tells the audit log, and what has to follow. */
async function tell(
  trx: ZoneWrite['trx'],
  { actor }: Author,
  entry: number,
  { events, follows }: { events: AuditEvent[]; follows: FollowUp[] }
): Promise<void> {
  await record(trx, actor, renumbered(events, entry))
  await enqueue(trx, follows)
}

/** The properties that some steps changed. */
function propertiesOf(steps: UnconfirmedStep[]): KeptState {
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

/** Properties that others change, too. */
const SEEN_PROPERTIES = ['kind', 'masters', 'account']

/** Kind, primaries and account as they moved since the last look: what somebody saw meanwhile stands in an entry already. */
function propertiesSince(
  kept: KeptState,
  moved: PropertyChange | null,
  wereNoted: boolean
): KeptState {
  const seen = wereNoted ? SEEN_PROPERTIES : []
  const side = (state: object | null, patch?: PropertyChange['after']) => {
    const others = Object.entries(state ?? {}).filter(([key]) => !seen.includes(key))
    const all = { ...Object.fromEntries(others), ...patch }
    return Object.keys(all).length > 0 ? all : null
  }
  return {
    zoneBefore: side(kept.zoneBefore, moved?.before),
    zoneAfter: side(kept.zoneAfter, moved?.after),
  }
}

function serialIn(rrsets: RRset[]): number | null {
  return serialOfSet(rrsets.find(({ type }) => type === 'SOA'))
}
