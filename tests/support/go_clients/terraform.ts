import {
  bool,
  flag,
  identifier,
  int,
  intPointer,
  list,
  struct,
  text,
  wanted,
} from '#tests/support/go_clients/decode'
import { GoApiError, GoHttp } from '#tests/support/go_clients/http'

const zone = struct({
  id: wanted(int),
  name: text,
  type: text,
  masters: text,
  account: text,
  description: text,
})
const listedZone = struct({ id: wanted(int), name: text, type: text })
const record = struct({
  id: wanted(identifier),
  zone_id: int,
  name: text,
  type: text,
  content: text,
  ttl: int,
  priority: intPointer,
  disabled: flag,
})
const rrset = struct({
  name: text,
  type: text,
  ttl: int,
  records: list(struct({ content: text, priority: intPointer, disabled: flag })),
})
const user = struct({
  user_id: wanted(int),
  username: text,
  fullname: text,
  email: text,
  description: text,
  active: bool,
  perm_templ: int,
  use_ldap: bool,
})
const group = struct({ id: wanted(int), name: text, description: text, perm_templ_id: int })
const permission = struct({ id: wanted(int), name: text, descr: text })
const key = struct({ id: wanted(int), type: text, algorithm: text, bits: int, active: bool })

const data = <T extends Record<string, (value: unknown, place: string) => unknown>>(shape: T) =>
  wanted(struct(shape))

/** Members that the provider sends for a zone. Members without configuration are not sent. */
export interface ZonePlan {
  name?: string
  type?: string
  masters?: string
  account?: string
  description?: string
  /** A string, also for ids. */
  template?: string
  soa_edit_api?: string
}

/** Members that the provider sends for a record, always with `ttl`. */
export interface RecordPlan {
  name: string
  type: string
  content: string
  ttl: number
  priority?: number
  disabled?: true
  create_ptr?: boolean
}

/** The calls of the Terraform provider, with its requirements on the responses. */
export class TerraformProvider {
  private readonly http: GoHttp

  constructor(url: string, apiKey: string) {
    this.http = new GoHttp(url, { 'authorization': `Bearer ${apiKey}`, 'x-api-key': apiKey })
  }

  async zones() {
    const { zones } = await this.http.call('GET', '/zones', data({ zones: list(listedZone) }))
    return zones
  }

  /** Creates a zone and reads it, as an apply does. */
  async createZone(plan: ZonePlan) {
    const createdObject = data({ zone_id: wanted(int) })
    const { zone_id: id } = await this.http.call('POST', '/zones', createdObject, { body: plan })
    return this.zone(id)
  }

