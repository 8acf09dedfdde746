import {
  flag,
  identifier,
  int,
  intPointer,
  list,
  struct,
  text,
  wanted,
} from '#tests/support/go_clients/decode'
import { GoHttp } from '#tests/support/go_clients/http'

const zones = wanted(
  struct({ zones: wanted(list(struct({ id: wanted(int), name: wanted(text), type: text }))) })
)
const record = struct({
  id: wanted(identifier),
  name: wanted(text),
  type: wanted(text),
  content: wanted(text),
  ttl: int,
  priority: intPointer,
  disabled: flag,
})
const records = wanted(struct({ records: wanted(list(record)) }))
const createdObject = wanted(struct({ record: wanted(struct({ id: wanted(identifier) })) }))

/** A record that external-dns requests. Only MX and SRV have a `priority`. */
export interface Endpoint {
  name: string
  type: string
  content: string
  ttl: number
  priority?: number
}

/** The calls of the webhook provider of external-dns. */
export class ExternalDns {
  private readonly http: GoHttp

  constructor(url: string, apiKey: string) {
    this.http = new GoHttp(url, { 'x-api-key': apiKey })
  }

  /** Also the health probe of the provider, with a timeout of 5 seconds. */
  async zones() {
    const read = await this.http.call('GET', '/zones', zones)
    return read.zones
  }

  /** Returns all records. Names must be absolute. */
  async records(zoneId: number) {
    const read = await this.http.call('GET', `/zones/${zoneId}/records`, records)
    return read.records
  }

  /** Sends names relative to the zone, and TXT in quotes. Returns the id. */
  async create(zoneId: number, { priority, ...endpoint }: Endpoint) {
    const body = { ...endpoint, ...(priority === undefined ? {} : { priority }), disabled: false }
    const { record: created } = await this.http.call(
      'POST',
      `/zones/${zoneId}/records`,
      createdObject,
      {
        body,
      }
    )
    return created.id
  }

  /** Sends absolute names. */
  async update(zoneId: number, id: string, endpoint: Endpoint) {
    const body = { ...endpoint, disabled: false }
    await this.http.done('PUT', `/zones/${zoneId}/records/${id}`, { body })
  }

  /** A missing record counts as deleted. */
  delete(zoneId: number, id: string) {
    const statuses = [200, 202, 204, 404]
    return this.http.done('DELETE', `/zones/${zoneId}/records/${id}`, { statuses })
  }
}

/** The calls of the webhook of cert-manager. */
export class CertManager {
  private readonly http: GoHttp

  constructor(url: string, apiKey: string) {
    this.http = new GoHttp(url, { 'x-api-key': apiKey })
  }

  /** Returns the zone with the longest name that is a suffix of `fqdn`. */
  async #zoneOf(fqdn: string) {
    const read = await this.http.call('GET', '/zones', zones, { statuses: [200] })
    const name = plainName(fqdn)
    const [zone] = read.zones
      .filter((one) => name === plainName(one.name) || name.endsWith(`.${plainName(one.name)}`))
      .sort((one, other) => other.name.length - one.name.length)
    if (!zone) throw new Error(`no zone for ${fqdn}`)
    return zone
  }

  async #texts(zoneId: number, fqdn: string, token: string) {
    const path = `/zones/${zoneId}/records?type=TXT`
    const read = await this.http.call('GET', path, records, { statuses: [200] })
    return read.records.filter(
      ({ name, content }) =>
        plainName(name) === plainName(fqdn) && content.replace(/^"|"$/g, '') === token
    )
  }

  /** Publishes a token unless it already exists. */
  async present(fqdn: string, token: string) {
    const zone = await this.#zoneOf(fqdn)
    const present = await this.#texts(zone.id, fqdn, token)
    if (present.length > 0) return
    const name = plainName(fqdn)
    const body = { name, type: 'TXT', content: `"${token}"`, ttl: 60, priority: 0, disabled: 0 }
    const statuses = [200, 201]
    await this.http.call('POST', `/zones/${zone.id}/records`, createdObject, { body, statuses })
  }

  /** Deletes a token. Returns the number of deleted records. */
  async cleanUp(fqdn: string, token: string) {
    const zone = await this.#zoneOf(fqdn)
    const present = await this.#texts(zone.id, fqdn, token)
    for (const { id } of present) {
      const statuses = [200, 204, 404]
      await this.http.done('DELETE', `/zones/${zone.id}/records/${id}`, { statuses })
    }
    return present.length
  }
}

/** Normalizes a name for comparison: lower case, without the final dot. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
