import { randomBytes } from 'node:crypto'
import type { BackendZone, DnsBackend, NewZone, StoredRecord } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import type { RecordData, RRset, RRsetChange } from '#dns/types'
import { WHOLE_LIST } from '#lists/query'
import { useRaw } from './raw.js'
import type { PowerDns } from '#tests/support/powerdns'

/** A driver under test with its name server. */
export interface DriverUnderTest {
  /** Part of the test titles. */
  name: string
  backend: () => Promise<DnsBackend>
  /** A PowerDNS that serves the zones of this backend without caches, and accepts dynamic updates from 127.0.0.1. */
  powerdns: () => Promise<PowerDns>
  /**
   * Whether the driver writes the rows of PowerDNS' tables, and zone ids are ids of these rows. Otherwise the rows are not
   * compared.
   */
  writesRows: boolean
  /** Whether other tools can change the zones by writing to the database of PowerDNS; default true. */
  hasOutsiders?: boolean
  /** Lucid connection of the database that PowerDNS reads; default: the application's own. */
  connection?: string
}

/** Short form of a record: its content, or its content with other fields. */
export type Short = string | (Partial<RecordData> & { content: string })

/** Builds an RRset from the short form. */
export function rrset(name: string, type: string, records: Short[], ttl = 300): RRset {
  return {
    name,
    type,
    ttl,
    records: records.map((record) => ({
      priority: 0,
      disabled: false,
      ...(typeof record === 'string' ? { content: record } : record),
    })),
  }
}

/** A zone name that no test and no earlier run has used. */
export function freshZoneName(): string {
  return `z${randomBytes(6).toString('hex')}.example`
}

function sameRecord(a: RecordData, b: RecordData): boolean {
  return a.content === b.content && a.priority === b.priority
}

/** The driver and the name server, with the common steps of the tests. */
export class Bench {
  private constructor(
    readonly backend: DnsBackend,
    readonly dns: PowerDns
  ) {}

  static async of(driver: DriverUnderTest): Promise<Bench> {
    const powerdns = await driver.powerdns()
    useRaw(driver.connection)
    return new Bench(await driver.backend(), powerdns)
  }

  /** All records of the zone, or those of one type, as the list returns them. */
  async records(zone: BackendZone, type?: string): Promise<StoredRecord[]> {
    const filters = type === undefined ? {} : { type }
    const listed = await this.backend.listRecords(zone, { ...WHOLE_LIST, filters })
    return listed.rows
  }

  /** Number of records of the zone, or of one type. */
  async count(zone: BackendZone, type?: string): Promise<number> {
    const records = await this.records(zone, type)
    return records.length
  }

  /** Creates a zone with SOA, NS and these RRsets, given by names relative to the apex. */
  async zone(
    relative: [name: string, type: string, records: Short[], ttl?: number][] = [],
    properties: Partial<NewZone> = {}
  ): Promise<BackendZone> {
    const name = properties.name ?? freshZoneName()
    const sets = [
      rrset(name, 'SOA', [`ns1.${name} hostmaster.${name} 1 10800 3600 604800 300`]),
      rrset(name, 'NS', [`ns1.${name}`]),
      ...relative.map(([owner, ...rest]) => rrset(`${owner}.${name}`.replace(/^@\./, ''), ...rest)),
    ]
    const created = await this.backend.write(async (session) => {
      const zone = await session.createZone({
        kind: 'NATIVE',
        masters: [],
        account: null,
        metadata: {},
        ...properties,
        name,
      })
      await session.applyRRsets(zone, sets.map(creation))
      return zone
    })
    // Records that the server adds by itself are stored with the first read.
    await this.locked(created, (session, zone) =>
      session.takeExternalPropertyChanges(zone, { withMetadata: true })
    )
    return created
  }

  /** Runs `work` with the zone locked, as change sets do. */
  locked<T>(
    zone: BackendZone,
    work: (session: WriteSession, zone: BackendZone) => Promise<T>
  ): Promise<T> {
    return this.backend.write(async (session) => {
      const zones = await session.lockZones([zone.id])
      const current = zones.get(zone.id)
      if (!current) {
        throw new Error(`Zone ${zone.name} is gone`)
      }
      return work(session, current)
    })
  }

  /** Replaces the RRsets at these names and types. Unchanged records keep their ids. */
  put(zone: BackendZone, ...replacements: RRset[]): Promise<RRsetChange[]> {
    return this.locked(zone, async (session, current) => {
      const stored = await session.rrsetsAt(current, [
        ...new Set(replacements.map((set) => set.name)),
      ])
      return session.applyRRsets(
        current,
        replacements.map((set) => replacement(stored, set))
      )
    })
  }

  /** Deletes RRsets. */
  remove(zone: BackendZone, ...keys: [name: string, type: string][]): Promise<RRsetChange[]> {
    return this.locked(zone, async (session, current) => {
      const stored = await session.rrsetsAt(current, [...new Set(keys.map(([name]) => name))])
      const changes = keys.map(([name, type]) => ({
        name,
        type,
        before: find(stored, name, type),
        after: null,
      }))
      return session.applyRRsets(current, changes)
    })
  }

  /** The committed RRset, or null. */
  async stored(zone: BackendZone, name: string, type: string): Promise<RRset | null> {
    return find(await this.backend.rrsetsAt(zone, [name]), name, type)
  }
}

/** The RRset with that name and type, or null. */
export function find(sets: RRset[], name: string, type: string): RRset | null {
  return sets.find((set) => set.name === name && set.type === type) ?? null
}

/** The change that creates an RRset. */
export function creation(after: RRset): RRsetChange {
  return { name: after.name, type: after.type, before: null, after }
}

function replacement(stored: RRset[], replacementSet: RRset): RRsetChange {
  const before = find(stored, replacementSet.name, replacementSet.type)
  const left = [...(before?.records ?? [])]
  const records = replacementSet.records.map((record) => {
    const index = left.findIndex((other) => sameRecord(other, record))
    const [match] = index === -1 ? [] : left.splice(index, 1)
    return match ? { ...record, id: record.id ?? match.id } : record
  })
  return {
    name: replacementSet.name,
    type: replacementSet.type,
    before,
    after: { ...replacementSet, records },
  }
}
