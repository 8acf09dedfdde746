import { unique, zoneNamed } from '#tests/support/app/names'
import { type Answer, type ApiCalls, dataOf, isSuccess } from '#tests/support/faults/api_calls'
import { SEEDED, type LoadedZone, type Workload } from '#tests/support/faults/workload'
import type { Random } from '#tests/support/random'

/** Kinds of writes and their frequency. */
const KINDS = {
  create: 16,
  update: 12,
  delete: 8,
  bulk: 12,
  replace: 8,
  patch: 6,
  changes: 14,
  undo: 8,
  restore: 6,
  make: 5,
  end: 5,
} as const

export type Kind = keyof typeof KINDS

/** Frequent kinds. Even a slow server completes some of each in a hundred rounds. */
export const OFTEN = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind] >= 8)

/** A zone in an address. A zone that does not exist yet has only a name. */
interface NamedZone {
  id: number | null
  name: string
}

/** One write of any kind with its response. */
export interface MixedWrite {
  kind: Kind
  /** Each zone gets one entry, or none of them does. */
  zones: NamedZone[]
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** Number of records in each zone that get the label as their comment. */
  comments: number
  /** Sent as the reason. The journal stores it. */
  label: string
  /** The `Idempotency-Key`; null without one. */
  repeatKey: string | null
  /** null until the response arrives. */
  answer: Answer | null
}

/** Allowed error statuses, because other clients write the same data: 404 not found; 409 changed again. */
const REFUSALS: Partial<Record<Kind, number[]>> = { undo: [404, 409] }
const GONE = [404]

/** Undo and restore use entries up to this one. Zones start with this number of entries. */
const MAX_AGE_DAYS_BACK = 60

type Draft = Pick<MixedWrite, 'zones' | 'method' | 'path' | 'body'> & { comments?: number }

/** Generates writes of all kinds, on loaded zones and on zones that it creates and deletes. */
export class MixedWrites {
  /** Prefix of the labels, which are searched in the whole journal. */
  readonly #run = unique('kill')
  /** Created zones that no write deletes yet. */
  readonly #deletable: { id: number; name: string }[] = []
  #bag: Kind[] = []
  /** Kinds with at least one successful write. */
  readonly done = new Set<Kind>()

  constructor(
    private readonly random: Random,
    private readonly inputs: Workload
  ) {}

  /** Returns the next write on these zones. */
  next(zones: LoadedZone[]): MixedWrite {
    const kind = this.#kind()
    const label = `${this.#run}-${this.inputs.label()}`
    const draft = this.#draft(kind, zones, label)
    const repeatKey = this.random.chance(0.6) ? label : null
    return draft
      ? { kind, comments: 0, ...draft, label, repeatKey, answer: null }
      : this.next(zones)
  }

  /** Creates a zone for later deletion. */
  async prepare(api: ApiCalls): Promise<void> {
    const name = zoneNamed('kill')
    this.#deletable.push({ id: dataOf(await api.post('/zones', { name })).zone_id, name })
  }

  /** Reads the responses of writes: created zones can be deleted by later writes. */
  learn(writes: MixedWrite[]): void {
    for (const write of writes.filter(isDone)) {
      this.done.add(write.kind)
      const id = write.kind === 'make' && write.answer ? zoneIn(write.answer) : null
      if (id !== null) this.#deletable.push({ id, name: write.zones[0].name })
    }
  }

