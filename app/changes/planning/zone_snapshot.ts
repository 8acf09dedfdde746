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
    private readonly others: Pick<ZoneReader, 'findRecords' | 'aliasesAmong'>
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
    return this.others.findRecords(zone, ids)
  }

  async rrsetsPointingTo(_zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]> {
    const wanted = new Set(targets)
    return this.rrsets.filter(
      ({ type, records }) =>
        types.includes(type) &&
        records.some(({ content }) => pointsTo(type, content).some((name) => wanted.has(name)))
    )
  }

  async cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]> {
    const sets = await this.rrsetsAt(zone, names)
    return sets.filter(({ type }) => type === 'NS' || type === 'DNAME')
  }

  async namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]> {
    const tops = new Set(names)
    const isBelow = (name: string) =>
      (name !== zone.name && tops.has(zone.name)) ||
      ancestorsWithin(name, zone.name).some((up) => tops.has(up))
    return [...this.#byName.keys()].filter(isBelow).slice(0, limit)
  }

  aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]> {
    return this.others.aliasesAmong(names, exceptZoneId)
  }
}

/** Nothing for an unreadable content that another program wrote. */
function pointsTo(type: string, content: string): string[] {
  try {
    return recordType(type)?.targets(content) ?? []
  } catch {
    return []
  }
}