  /** Returns null for a deleted zone, which a plan then creates again. */
  zone(id: number) {
    return this.#unlessGone(async () => {
      const read = await this.http.call('GET', `/zones/${id}`, data({ zone: wanted(zone) }))
      return read.zone
    })
  }

  async updateZone(
    id: number,
    plan: Pick<ZonePlan, 'type' | 'masters' | 'account' | 'description'>
  ) {
    await this.http.done('PUT', `/zones/${id}`, { body: plan })
    return this.zone(id)
  }

  deleteZone(id: number) {
    return this.http.done('DELETE', `/zones/${id}`, { statuses: [200, 204] })
  }

  async records(zoneId: number, type?: string) {
    const path = `/zones/${zoneId}/records${type ? `?type=${type}` : ''}`
    const { records } = await this.http.call('GET', path, data({ records: list(record) }))
    return records
  }

  async createRecord(zoneId: number, plan: RecordPlan) {
    const path = `/zones/${zoneId}/records`
    const createdObject = await this.http.call('POST', path, data({ record: wanted(record) }), {
      body: plan,
    })
    return createdObject.record
  }

  record(zoneId: number, id: string) {
    return this.#unlessGone(async () => {
      const path = `/zones/${zoneId}/records/${id}`
      const read = await this.http.call('GET', path, data({ record: wanted(record) }))
      return read.record
    })
  }

  /** The response may have another id, which replaces the old one. */
  async updateRecord(
    zoneId: number,
    id: string,
    plan: Omit<RecordPlan, 'create_ptr' | 'disabled'> & { disabled: boolean }
  ) {
    const path = `/zones/${zoneId}/records/${id}`
    const { record: changed } = await this.http.call(
      'PUT',
      path,
      data({ record: wanted(record) }),
      {
        body: plan,
      }
    )
    return changed
  }

  deleteRecord(zoneId: number, id: string) {
    return this.http.done('DELETE', `/zones/${zoneId}/records/${id}`, { statuses: [200, 204, 404] })
  }

  async rrsets(zoneId: number, type: string) {
    const path = `/zones/${zoneId}/rrsets?type=${type}`
    const { rrsets } = await this.http.call('GET', path, data({ rrsets: list(rrset) }))
    return rrsets
  }

  async putRRset(
    zoneId: number,
    plan: { name: string; type: string; ttl: number; records: object[] }
  ) {
    await this.http.call('PUT', `/zones/${zoneId}/rrsets`, data({ rrset: wanted(rrset) }), {
      body: plan,
    })
    return this.rrset(zoneId, plan.name, plan.type)
  }

  rrset(zoneId: number, name: string, type: string) {
    return this.#unlessGone(async () => {
      const path = `/zones/${zoneId}/rrsets/${encodeURIComponent(name)}/${type}`
      const read = await this.http.call('GET', path, data({ rrset: wanted(rrset) }))
      return read.rrset
    })
  }

  deleteRRset(zoneId: number, name: string, type: string) {
    const path = `/zones/${zoneId}/rrsets/${encodeURIComponent(name)}/${type}`
    return this.http.done('DELETE', path, { statuses: [200, 204] })
  }

  async createUser(plan: object) {
    const createdObject = data({ user_id: wanted(int) })
    const { user_id: id } = await this.http.call('POST', '/users', createdObject, { body: plan })
    return this.user(id)
  }

  user(id: number) {
    return this.#unlessGone(async () => {
      const read = await this.http.call('GET', `/users/${id}`, data({ user: wanted(user) }))
      return read.user
    })
  }

  async users() {
    const { users } = await this.http.call('GET', '/users', data({ users: list(user) }))
    return users
  }

  async updateUser(id: number, plan: object) {
    await this.http.done('PUT', `/users/${id}`, { body: plan })
    return this.user(id)
  }

  deleteUser(id: number, transferTo: number) {
    const body = { transfer_to_user_id: transferTo }
    return this.http.done('DELETE', `/users/${id}`, { body })
  }

  async permissions() {
    const shape = data({ permissions: list(permission) })
    const { permissions } = await this.http.call('GET', '/permissions', shape)
    return permissions
  }

  async permission(id: number) {
    const shape = data({ permission: wanted(permission) })
    const read = await this.http.call('GET', `/permissions/${id}`, shape)
    return read.permission
  }

  async createGroup(plan: { name: string; description?: string; perm_templ_id: number }) {
    const createdObject = data({ group: wanted(struct({ id: wanted(int) })) })
    const { group: created } = await this.http.call('POST', '/groups', createdObject, {
      body: plan,
    })
    return this.group(created.id)
  }

  group(id: number) {
    return this.#unlessGone(async () => {
      const read = await this.http.call('GET', `/groups/${id}`, data({ group: wanted(group) }))
      return read.group
    })
  }

  deleteGroup(id: number) {
    return this.http.done('DELETE', `/groups/${id}?confirm=true`)
  }

  /** Adds a member and finds it in the list, as an apply does. */
  async addMember(groupId: number, userId: number) {
    const path = `/groups/${groupId}/members`
    await this.http.done('POST', path, { body: { user_id: userId } })
    const member = struct({ user_id: wanted(int), username: text, joined_at: text })
    const { members } = await this.http.call('GET', path, data({ members: list(member) }))
    return members.find(({ user_id: id }) => id === userId)
  }

  async assignZone(groupId: number, zoneId: number) {
    const path = `/groups/${groupId}/zones`
    await this.http.done('POST', path, { body: { zone_id: zoneId } })
    const assigned = struct({ zone_id: wanted(int), zone_name: text, zone_type: text })
    const { zones } = await this.http.call('GET', path, data({ zones: list(assigned) }))
    return zones.find(({ zone_id: id }) => id === zoneId)
  }

  async createZoneTemplate(plan: { name: string; description: string; is_global: boolean }) {
    const createdObject = data({ id: wanted(int) })
    const { id } = await this.http.call('POST', '/zone-templates', createdObject, { body: plan })
    return id
  }

  /** `data` is the list of keys itself. */
  dnssecKeys(zoneId: number) {
    return this.http.call('GET', `/zones/${zoneId}/dnssec/keys`, wanted(list(key)))
  }

  async #unlessGone<T>(read: () => Promise<T>): Promise<T | null> {
    try {
      return await read()
    } catch (error) {
      if (error instanceof GoApiError && error.status === 404) return null
      throw error
    }
  }
}
