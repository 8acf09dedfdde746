import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend, StoredRecord } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import dns from '#config/dns'
import interfaceSettings from '#config/interface'
import { reverseName } from '#dns/addresses/address_text'
import { isReverseZone, labelsOf } from '#dns/names'
import { isInNetworks, parseNetwork, type Network } from '#dns/addresses/networks'
import { addressText, networkOf } from '#dns/addresses/reverse'
import { InvalidDns } from '#dns/errors'
import { invalid } from '#exceptions/refusal'
import type { ChangeAction } from '#zones/records/change_sets'
import type { OpenZone } from '#zones/directory'
import { findPtrLocations, type PtrLocation } from '#changes/zone_index/ptr_locations'
import { MAX_HITS, Search } from '#zones/search/search'

/** Maximum number of address records in a report. */
export const MAX_ADDRESSES = 5_000

/** An address record, and the state of its PTR record. */
export interface PtrRow {
  /** Owner name of the address record. */
  host: string
  address: string
  /** TTL of the address record, in seconds. */
  ttl: number
  /** Owner name of the PTR record. */
  owner: string
  /** The reverse zone, if the caller may write it. */
  zone: { id: number; name: string } | null
  /** Current contents of the PTR RRset. */
  names: string[]
  /** `present`: the RRset contains the host. */
  state: 'missing' | 'differs' | 'present' | 'no-zone'
}

/** Report on the PTR records of a zone. */
export interface PtrReport {
  rows: PtrRow[]
  /** Whether the zone has more addresses than the limit. */
  isCut: boolean
  /** Maximum number of addresses. */
  most: number
}

/** An address record, and the owner name of its PTR record. */
type Address = Pick<PtrRow, 'host' | 'address' | 'ttl' | 'owner'>

/** Minimum length of a search text in the index. */
const MIN_SEARCH_CHARACTERS = 3

/** Reports PTR records of a forward zone's addresses, or of addresses within a reverse zone. */
@inject()
export class PtrBatch {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly search: Search
  ) {
    this.#backend = manager.use()
  }

  /**
   * Reports PTR records in the order of reverse names, for addresses of the zone; in a reverse
   * zone, for visible addresses in its network. Leaves out wildcards and disabled records. Throws a
   * 400 `Refusal` if the network of a reverse zone is too large.
   *
   * @param network restricts the report to a network; throws a 400 `Refusal` for invalid text
   */
  async report(actor: Actor, { zone }: OpenZone, network: string | null): Promise<PtrReport> {
    if (!interfaceSettings.add_reverse_record) {
      throw invalid('Reverse records are disabled (setting interface.add_reverse_record)')
    }
    const networks = network === null ? null : [networkIn(network)]
    const isReverse = isReverseZone(zone.name)
    const { found, isComplete } = isReverse
      ? await this.#addressesIn(actor, zone, network, networks)
      : { found: await this.#addresses(zone), isComplete: true }
    const maxAddresses = isReverse ? MAX_HITS : MAX_ADDRESSES
    const matching = found.filter(({ address }) => !networks || isInNetworks(address, networks))
    const limited = matching.slice(0, maxAddresses)
    const reverses = await this.#writableReverses(actor, limited)
    const rows = limited.map((one) => {
      const location = reverses.get(one.owner)
      const names = (location?.ptr?.records ?? []).map(({ content }) => content)
      const reverse = location ? { id: location.zone.id, name: location.zone.name } : null
      const owner = location?.owner ?? one.owner
      return { ...one, owner, zone: reverse, names, state: stateOf(reverse, names, one.host) }
    })
    const isCut = !isComplete || matching.length > limited.length
    return { rows: rows.sort(byOwner), isCut, most: maxAddresses }
  }

  async #addresses(zone: BackendZone) {
    const query = { sort: [], filters: {}, q: null, page: null }
    const rows: Address[] = []
    for (const type of ['A', 'AAAA']) {
      const batches = this.#backend.recordBatches(zone, { ...query, filters: { type } })
      for await (const batch of batches) {
        rows.push(...batch.flatMap(addressOf))
        if (rows.length > 20 * MAX_ADDRESSES) break
      }
    }
    return rows
  }

  /** Searches addresses in the network of a reverse zone, or in a smaller network. */
  async #addressesIn(
    actor: Actor,
    zone: BackendZone,
    network: string | null,
    networks: Network[] | null
  ): Promise<{ found: Address[]; isComplete: boolean }> {
    const zoneNetwork = networkOf(zone.name)?.cidr ?? ''
    const texts = [zoneNetwork, network ?? ''].map(addressText)
    const text = texts[1].startsWith(texts[0]) ? texts[1] : texts[0]
    if (text.length < MIN_SEARCH_CHARACTERS) {
      const allowed = 'a smaller network within that of the zone, such as 192.0.2.0/24'
      throw new InvalidDns('network', network ?? '', allowed, { problem: 'is too large' })
    }
    const type = zone.name.endsWith('ip6.arpa') ? 'AAAA' : 'A'
    const query = `type:${type} content:${text}* disabled:false`
    const bounds = [zoneNetwork === '' ? null : [networkIn(zoneNetwork)], networks].filter(
      (one) => one !== null
    )
    // Filters before the limit applies, because the text is also a prefix of other addresses.
    const { records, isComplete } = await this.search.records(actor, query, (content) =>
      bounds.every((one) => isInNetworks(content, one))
    )
    return { found: records.flatMap(addressOf), isComplete }
  }

  /** Returns writable PTR locations by reverse name. */
  async #writableReverses(
    actor: Actor,
    rows: Pick<PtrRow, 'owner'>[]
  ): Promise<Map<string, PtrLocation>> {
    const reverses = await findPtrLocations(this.#backend, [
      ...new Set(rows.map(({ owner }) => owner)),
    ])
    const facts = new Map<number, ZoneFacts>()
    for (const [name, { owner, zone }] of reverses) {
      const known = facts.get(zone.id) ?? (await loadZoneFacts(zone))
      facts.set(zone.id, known)
      const request = { action: 'rrset.write' as const, zone: known, name: owner, type: 'PTR' }
      if (!authorize(actor, request).allowed) reverses.delete(name)
    }
    return reverses
  }
}

