import { zonePath } from '#backends/powerdns_api/http/address'
import { BackendUnavailable, CapabilityMissing } from '#backends/contract/errors'
import type { CallOptions, PowerDnsClient } from '#backends/powerdns_api/client'
import { invalidAnswer, PowerDnsMissing } from '#backends/powerdns_api/errors'
import { parseMetadataValues } from '#backends/powerdns_api/parsers/keys'
import { nameOf, parseServerFacts, parseServerZone } from '#backends/powerdns_api/parsers/zone'
import type { ServerFacts, ServerList, ServerZone } from '#backends/mirrored/zone_server'
import type { ZoneKey } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'

/** Bytes of answers as large as a zone or a list of all zones. */
const MAX_BYTES = 256 * 1024 * 1024

/** Reads the zones of a server by its HTTP API. Throws `BackendUnavailable`. */
export class ServerZones {
  constructor(private readonly client: PowerDnsClient) {}

  /** For answers as large as a zone or a list of all zones. */
  #largeAnswer(seconds: number): CallOptions {
    return { timeout: seconds, maxBytes: MAX_BYTES }
  }

  /** Every zone, without members that are slow for the server; and the names of zones with unknown values, such as kinds. */
  async list(): Promise<ServerList> {
    const answer = await this.#get('/zones?dnssec=false', this.#largeAnswer(this.client.timeout))
    if (!Array.isArray(answer)) {
      throw invalidAnswer('no list of zones')
    }
    const zones: ServerFacts[] = []
    const unread = new Set<string>()
    for (const item of answer as unknown[]) {
      try {
        zones.push(parseServerFacts(item))
      } catch (error) {
        const name = error instanceof BackendUnavailable ? zoneNameIn(item) : null
        if (name === null) {
          throw error
        }
        unread.add(name)
      }
    }
    return { zones, unread }
  }

  /**
   * The zone with its records; null if the server has none of that name.
   *
   * @param seconds timeout; by default that of the client
   */
  zone(name: string, seconds = this.client.timeout): Promise<ServerZone | null> {
    return this.#orNull(async () =>
      parseServerZone(await this.#get(zonePath(name), this.#largeAnswer(seconds)))
    )
  }

  /** The zone without its records, or null. */
  facts(name: string): Promise<ServerFacts | null> {
    return this.#orNull(async () =>
      parseServerFacts(await this.#get(`${zonePath(name)}?rrsets=false`))
    )
  }

  /** Metadata by kind, including kinds that the server has as properties of the zone. */
  async metadata(name: string): Promise<Metadata | null> {
    return this.#orNull(async () => {
      const [listed, zone] = await Promise.all([
        this.#get(`${zonePath(name)}/metadata`),
        this.#get(`${zonePath(name)}?rrsets=false`),
      ])
      if (!Array.isArray(listed)) {
        throw invalidAnswer('no list of metadata')
      }
      const kinds = listed.map((item): [string, string[]] => {
        const { kind } = (item ?? {}) as { kind?: unknown }
        if (typeof kind !== 'string') {
          throw invalidAnswer('metadata without a kind')
        }
        return [kind.toUpperCase(), parseMetadataValues(item)]
      })
      // The properties of an unsigned zone do not contain the denial of existence.
      const known = [...kinds, ...Object.entries(metadataFromProperties(zone))].filter(
        ([, values]) => values.some((value) => value !== '')
      )
      const metadataEntries = Object.entries(Object.fromEntries(known))
      return Object.fromEntries(metadataEntries.sort(([item], [other]) => (item < other ? -1 : 1)))
    })
  }

  /** DNSSEC keys with their private parts. */
  async keys(name: string): Promise<ZoneKey[]> {
    const path = `${zonePath(name)}/cryptokeys`
    const listed = await this.#get(path)
    if (!Array.isArray(listed)) {
      throw invalidAnswer('no list of keys')
    }
    const keys: ZoneKey[] = []
    for (const { id } of listed as { id?: unknown }[]) {
      const key = (await this.#get(`${path}/${Number(id)}`)) as Record<string, unknown>
      const { flags, active, published, privatekey: content } = key
      if (typeof flags !== 'number' || typeof content !== 'string') {
        throw invalidAnswer('a key of an unknown form')
      }
      keys.push({ flags, active: active === true, published: published !== false, content })
    }
    return keys
  }

  async #get(path: string, options: CallOptions = {}): Promise<unknown> {
    if (!this.client.isConfigured) {
      throw new CapabilityMissing('The settings pdns_api.url and pdns_api.key are not set')
    }
    return this.client.get(path, options)
  }

  async #orNull<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof PowerDnsMissing) {
        return null
      }
      throw error
    }
  }
}

/** The name of a zone in an answer, if it has one. */
function zoneNameIn(answer: unknown): string | null {
  const { name } = (answer ?? {}) as { name?: unknown }
  return typeof name === 'string' ? nameOf(name) : null
}

/** The kinds that the API has as properties of the zone. */
function metadataFromProperties(zone: unknown): Metadata {
  parseServerFacts(zone)
  const members = zone as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : [])
  const flag = (value: unknown) => (value === true ? ['1'] : [])
  return {
    'SOA-EDIT': text(members.soa_edit),
    'SOA-EDIT-API': text(members.soa_edit_api),
    'API-RECTIFY': flag(members.api_rectify),
    'NSEC3PARAM': text(members.nsec3param),
    'NSEC3NARROW': flag(members.nsec3narrow),
  }
}
