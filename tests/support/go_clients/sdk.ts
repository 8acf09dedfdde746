import {
  bool,
  flag,
  identifier,
  int,
  list,
  mapOf,
  struct,
  text,
  wanted,
} from '#tests/support/go_clients/decode'
import { GoHttp } from '#tests/support/go_clients/http'

const zone = struct({ id: wanted(int), name: wanted(text), type: text })
const pagination = struct({ current_page: int, per_page: int, total: int, last_page: wanted(int) })
const record = struct({
  id: wanted(identifier),
  name: wanted(text),
  type: wanted(text),
  content: text,
  ttl: int,
  priority: int,
  disabled: flag,
})
const bulk = struct({
  total_operations: int,
  created: int,
  updated: int,
  deleted: int,
  failed: int,
  errors: list(text),
})
const rrset = struct({
  name: text,
  type: text,
  ttl: int,
  records: list(struct({ content: text, priority: int, disabled: flag })),
})
const owners = struct({ added: list(int), skipped: list(int), not_found: list(int) })
const metadata = struct({ kind: wanted(text), values: wanted(list(text)) })
const key = struct({
  id: wanted(int),
  type: text,
  keytag: int,
  algorithm: text,
  bits: int,
  active: bool,
  dnskey: text,
  ds: list(text),
})
const status = struct({
  running: wanted(bool),
  server_id: text,
  daemon_type: text,
  version: text,
  uptime_seconds: int,
  metrics: mapOf(text),
})

/** The calls of the third-party SDK for Go, which an operator and a command line tool use. */
export class GoSdk {
  private readonly http: GoHttp

  constructor(url: string, apiKey: string) {
    this.http = new GoHttp(url, { 'x-api-key': apiKey })
  }

  /** Returns every page of the list. */
  async zones(perPage: number, name?: string) {
    const filter = name === undefined ? '' : `&name=${encodeURIComponent(name)}`
    const all: { id: number; name: string; type: string }[] = []
    for (let page = 1, last = 1; page <= last; page += 1) {
      const path = `/zones?page=${page}&per_page=${perPage}${filter}`
      const answer = await this.http.done('GET', path, { statuses: [200] })
      const body = JSON.parse(answer.text) as { data: unknown; pagination: unknown }
      const read = struct({ zones: wanted(list(zone)) })(body.data, 'data')
      last = wanted(pagination)(body.pagination, 'pagination').last_page
      all.push(...read.zones)
    }
    return all
  }

  /** The address of the primary server is sent as `master`. */
  async createZone(body: { name: string; type: string; master?: string; soa_edit_api?: string }) {
    const shape = struct({ zone_id: wanted(int) })
    const { zone_id: id } = await this.http.call('POST', '/zones', shape, { body, statuses: [201] })
    return id
  }

  updateZone(id: number, body: { master?: string; type?: string }) {
    return this.http.done('PUT', `/zones/${id}`, { body })
  }

  async createRecord(zoneId: number, body: object) {
    const shape = struct({ record: wanted(record) })
    const createdObject = await this.http.call('POST', `/zones/${zoneId}/records`, shape, { body })
    return createdObject.record
  }

  /** Ids are sent as strings. */
  bulk(zoneId: number, operations: ({ action: string; id?: string } & Record<string, unknown>)[]) {
    const path = `/zones/${zoneId}/records/bulk`
    return this.http.call('POST', path, bulk, { body: { operations } })
  }

  async putRRset(zoneId: number, body: object) {
    const shape = struct({ rrset: wanted(rrset) })
    const createdObject = await this.http.call('PUT', `/zones/${zoneId}/rrsets`, shape, { body })
    return createdObject.rrset
  }

  addOwner(zoneId: number, userId: number) {
    const body = { user_id: userId }
    return this.http.done('POST', `/zones/${zoneId}/owners`, { body, statuses: [201] })
  }

  addOwners(zoneId: number, userIds: number[]) {
    const body = { user_ids: userIds }
    return this.http.call('POST', `/zones/${zoneId}/owners`, wanted(owners), { body })
  }

  setMetadata(zoneId: number, kind: string, values: string[]) {
    return this.http.done('PUT', `/zones/${zoneId}/metadata/${kind}`, { body: { values } })
  }

  async metadata(zoneId: number) {
    const shape = struct({ metadata: wanted(list(metadata)) })
    const read = await this.http.call('GET', `/zones/${zoneId}/metadata`, shape)
    return read.metadata
  }

  sign(zoneId: number) {
    return this.http.done('POST', `/zones/${zoneId}/dnssec`, { body: { enabled: true } })
  }

  /** `data` is the list of keys itself. */
  keys(zoneId: number) {
    return this.http.call('GET', `/zones/${zoneId}/dnssec/keys`, wanted(list(key)))
  }

  importKey(zoneId: number, type: string, privatekey: string) {
    const body = { type, privatekey, active: false }
    const path = `/zones/${zoneId}/dnssec/keys/import`
    return this.http.call('POST', path, wanted(key), { body, statuses: [201] })
  }

  async createUser(body: { username: string; password: string; groups: (number | string)[] }) {
    const shape = struct({
      user_id: wanted(int),
      groups: list(struct({ id: wanted(int), name: text })),
    })
    return this.http.call('POST', '/users', shape, { body, statuses: [201] })
  }

  assignTemplate(userId: number, template: number) {
    const shape = struct({ user_id: wanted(int), perm_templ: wanted(int) })
    return this.http.call('PATCH', `/users/${userId}`, shape, { body: { perm_templ: template } })
  }

  serverStatus() {
    return this.http.call('GET', '/server/status', wanted(status))
  }
}
