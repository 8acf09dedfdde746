import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import type { ZoneReader } from '#changes/model/zone_reader'
import { ancestorsWithin } from '#dns/names'
import { recordType } from '#dns/records/registry'
import type { RecordId, RRset } from '#dns/types'

/**
 * A zone that was read completely under its lock. Planning reads from it instead of the database.
 */
export class LoadedZone implements ZoneReader {
  readonly #byName: Map<string, RRset[]>

  constructor(
    private readonly rrsets: RRset[],
    private readonly backendReader: Pick<ZoneReader, 'findRecords' | 'aliasesAmong'>
  ) {
    this.#byName = Map.groupBy(rrsets, ({ name }) => name)
  }

  /** Every RRset of the zone. */
  all(): RRset[] {
    return this.rrsets
  }

  async rrsetsAt(_zone: BackendZone, names: string[]): Promise<RRset[]> {
    return names.flatMap((name) => this.#byName.get(name) ?? [])
  }

  findRecords(zone: BackendZone, ids: RecordId[]): Promise<StoredRecord[]> {
    return this.backendReader.findRecords(zone, ids)
  }

  async rrsetsPointingTo(_zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]> {
    const targetSet = new Set(targets)
    return this.rrsets.filter(
      ({ type, records }) =>
        types.includes(type) &&
        records.some(({ content }) => targetsOf(type, content).some((name) => targetSet.has(name)))
    )
  }

  async cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    const sets = await this.rrsetsAt(zone, names)
    return sets.filter(({ type }) => type === 'NS' || type === 'DNAME')
  }

  async namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]> {
    const givenNames = new Set(names)
    const isBelow = (name: string) =>
      (name !== zone.name && givenNames.has(zone.name)) ||
      ancestorsWithin(name, zone.name).some((ancestor) => givenNames.has(ancestor))
    return [...this.#byName.keys()].filter(isBelow).slice(0, limit)
  }

  aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]> {
    return this.backendReader.aliasesAmong(names, exceptZoneId)
  }
}

/** Nothing for an unreadable content that another program wrote. */
function targetsOf(type: string, content: string): string[] {
  try {
    return recordType(type)?.targets(content) ?? []
  } catch {
    return []
  }
}
