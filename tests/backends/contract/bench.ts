import { randomBytes } from 'node:crypto'
import type { BackendZone, DnsBackend, NewZone, StoredRecord } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import type { RecordData, RRset, RRsetChange } from '#dns/types'
import { WHOLE_LIST } from '#lists/query'
import { useRaw } from './raw.js'
import type { PowerDns } from '#tests/support/powerdns'

/** What a driver brings to the contract suite. */
export interface DriverUnderTest {
  /** Appears in the titles of the tests. */
  name: string
  backend: () => Promise<DnsBackend>
  /**
   * A PowerDNS that serves what this backend holds, with all caches off, and takes dynamic updates from
   * 127.0.0.1.
   */
  powerdns: () => Promise<PowerDns>
  /**
   * The rows of PowerDNS' tables are the driver's own work, and ids of zones those of its rows. Without it, what
   * PowerDNS keeps by itself is not looked at.
   */
  writesRows: boolean
  /** Whether other tools change what this backend holds by writing where PowerDNS reads; by default they do. */
  hasOutsiders?: boolean
  /** Lucid connection of the database that PowerDNS reads; default: the application's own. */
  connection?: string
}

/** A record in short: its content, or its content with what is not usual about it. */
export type Short = string | (Partial<RecordData> & { content: string })

/** An RRset in short. */
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

/** The driver and the name server side by side, with the steps that the tests are made of. */
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

  /** All records of the zone, or those of one type, as the list has them. */
  async records(zone: BackendZone, type?: string): Promise<StoredRecord[]> {
    const filters = type === undefined ? {} : { type }
    const listed = await this.backend.listRecords(zone, { ...WHOLE_LIST, filters })
    return listed.rows
  }

  /** How many records the zone has, or how many of one type. */
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
    // What a server gave it of its own is known from the first look on.
    await this.locked(created, (session, zone) =>
      session.takeOutsideProperties(zone, { withMetadata: true })
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

  /** Makes these the RRsets at their names and types; records that stay the same keep their ids. */
  put(zone: BackendZone, ...wanted: RRset[]): Promise<RRsetChange[]> {
    return this.locked(zone, async (session, current) => {
      const stored = await session.rrsetsAt(current, [...new Set(wanted.map((set) => set.name))])
      return session.applyRRsets(
        current,
        wanted.map((set) => replacement(stored, set))
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

/** The RRset of that name and type, or null. */
export function find(sets: RRset[], name: string, type: string): RRset | null {
  return sets.find((set) => set.name === name && set.type === type) ?? null
}

/** The change that creates an RRset. */
export function creation(after: RRset): RRsetChange {
  return { name: after.name, type: after.type, before: null, after }
}

function replacement(stored: RRset[], wanted: RRset): RRsetChange {
  const before = find(stored, wanted.name, wanted.type)
  const left = [...(before?.records ?? [])]
  const records = wanted.records.map((record) => {
    const index = left.findIndex((other) => sameRecord(other, record))
    const [match] = index === -1 ? [] : left.splice(index, 1)
    return match ? { ...record, id: record.id ?? match.id } : record
  })
  return { name: wanted.name, type: wanted.type, before, after: { ...wanted, records } }
}
