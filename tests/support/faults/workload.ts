import type { Random } from '#tests/support/random'
import { type Answer, type ApiCalls, dataOf, isSuccess } from '#tests/support/faults/api_calls'
import { entriesOf, recordRowsOf, type RecordRow } from '#tests/support/faults/zone_history'

/** A zone that is written to, with the records it had before. */
export interface LoadedZone {
  id: number
  name: string
  seeded: RecordRow[]
}

/** A record of contents that nothing else in the run has. */
export interface WorkItem {
  /** Relative to the zone. */
  name: string
  type: string
  content: string
}

/** One write and what its sender knows of it. */
export interface Write {
  op: 'create' | 'update' | 'delete'
  zone: LoadedZone
  /** What is changed or deleted; null for a create. */
  target: RecordRow | null
  /** What shall be there; of a delete only the name counts. */
  wish: WorkItem | null
  /** Sent as its reason, by which the journal names it. */
  label: string
  /** Its `Idempotency-Key`, if it has one. */
  repeatKey: string | null
  /** null until it came. */
  answer: Answer | null
}

/** Names that nest, share RRsets, and lie at and below a delegation. */
const OWNERS: [name: string, type: string][] = [
  ['_acme-challenge', 'TXT'],
  ['_acme-challenge', 'TXT'],
  ['www', 'A'],
  ['www', 'TXT'],
  ['a.b.c', 'A'],
  ['x.a.b.c', 'TXT'],
  ['deep.er.tree', 'A'],
  ['*.wild', 'TXT'],
  ['cut', 'NS'],
  ['ns.cut', 'A'],
]

/** Records that a loaded zone begins with, each by an entry of its own. */
export const SEEDED = 30

/** Gives out records that are all different. */
export class Workload {
  #count = 0

  next(random: Random): WorkItem {
    const [name, type] = random.pick(OWNERS)
    return { name, type, content: this.#content(type) }
  }

  /** A word that nobody else has. */
  label(): string {
    return `write-${(this.#count += 1)}`
  }

  /** Contents of the type that nobody else has. */
  like(type: string): string {
    return this.#content(type)
  }

  #content(type: string): string {
    const n = (this.#count += 1)
    switch (type) {
      case 'A':
        return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
      case 'NS':
        return `ns${n}.elsewhere.example`
      default:
        return `"token-${n}"`
    }
  }
}

/** Makes zones with records to change and to delete. */
export async function loadZones(
  api: ApiCalls,
  names: string[],
  random: Random,
  wishes: Workload
): Promise<LoadedZone[]> {
  const zones: LoadedZone[] = []
  for (const name of names) {
    const id: number = dataOf(await api.post('/zones', { name })).zone_id
    for (let i = 0; i < SEEDED; i += 1) {
      dataOf(await api.post(`/zones/${id}/records`, { ...wishes.next(random), ttl: 300 }))
    }
    const rows = await recordRowsOf(id)
    zones.push({ id, name, seeded: rows.filter(({ type }) => type !== 'SOA') })
  }
  return zones
}

/** Writes of all kinds, in random order; some of the changed records are fought over. */
export function planWrites(
  random: Random,
  wishes: Workload,
  zones: LoadedZone[],
  total: number
): Write[] {
  return Array.from({ length: total }, () => {
    const zone = random.pick(zones)
    const about = { zone, label: wishes.label(), repeatKey: null, answer: null }
    if (random.chance(0.5)) {
      return { op: 'create', target: null, wish: wishes.next(random), ...about }
    }
    const target = random.pick(zone.seeded)
    if (random.chance(0.4)) {
      return { op: 'delete', target, wish: null, ...about }
    }
    const { type } = target
    const name = target.name.slice(0, -zone.name.length - 1)
    return { op: 'update', target, wish: { name, type, content: wishes.like(type) }, ...about }
  })
}

/** Sends a write, and notes the answer in it. */
export async function send(api: ApiCalls, write: Write): Promise<void> {
  const { op, zone, target, wish, label, repeatKey } = write
  const path = `/zones/${zone.id}/records`
  const headers = {
    'x-change-reason': label,
    ...(repeatKey === null ? {} : { 'idempotency-key': repeatKey }),
  }
  if (op === 'create') {
    write.answer = await api.post(path, { ...wish, ttl: 300 }, headers)
  } else if (op === 'update') {
    write.answer = await api.put(`${path}/${target!.id}`, { content: wish!.content }, headers)
  } else {
    write.answer = await api.delete(`${path}/${target!.id}`, headers)
  }
}

/** Whether the sender was told that it was done. */
export const isDone = ({ answer }: Write) => answer !== null && isSuccess(answer)
/** Whether the sender was told nothing: it may have been done, or not. */
export const isOpen = ({ answer }: Write) => answer === null || answer.status === null

/** Answers that no write may get: neither success nor "not there any more". */
export function strangeAnswers(writes: Write[]): string[] {
  return writes
    .filter((write) => !isOpen(write) && !isDone(write) && write.answer?.status !== 404)
    .map(({ op, answer }) => `${op}: ${answer?.status} ${answer?.text}`)
}

/** Writes that were answered with success and left no trace, and refused ones that left one. */
export async function brokenPromises(zone: LoadedZone, all: Write[]): Promise<string[]> {
  const writes = all.filter((write) => write.zone === zone)
  const stored = await recordRowsOf(zone.id)
  const rows = new Map(stored.map((row) => [row.id, row]))
  const contents = new Set([...rows.values()].map(({ content }) => content))
  const entries = await entriesOf(zone.id)
  const contentsOf = (side: 'before' | 'after') =>
    new Set(
      entries.flatMap(({ changes }) =>
        changes.flatMap((change) => change[side]?.records.map(({ content }) => content) ?? [])
      )
    )
  const written = contentsOf('after')
  const problems: string[] = []
  for (const write of writes) {
    const { op, wish, answer } = write
    const told = `${op} of ${JSON.stringify(wish ?? write.target)} (${answer?.status})`
    const isWritten = wish !== null && written.has(wish.content)
    if (isDone(write) && wish && !isWritten) problems.push(`${told} is not in the journal`)
    if (!isDone(write) && !isOpen(write) && isWritten) problems.push(`${told} was done`)
    if (op === 'create' && wish && isWritten !== contents.has(wish.content)) {
      problems.push(`${told}: in the journal ${isWritten}, in the table ${!isWritten}`)
    }
    if (op === 'create' && isDone(write)) {
      const id = answer!.text === '' ? null : JSON.parse(answer!.text).data.record.id
      if (id !== null && rows.get(id)?.content !== wish!.content) {
        problems.push(`${told}: record ${id} is ${JSON.stringify(rows.get(id))}`)
      }
    }
  }
  for (const target of zone.seeded) {
    const onIt = writes.filter((write) => write.target?.id === target.id)
    const now = rows.get(target.id)?.content ?? null
    const problem = endOf(target, onIt, now)
    if (problem) problems.push(problem)
  }
  return problems
}

/** What is wrong with how a record ended, given all writes on it. */
function endOf(target: RecordRow, writes: Write[], now: string | null): string | null {
  const possible = writes.filter((write) => isDone(write) || isOpen(write))
  const ends = possible.map(({ wish }) => wish?.content ?? null)
  // Nothing follows a deletion: a record that is gone cannot be changed.
  const isGone = possible.some((write) => write.op === 'delete' && isDone(write))
  const allowed = isGone ? [null] : [...ends, ...(possible.some(isDone) ? [] : [target.content])]
  return allowed.includes(now)
    ? null
    : `record ${target.id} (${target.content}) is ${now}, allowed: ${allowed.join(', ')}`
}