/** Returns actions that set each PTR RRset to exactly these hosts. */
export function ptrActions(rows: readonly PtrRow[]): ChangeAction[] {
  const groups = Map.groupBy(
    rows.filter(({ zone }) => zone !== null),
    ({ owner }) => owner
  )
  return [...groups].map(([owner, group]) => ({
    op: 'set',
    name: owner,
    type: 'PTR',
    ttl: dns.ttl_reverse ?? Math.min(...group.map(({ ttl }) => ttl)),
    records: [...new Set(group.map(({ host }) => host))].map((host) => {
      return { content: `${host}.`, priority: 0, disabled: false }
    }),
    zoneId: group[0].zone?.id,
  }))
}

function stateOf(zone: PtrRow['zone'], names: string[], host: string): PtrRow['state'] {
  if (!zone) return 'no-zone'
  if (names.length === 0) return 'missing'
  return names.includes(host) ? 'present' : 'differs'
}

function networkIn(text: string) {
  const network = parseNetwork(text.trim())
  if (!network) {
    const allowed = 'an address or a network, such as 192.0.2.0/24 or 2001:db8::/32'
    throw new InvalidDns('network', text, allowed, { problem: 'is not a network' })
  }
  return network
}

/** Returns an empty array for records without a PTR record. */
function addressOf({ name, content, ttl, disabled }: StoredRecord): Address[] {
  const owner = disabled || name.startsWith('*') ? null : reverseNameOf(content)
  return owner ? [{ host: name, address: content, ttl, owner }] : []
}

/** Returns null for invalid content, which another program wrote. */
function reverseNameOf(address: string): string | null {
  try {
    return reverseName(address)
  } catch {
    return null
  }
}

function byOwner(one: PtrRow, other: PtrRow): number {
  const [a, b] = [one, other].map(({ owner }) => labelsOf(owner).reverse())
  for (let position = 0; position < Math.min(a.length, b.length); position++) {
    if (a[position] !== b[position]) return compareLabels(a[position], b[position])
  }
  return a.length - b.length || (one.host < other.host ? -1 : 1)
}

/** Compares octets by value, nibbles by digit. */
function compareLabels(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1)
}
