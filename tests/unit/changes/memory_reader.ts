import type { BackendZone } from '#backends/contract/backend'
import type { ZoneReader } from '#changes/model/zone_reader'
import { isWithin } from '#dns/names'
import { recordType } from '#dns/records/registry'
import type { RRset } from '#dns/types'

/** A zone in memory that counts its reads. */
export class MemoryReader implements ZoneReader {
  readonly reads: string[] = []
  readonly #byName: Map<string, RRset[]>

  constructor(
    private readonly sets: RRset[],
    private readonly aliasesElsewhere: string[] = []
  ) {
    this.#byName = Map.groupBy(sets, ({ name }) => name)
  }

  async rrsetsAt(_zone: BackendZone, names: string[]) {
    this.reads.push('rrsetsAt')
    return names.flatMap((name) => this.#byName.get(name) ?? [])
  }

  async rrsetsPointingTo(_zone: BackendZone, types: string[], targets: string[]) {
    this.reads.push('rrsetsPointingTo')
    const wanted = new Set(targets)
    return this.sets.filter(
      ({ type, records }) =>
        types.includes(type) &&
        records.some(({ content }) =>
          recordType(type)!
            .targets(content)
            .some((it) => wanted.has(it))
        )
    )
  }

  async cutsAt(_zone: BackendZone, names: string[]) {
    this.reads.push('cutsAt')
    const sets = names.flatMap((name) => this.#byName.get(name) ?? [])
    return sets.filter(({ type }) => type === 'NS' || type === 'DNAME')
  }

  async namesBelow(_zone: BackendZone, names: string[], limit: number) {
    this.reads.push('namesBelow')
    const below = [...this.#byName.keys()].filter((name) =>
      names.some((top) => name !== top && isWithin(name, top))
    )
    return below.slice(0, limit)
  }

  async aliasesAmong(names: string[]) {
    this.reads.push('aliasesAmong')
    return names.filter((name) => this.aliasesElsewhere.includes(name))
  }

  async findRecords(): Promise<never> {
    throw new Error('The rules look up no single record')
  }
}
