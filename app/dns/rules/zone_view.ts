import { ancestorsWithin, isWithin } from '#dns/names'
import { isServed, targetsOf } from '#dns/rrset'
import type { RRset } from '#dns/types'

const NO_RRSETS: RRset[] = []

/**
 * RRsets of a zone by owner name, for rules that read several names. It may contain a part of the
 * zone; missing RRsets count as absent, so the part must include all names that the rules read.
 */
export class ZoneView {
  readonly #setsByName = new Map<string, RRset[]>()
  #nameServers: Set<string> | undefined

  /**
   * @param apex canonical name of the zone
   * @param rrsets each owner name and type once; empty ones count as absent
   * @param aliasesElsewhere names with a CNAME in another zone of this server
   */
  constructor(
    readonly apex: string,
    rrsets: Iterable<RRset>,
    readonly aliasesElsewhere: ReadonlySet<string> = new Set()
  ) {
    for (const set of rrsets) {
      if (set.records.length === 0) continue
      const sets = this.#setsByName.get(set.name)
      if (sets) sets.push(set)
      else this.#setsByName.set(set.name, [set])
    }
  }

  /** Returns owner names with records, and always the apex, in order. */
  names(): string[] {
    return [...new Set([this.apex, ...this.#setsByName.keys()])].sort()
  }

  /** Returns all RRsets at an owner name. */
  rrsetsAt(name: string): RRset[] {
    return this.#setsByName.get(name) ?? NO_RRSETS
  }

  /** Returns whether the name has records of the type, disabled or not. */
  has(name: string, type: string): boolean {
    return this.rrsetsAt(name).some((set) => set.type === type)
  }

  /** Returns whether the name has an enabled record of one of these types. */
  serves(name: string, types: readonly string[]): boolean {
    return this.rrsetsAt(name).some((set) => types.includes(set.type) && isServed(set))
  }

  /** Returns the delegation below the apex that contains the name: at the name, or above it. */
  delegationOf(name: string): string | undefined {
    const lineage = name === this.apex ? [] : [name, ...ancestorsWithin(name, this.apex)]
    return lineage.findLast((ancestor) => this.serves(ancestor, ['NS']))
  }

  /** Returns the closest ancestor with a DNAME, disabled or not. */
  redirectionAbove(name: string): string | undefined {
    if (name === this.apex || !isWithin(name, this.apex)) return undefined
    const above = [...ancestorsWithin(name, this.apex), this.apex]
    return above.find((ancestor) => this.has(ancestor, 'DNAME'))
  }

  /** Returns whether a wildcard may match a name without records (RFC 4592, 3.3). */
  hasWildcardFor(name: string): boolean {
    const above = [...ancestorsWithin(name, this.apex), this.apex]
    return above.some((ancestor) => this.rrsetsAt(`*.${ancestor}`).some(isServed))
  }

  /** Returns whether an enabled NS record names this host. */
  isNameServer(host: string): boolean {
    this.#nameServers ??= this.#hostsOfNameServers()
    return this.#nameServers.has(host)
  }

  #hostsOfNameServers(): Set<string> {
    const hosts = new Set<string>()
    for (const sets of this.#setsByName.values()) {
      for (const set of sets) {
        if (set.type === 'NS' && isServed(set)) targetsOf(set).forEach((host) => hosts.add(host))
      }
    }
    return hosts
  }
}
