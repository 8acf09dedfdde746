import { type Answer, type ApiCalls, dataOf } from '#tests/support/faults/api_calls'
import type { SetState } from '#tests/support/faults/zone_history'
import type { Random } from '#tests/support/random'
import type { Belief, Kind, ModelWrite, ModelZone } from '#tests/support/model/model_write'
import { checks } from '#tests/support/model/checks'
import type { ModelRecord, SetName } from '#tests/support/model/state'

/** A record as the list of a zone returns it. */
export interface ListedRecord {
  id: number
  name: string
  type: string
  content: string
  priority: number
}

/** State that all writers share. */
export interface Shared {
  zones: ModelZone[]
  writes: ModelWrite[]
  /** Ticks at each request and each response. */
  clock: number
  contents: number
}

/** Few names, so that writers conflict. A CNAME excludes every other type at its name. */
const OWNERS: [name: string, type: string][] = [
  ['_acme-challenge', 'TXT'],
  ['www', 'A'],
  ['www', 'TXT'],
  ['deep.er.tree', 'A'],
  ['er.tree', 'TXT'],
  ['*.wild', 'TXT'],
  ['@', 'MX'],
  ['alias', 'CNAME'],
  ['alias', 'A'],
]

const WEIGHTS: [kind: Kind, weight: number][] = [
  ['create', 24],
  ['update', 13],
  ['delete', 16],
  ['replace', 12],
  ['clear', 3],
  ['bulk', 10],
  ['changes', 12],
  ['comment', 6],
  ['undo', 5],
  ['restore', 3],
  ['describe', 2],
  ['dyndns', 8],
]

/** Kinds whose actions contain their preconditions. */
const NAMING_TAGS: Kind[] = ['changes', 'comment']

const SET_TTLS = [300, 600]
/** The default of `dyndns.ttl`. */
const DYNAMIC_TTL = 60

type Draft = Pick<ModelWrite, 'zones' | 'beliefs' | 'check'> & {
  send: (headers: Record<string, string>, query: string) => Promise<Answer>
}

/** A client that sends random writes, partly based on old reads. */
export class Writer {
  readonly #seen = new Map<number, ListedRecord[]>()

  constructor(
    private readonly api: ApiCalls,
    private readonly shared: Shared,
    private readonly random: Random
  ) {}

  /** Sends one write of any kind, and stores it with its response. */
  async write(): Promise<void> {
    const kind = this.#kind()
    const draft = await this.#drafts[kind](this.random.pick(this.shared.zones))
    if (!draft) {
      return this.write()
    }
    const { send, ...about } = draft
    const dryRun = this.random.chance(0.06)
    const label = `model-${(this.shared.contents += 1)}`
    const sentAt = (this.shared.clock += 1)
    const tag =
      about.beliefs.length > 0 && !NAMING_TAGS.includes(kind) ? about.beliefs[0].tag : null
    const headers = { 'x-change-reason': label, ...(tag ? { 'if-match': tag } : {}) }
    const answer = await send(headers, dryRun ? '?dry_run=true' : '')
    const answeredAt = (this.shared.clock += 1)
    this.shared.writes.push({ label, kind, dryRun, sentAt, answeredAt, answer, ...about })
  }

