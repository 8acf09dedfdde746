import { setTimeout as sleep } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { BackendManager } from '#backends/manager'
import { envelopeOf, type ApiCalls } from '#tests/support/faults/api_calls'
import {
  entriesExpected,
  isDone,
  isOpen,
  isRefused,
  sendMixed,
  type MixedWrite,
  type MixedWrites,
} from '#tests/support/faults/mixed_writes'
import type { LoadedZone } from '#tests/support/faults/workload'
import {
  changesRecords,
  contradictionsIn,
  entriesOf,
  type JournalEntry,
} from '#tests/support/faults/zone_history'
import type { Random } from '#tests/support/random'

const SENDERS = 6
/** The longest time in ms from the first request to the kill. */
const LONGEST_MS = 300
/** Longer than a request may run without a change (`MAX_RUN_MS`). */
const LONG_AGO = new Date(Date.now() - 60 * 60_000).toISOString()

/** Sends writes from several clients at once, and kills the server at a random time. Returns all sent writes. */
export async function writeUntilKilled(
  api: ApiCalls,
  kill: () => Promise<unknown>,
  zones: LoadedZone[],
  { random, mixed }: { random: Random; mixed: MixedWrites }
): Promise<MixedWrite[]> {
  const sent: MixedWrite[] = []
  let isOver = false
  const sender = async () => {
    while (!isOver) {
      const write = mixed.next(zones)
      sent.push(write)
      await sendMixed(api, write)
      isOver ||= isOpen(write)
    }
  }
  const sending = Array.from({ length: SENDERS }, sender)
  await sleep(random.next() * LONGEST_MS)
  await kill()
  isOver = true
  await Promise.all(sending)
  return sent
}

/** Repeats the unanswered writes that have an `Idempotency-Key`, as clients would. Returns the unexpected results. */
export async function repeatUnanswered(api: ApiCalls, writes: MixedWrite[]): Promise<string[]> {
  const problems: string[] = []
  for (const write of writes.filter((it) => isOpen(it) && it.repeatKey !== null)) {
    const report = (text: string) => problems.push(`${write.kind} ${write.label}: ${text}`)
    await sendMixed(api, write)
    if (messageOf(write).includes('still running')) {
      if ((await entriesNaming(write)) > 0) report('is said to run, and is done')
      // Backdates the interrupted request, because a test cannot wait for minutes.
      await db
        .from('zw_idempotency_keys')
        .where('state', 'running')
        .update({ created_at: LONG_AGO })
      await sendMixed(api, write)
    }
    if (!isDone(write) && !isAnswerLost(write) && !isRefused(write)) {
      report(`${write.answer?.status} ${write.answer?.text}`)
    }
    const found = await entriesNaming(write)
    if (!entriesAllowed(write).some((count) => count * write.zones.length === found)) {
      report(`${found} entries after ${write.answer?.status} ${write.answer?.text}`)
    }
  }
  return problems
}

/** Returns faults of the zones after a kill or a start: inside each zone, and compared with the responses. */
export async function damageOf(zones: LoadedZone[], writes: MixedWrite[]): Promise<string[]> {
  const problems: string[] = []
  const ids = new Set(zones.map(({ id }) => id))
  const named = await entriesByLabel(writes)
  for (const write of writes) {
    const entries = named.get(write.label) ?? []
    entries.forEach(({ zone_id: id }) => ids.add(Number(id)))
    problems.push(...faultsOfWrite(write, entries))
  }
  const byLabel = new Map(writes.map((write) => [write.label, write]))
  for (const id of ids) {
    problems.push(...(await damageIn(id, byLabel)))
  }
  return problems
}

/** Compares the rows of a zone with its journal and its outbox rows. */
async function damageIn(id: number, writes: ReadonlyMap<string, MixedWrite>): Promise<string[]> {
  const manager = await app.container.make(BackendManager)
  const backend = manager.use()
  const problems = await contradictionsIn(id)
  const entries = await entriesOf(id)
  problems.push(...entries.flatMap((entry) => lostComments(entry, writes)))
  const last = entries.at(-1)
  const isEnded = last !== undefined && last.zoneBefore !== null && last.zoneAfter === null
  const zone = await backend.findZone(id)
  if (!isEnded && (!zone || (await backend.hasExternalChanges(zone)))) {
    problems.push(`zone ${id}: own writes look like those of somebody else`)
  }
  const trashed = await db.from('zw_trash').where('zone_id', id)
  if (trashed.length !== (isEnded ? 1 : 0)) {
    problems.push(`zone ${id}: ${trashed.length} times in the trash`)
  }
  // The server cannot deliver outbox rows. Each entry of a served zone must have one outbox row that flushes its caches.
  const served = entries.filter(
    ({ changes, zoneBefore, zoneAfter }) => zoneBefore || zoneAfter || changes.some(changesRecords)
  )
  const flushes = await db.from('zw_outbox').where({ zone_id: id, kind: 'flush' }).select('id')
  if (flushes.length !== served.length) {
    problems.push(`zone ${id}: ${served.length} entries, ${flushes.length} events in the outbox`)
  }
  return problems
}

/** Returns faults of one write: a write must be in all of its zones or in none. */
function faultsOfWrite(write: MixedWrite, entries: LabelledEntry[]): string[] {
  const { kind, label, answer, zones } = write
  const perZone = zones.map(({ name }) => entries.filter((it) => it.zone_name === name).length)
  const isStored = entriesAllowed(write).some((count) => perZone.every((found) => found === count))
  const isElsewhere = perZone.reduce((sum, found) => sum + found, 0) < entries.length
  return isStored && !isElsewhere
    ? []
    : [`${kind} ${label} (${answer?.status}): ${perZone.join(' and ')} entries`]
}

interface LabelledEntry {
  zone_id: number
  zone_name: string
  reason: string
}

async function entriesByLabel(writes: MixedWrite[]): Promise<Map<string, LabelledEntry[]>> {
  const labels = writes.map(({ label }) => label)
  const rows: LabelledEntry[] = await db
    .from('zw_journal')
    .whereIn('reason', labels)
    .select('zone_id', 'zone_name', 'reason')
  return Map.groupBy(rows, ({ reason }) => reason)
}

/** Returns records of an entry that lack the comment of the write. */
function lostComments(
  { entry, reason, changes }: JournalEntry,
  writes: ReadonlyMap<string, MixedWrite>
): string[] {
  const write = writes.get(reason ?? '')
  if (!write) return []
  const comments = changes.flatMap((change) => change.comments)
  const found = comments.filter(({ after }) => after?.inline === write.label).length
  return found === write.comments
    ? []
    : [`entry ${entry} (${write.label}): ${found} of ${write.comments} comments`]
}

/** Returns how many entries each zone may have of a write, according to its response. */
function entriesAllowed(write: MixedWrite): number[] {
  if (isDone(write) || isAnswerLost(write)) {
    return entriesExpected(write)
  }
  return isOpen(write) ? [0, 1] : [0]
}

/** Returns true if the status of a success arrived without its body. */
function isAnswerLost(write: MixedWrite): boolean {
  return messageOf(write).includes('its response was lost')
}

function messageOf({ answer }: MixedWrite): string {
  return answer?.status === 409 ? envelopeOf(answer).message : ''
}

async function entriesNaming({ label }: MixedWrite): Promise<number> {
  const rows: unknown[] = await db.from('zw_journal').where('reason', label).select('entry')
  return rows.length
}
