import type { Random } from '#tests/support/random'
import { type Answer, type ApiCalls, dataOf, isSuccess } from '#tests/support/faults/api_calls'
import { entriesOf, recordRowsOf, type RecordRow } from '#tests/support/faults/zone_history'

/** A zone that is written to, with its initial records. */
export interface LoadedZone {
  id: number
  name: string
  seeded: RecordRow[]
}

/** A record whose content is unique in the run. */
export interface WorkItem {
  /** Relative to the zone. */
  name: string
  type: string
  content: string
}

/** One write with its response. */
export interface Write {
  op: 'create' | 'update' | 'delete'
  zone: LoadedZone
  /** Record that is changed or deleted; null for a create. */
  target: RecordRow | null
  /** Record after the write. A delete only uses the name. */
  input: WorkItem | null
  /** Sent as the reason. The journal stores it. */
  label: string
  /** The `Idempotency-Key`; null without one. */
  repeatKey: string | null
  /** null until the response arrives. */
  answer: Answer | null
}

/** Names that nest, share RRsets, and are at or below a delegation. */
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

/** Number of initial records of a loaded zone, each with its own entry. */
export const SEEDED = 30

/** Generates unique records. */
export class Workload {
  #count = 0

  next(random: Random): WorkItem {
    const [name, type] = random.pick(OWNERS)
    return { name, type, content: this.#content(type) }
  }

  /** Returns a unique word. */
  label(): string {
    return `write-${(this.#count += 1)}`
  }

  /** Returns a unique content of the type. */
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

/** Creates zones with records to change and to delete. */
export async function loadZones(
  api: ApiCalls,
  names: string[],
  random: Random,
  workload: Workload
): Promise<LoadedZone[]> {
  const zones: LoadedZone[] = []
  for (const name of names) {
    const id: number = dataOf(await api.post('/zones', { name })).zone_id
    for (let i = 0; i < SEEDED; i += 1) {
      dataOf(await api.post(`/zones/${id}/records`, { ...workload.next(random), ttl: 300 }))
    }
    const rows = await recordRowsOf(id)
    zones.push({ id, name, seeded: rows.filter(({ type }) => type !== 'SOA') })
  }
  return zones
}

/** Plans writes of all kinds in random order. Several writes change the same record. */
export function planWrites(
  random: Random,
  workload: Workload,
  zones: LoadedZone[],
  total: number
): Write[] {
  return Array.from({ length: total }, () => {
    const zone = random.pick(zones)
    const about = { zone, label: workload.label(), repeatKey: null, answer: null }
    if (random.chance(0.5)) {
      return { op: 'create', target: null, input: workload.next(random), ...about }
    }
    const target = random.pick(zone.seeded)
    if (random.chance(0.4)) {
      return { op: 'delete', target, input: null, ...about }
    }
    const { type } = target
    const name = target.name.slice(0, -zone.name.length - 1)
    return { op: 'update', target, input: { name, type, content: workload.like(type) }, ...about }
  })
}

/** Sends a write, and stores its response in the write. */
export async function send(api: ApiCalls, write: Write): Promise<void> {
  const { op, zone, target, input, label, repeatKey } = write
  const path = `/zones/${zone.id}/records`
  const headers = {
    'x-change-reason': label,
    ...(repeatKey === null ? {} : { 'idempotency-key': repeatKey }),
  }
  if (op === 'create') {
    write.answer = await api.post(path, { ...input, ttl: 300 }, headers)
  } else if (op === 'update') {
    write.answer = await api.put(`${path}/${target!.id}`, { content: input!.content }, headers)
  } else {
    write.answer = await api.delete(`${path}/${target!.id}`, headers)
  }
}

/** Returns true if the sender received a success. */
export const isDone = ({ answer }: Write) => answer !== null && isSuccess(answer)
/** Returns true if the sender received no status. The write may have been applied or not. */
export const isOpen = ({ answer }: Write) => answer === null || answer.status === null

/** Returns responses that no write may get: neither success nor "not found". */
export function unexpectedResponses(writes: Write[]): string[] {
  return writes
    .filter((write) => !isOpen(write) && !isDone(write) && write.answer?.status !== 404)
    .map(({ op, answer }) => `${op}: ${answer?.status} ${answer?.text}`)
}

/** Returns successful writes without a journal entry, and refused writes with one. */
export async function faultsOfWrites(zone: LoadedZone, all: Write[]): Promise<string[]> {
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
    const { op, input, answer } = write
    const description = `${op} of ${JSON.stringify(input ?? write.target)} (${answer?.status})`
    const isWritten = input !== null && written.has(input.content)
    if (isDone(write) && input && !isWritten) problems.push(`${description} is not in the journal`)
    if (!isDone(write) && !isOpen(write) && isWritten) problems.push(`${description} was done`)
    if (op === 'create' && input && isWritten !== contents.has(input.content)) {
      problems.push(`${description}: in the journal ${isWritten}, in the table ${!isWritten}`)
    }
    if (op === 'create' && isDone(write)) {
      const id = answer!.text === '' ? null : JSON.parse(answer!.text).data.record.id
      if (id !== null && rows.get(id)?.content !== input!.content) {
        problems.push(`${description}: record ${id} is ${JSON.stringify(rows.get(id))}`)
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

/** Returns the fault of a record's final state, given all writes on the record. */
function endOf(target: RecordRow, writes: Write[], now: string | null): string | null {
  const possible = writes.filter((write) => isDone(write) || isOpen(write))
  const ends = possible.map(({ input }) => input?.content ?? null)
  // No write follows a deletion, because a deleted record cannot be changed.
  const isGone = possible.some((write) => write.op === 'delete' && isDone(write))
  const allowed = isGone ? [null] : [...ends, ...(possible.some(isDone) ? [] : [target.content])]
  return allowed.includes(now)
    ? null
    : `record ${target.id} (${target.content}) is ${now}, allowed: ${allowed.join(', ')}`
}