  readonly #drafts: Record<Kind, (zone: ModelZone) => Promise<Draft | null>> = {
    create: async (zone) => {
      const { set, ttl, record, body } = this.#newRecord(zone)
      return {
        zones: [zone],
        beliefs: [],
        check: checks.create(set, ttl, record),
        send: (headers, query) =>
          this.api.post(`/zones/${zone.id}/records${query}`, { ...body, ttl }, headers),
      }
    },
    update: async (zone) => {
      const record = await this.#storedRecord(zone)
      if (!record) return null
      const set: SetName = `${record.name} ${record.type}`
      const content = this.#content(record.type)
      return {
        zones: [zone],
        beliefs: await this.#belief(zone, 'record', `/records/${record.id}`, set),
        check: checks.update(set, content),
        send: (headers, query) =>
          this.api.put(`/zones/${zone.id}/records/${record.id}${query}`, { content }, headers),
      }
    },
    delete: async (zone) => {
      const record = await this.#storedRecord(zone)
      if (!record) return null
      const set: SetName = `${record.name} ${record.type}`
      return {
        zones: [zone],
        beliefs: await this.#belief(zone, 'record', `/records/${record.id}`, set),
        check: checks.remove(set),
        send: (headers, query) =>
          this.api.delete(`/zones/${zone.id}/records/${record.id}${query}`, headers),
      }
    },
    replace: async (zone) => {
      const { set, ttl, body } = this.#newRecord(zone)
      const state = this.#set(body.type, ttl)
      const path = `/rrsets/${body.name}/${body.type}`
      const input = { name: body.name, type: body.type, ttl, records: state.records }
      return {
        zones: [zone],
        beliefs: await this.#belief(zone, 'rrset', path, set),
        check: checks.sets(() => [[set, state]]),
        send: (headers, query) => this.api.put(`/zones/${zone.id}/rrsets${query}`, input, headers),
      }
    },
    clear: async (zone) => {
      const { set, body } = this.#newRecord(zone)
      const path = `/rrsets/${body.name}/${body.type}`
      return {
        zones: [zone],
        beliefs: await this.#belief(zone, 'rrset', path, set),
        check: checks.clear(set),
        send: (headers, query) => this.api.delete(`/zones/${zone.id}${path}${query}`, headers),
      }
    },
    bulk: async (zone) => {
      const added = Array.from({ length: 1 + this.random.below(3) }, () => this.#newRecord(zone))
      const first = await this.#storedRecord(zone)
      const second = await this.#storedRecord(zone)
      const deleted = [...new Map([first, second].flatMap((r) => (r ? [[r.id, r]] : []))).values()]
      const operations = [
        ...added.map(({ body, ttl }) => ({ action: 'create', ...body, ttl })),
        ...deleted.map(({ id }) => ({ action: 'delete', id })),
      ]
      return {
        zones: [zone],
        beliefs: await this.#belief(zone, 'zone', ''),
        check: checks.bulk(added, deleted),
        send: (headers, query) =>
          this.api.post(`/zones/${zone.id}/records/bulk${query}`, { operations }, headers),
      }
    },
    changes: async (zone) => {
      const other = this.random.pick(this.shared.zones.filter(({ id }) => id !== zone.id))
      const added = this.#newRecord(zone)
      const replaced = this.#newRecord(other)
      const state = this.#set(replaced.body.type, replaced.ttl)
      const path = `/rrsets/${replaced.body.name}/${replaced.body.type}`
      const beliefs = await this.#belief(other, 'rrset', path, replaced.set)
      const victim = await this.#storedRecord(zone)
      const [addedName] = added.set.split(' ')
      const [replacedName] = replaced.set.split(' ')
      const { name, type, ...item } = added.body
      const actions = [
        { op: 'add', name: addedName, type, ttl: added.ttl, records: [this.#withComment(item)] },
        {
          op: 'set',
          name: replacedName,
          type: replaced.body.type,
          ttl: replaced.ttl,
          records: state.records.map((record) => this.#withComment(record)),
          ...(beliefs.length > 0 ? { if_match: beliefs[0].tag } : {}),
        },
        ...(victim ? [removal(victim)] : []),
      ]
      return {
        zones: [zone, other],
        beliefs,
        check: checks.changes(zone, added, victim, [replaced.set, state]),
        send: (headers, query) => this.api.post(`/changes${query}`, { actions }, headers),
      }
    },
    comment: async (zone) => {
      const known = await this.#storedRecord(zone)
      if (!known) return null
      const { name, type } = known
      const found = await this.api.get(`/zones/${zone.id}/rrsets/${name}/${type}`)
      if (!found.tag) return null
      const { ttl, records }: SetState = dataOf(found).rrset
      const commented = records.map(({ content, priority, disabled }) =>
        this.#withComment({ content, priority, disabled })
      )
      const actions = [{ op: 'set', name, type, ttl, records: commented, if_match: found.tag }]
      return {
        zones: [zone],
        beliefs: [{ of: 'rrset', set: `${name} ${type}`, tag: found.tag, zone }],
        check: checks.sets(() => []),
        send: (headers, query) => this.api.post(`/changes${query}`, { actions }, headers),
      }
    },
    undo: async (zone) => {
      const entry = await this.#entry(zone)
      const merge = this.random.chance(0.3)
      return {
        zones: [zone],
        beliefs: [],
        check: checks.undo(entry, merge),
        send: (headers, query) =>
          this.api.post(`/zones/${zone.id}/history/${entry}/undo${query}`, { merge }, headers),
      }
    },
    restore: async (zone) => {
      const entry = await this.#entry(zone)
      const { set, body } = this.#newRecord(zone)
      const scope = this.random.pick([{}, { name: body.name, type: body.type }])
      return {
        zones: [zone],
        beliefs: [],
        check: checks.restore(entry, 'name' in scope ? set : null),
        send: (headers, query) =>
          this.api.post(`/zones/${zone.id}/restore${query}`, { entry, ...scope }, headers),
      }
    },
    describe: async (zone) => {
      const description = `described ${(this.shared.contents += 1)}`
      return {
        zones: [zone],
        beliefs: await this.#belief(zone, 'zone', ''),
        check: checks.describe(description),
        send: (headers, query) =>
          this.api.put(`/zones/${zone.id}${query}`, { description }, headers),
      }
    },
    dyndns: async (zone) => {
      const [name] = this.random.pick(OWNERS.filter(([, type]) => type === 'A'))
      const hostname = `${name}.${zone.name}`
      const count = 1 + this.random.below(2)
      const addresses = new Set(Array.from({ length: count }, () => this.#content('A')))
      const records = [...addresses].map((content) => ({ content, priority: 0, disabled: false }))
      const ipv4 = [...addresses].join(',')
      return {
        zones: [zone],
        beliefs: [],
        check: checks.addresses(`${hostname} A`, DYNAMIC_TTL, records),
        send: (headers, query) =>
          this.api.post(`/dynamic-dns${query}`, { hostname, ipv4, dualstack: true }, headers),
      }
    },
  }

  #kind(): Kind {
    let left = this.random.below(WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0))
    return WEIGHTS.find(([, weight]) => (left -= weight) < 0)![0]
  }

  /** Returns a new record in the formats of the model and of the API. */
  #newRecord({ name: apex }: ModelZone) {
    const [name, type] = this.random.pick(OWNERS)
    const set: SetName = `${name === '@' ? apex : `${name}.${apex}`} ${type}`
    const ttl = this.random.pick(SET_TTLS)
    const record: ModelRecord = this.#record(type)
    return { set, ttl, record, body: { name, type, ...record } }
  }

  #set(type: string, ttl: number): SetState {
    const count = type === 'CNAME' ? 1 : 1 + this.random.below(3)
    return { ttl, records: Array.from({ length: count }, () => this.#record(type)) }
  }

  #record(type: string): ModelRecord {
    const priority = type === 'MX' ? 10 : 0
    return { content: this.#content(type), priority, disabled: this.random.chance(0.1) }
  }

  /** Returns a record with a comment, with an empty comment (which deletes it), or without a comment. */
  #withComment(record: ModelRecord): object {
    const comment = this.random.pick([undefined, '', `said ${(this.shared.contents += 1)}`])
    return { ...record, ...(comment === undefined ? {} : { comment }) }
  }

  /** Returns a content, mostly a unique one, sometimes one that may already exist. */
  #content(type: string): string {
    const n = this.random.chance(0.15) ? this.random.below(3) : (this.shared.contents += 1)
    if (type === 'A') return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    return type === 'TXT' ? `"token-${n}"` : `host-${n}.elsewhere.example`
  }

  /** Returns a record of the last read state of the zone, which may be old. */
  async #storedRecord(zone: ModelZone): Promise<ListedRecord | null> {
    if (!this.#seen.has(zone.id) || this.random.chance(0.3)) {
      const list: ListedRecord[] = dataOf(await this.api.get(`/zones/${zone.id}/records`)).records
      const records = list.filter(({ type }) => type !== 'SOA')
      this.#seen.set(zone.id, records)
    }
    const records = this.#seen.get(zone.id) ?? []
    if (records.length === 0) {
      this.#seen.delete(zone.id)
      return null
    }
    return this.random.pick(records)
  }

  async #entry(zone: ModelZone): Promise<number> {
    const path = `/zones/${zone.id}/history?page=1&per_page=20`
    const { entries } = dataOf(await this.api.get(path))
    return this.random.pick<{ entry: number }>(entries).entry
  }

  /** Reads an object. Half of the writers then send its state as a precondition. */
  async #belief(zone: ModelZone, of: Belief['of'], path: string, set?: SetName): Promise<Belief[]> {
    if (this.random.chance(0.5)) return []
    const { tag } = await this.api.get(`/zones/${zone.id}${path}`)
    return tag ? [{ of, set, tag, zone }] : []
  }
}

/** Returns the action that removes the record in API format. */
function removal({ name, type, content, priority }: ListedRecord) {
  return { op: 'remove', name, type, records: [{ content, priority }] }
}