  /** Draws from a bag that contains each kind with its frequency, so that no kind is missing for long. */
  #kind(): Kind {
    if (this.#bag.length === 0) {
      this.#bag = (Object.keys(KINDS) as Kind[]).flatMap((kind) =>
        Array.from({ length: KINDS[kind] }, () => kind)
      )
    }
    const [kind] = this.#bag.splice(this.random.below(this.#bag.length), 1)
    return kind
  }

  /** Returns null if no zone fits the kind. */
  #draft(kind: Kind, zones: LoadedZone[], label: string): Draft | null {
    const { random, inputs } = this
    const zone = random.pick(zones)
    const records = `/zones/${zone.id}/records`
    const own = { zones: [zone] }
    const target = random.pick(zone.seeded)
    switch (kind) {
      case 'create':
        return { ...own, method: 'POST', path: records, body: this.#record() }
      case 'update': {
        const body = { content: inputs.like(target.type) }
        return { ...own, method: 'PUT', path: `${records}/${target.id}`, body }
      }
      case 'delete':
        return { ...own, method: 'DELETE', path: `${records}/${target.id}` }
      case 'bulk': {
        const operations: object[] = Array.from({ length: 3 }, () => ({
          action: 'create',
          ...this.#record(),
        }))
        if (random.chance(0.3)) operations.push({ action: 'delete', id: target.id })
        return { ...own, method: 'POST', path: `${records}/bulk`, body: { operations } }
      }
      case 'replace':
      case 'patch': {
        const method = kind === 'patch' ? 'PATCH' : 'PUT'
        return { ...own, method, path: `/zones/${zone.id}/rrsets`, body: this.#set() }
      }
      case 'changes': {
        const { name, type, ttl, records: items } = this.#set()
        const actions = zones.map((one, index) => ({
          op: index === 0 ? 'add' : 'set',
          name: `${name}.${one.name}`,
          type,
          ttl,
          records: items.map((item) => ({ ...item, comment: label })),
        }))
        const comments = items.length
        return { zones, method: 'POST', path: '/changes', body: { actions }, comments }
      }
      case 'undo': {
        const path = `/zones/${zone.id}/history/${2 + random.below(MAX_AGE_DAYS_BACK)}/undo`
        return { ...own, method: 'POST', path, body: { merge: random.chance(0.8) } }
      }
      case 'restore': {
        const [name, type] = [target.name, target.type]
        const part = random.chance(0.7) ? { name, type } : {}
        const body = { entry: SEEDED + 1, ...part }
        return { ...own, method: 'POST', path: `/zones/${zone.id}/restore`, body }
      }
      case 'make': {
        const name = zoneNamed('kill')
        return { zones: [{ id: null, name }], method: 'POST', path: '/zones', body: { name } }
      }
      case 'end': {
        const ended = this.#deletable.pop()
        return ended ? { zones: [ended], method: 'DELETE', path: `/zones/${ended.id}` } : null
      }
    }
  }

  #record() {
    return { ...this.inputs.next(this.random), ttl: 300 }
  }

  /** Builds an RRset of unique records. */
  #set() {
    const { content, ...about } = this.inputs.next(this.random)
    const more = Array.from({ length: this.random.below(3) }, () => this.inputs.like(about.type))
    return { ...about, ttl: 300, records: [content, ...more].map((one) => ({ content: one })) }
  }
}

/** Sends a write, and stores its response in the write. */
export async function sendMixed(api: ApiCalls, write: MixedWrite): Promise<void> {
  const { method, path, body, label, repeatKey } = write
  write.answer = await api.call(method, `/api/v2${path}`, body, {
    'x-change-reason': label,
    ...(repeatKey === null ? {} : { 'idempotency-key': repeatKey }),
  })
}

/** Returns true if the sender received a success. */
export const isDone = ({ answer }: MixedWrite) => answer !== null && isSuccess(answer)
/** Returns true if the sender received no status. The write may have been applied or not. */
export const isOpen = ({ answer }: MixedWrite) => answer === null || answer.status === null
/** Returns true if the sender received an allowed error status. */
export const isRefused = ({ kind, answer }: MixedWrite) =>
  (REFUSALS[kind] ?? GONE).includes(answer?.status ?? 0)

/** Returns responses that no write may get. */
export function unexpectedMixedResponses(writes: MixedWrite[]): string[] {
  return writes
    .filter((write) => !isOpen(write) && !isDone(write) && !isRefused(write))
    .map(({ kind, path, answer }) => `${kind} ${path}: ${answer?.status} ${answer?.text}`)
}

/**
 * Returns the allowed numbers of entries in each zone for a successful write. Undo and restore may find nothing to do; a
 * complete response says so.
 */
export function entriesExpected({ kind, answer }: MixedWrite): number[] {
  if (kind !== 'undo' && kind !== 'restore') {
    return [1]
  }
  try {
    return dataOf(answer!).change.zones[0].entry === null ? [0] : [1]
  } catch {
    return [0, 1]
  }
}

/** Returns the id of a created zone; null if the response was cut off. */
function zoneIn(answer: Answer): number | null {
  try {
    return dataOf(answer).zone_id
  } catch {
    return null
  }
}
