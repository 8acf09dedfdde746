/*
| Recorded calls to the product that Zonewright must be compatible with. Only the status, the members and their
| JSON types count. Each exchange uses the objects of recordings.spec.ts: the zone {zone} named {name}, the
| secondary zone {slave} named {slavename}, the records {www}, {alias} and {mx}, and the group {group}. {free} is
| an unused word, and {net} is the start of an IPv4 network with a reverse zone. The caller is the administrator
| {admin} named {adminname}. {joe} named {joename}, with {joemail} and the key {joekey}, has no rights. {owner}
| owns a zone.
*/

/** One call and its response. */
export interface Exchange {
  what: string
  request: [method: string, path: string, body?: string, headers?: Record<string, string>]
  /** Sends no key. */
  anonymous?: true
  status: number
  shape: unknown
  /** Why Zonewright differs from the recording. */
  because?: string
}

export const FAILURE = { success: 'boolean', data: 'null', message: 'string' }
export const META = { timestamp: 'string' }
export const ZONE_ITEM = {
  id: 'number',
  canonical_id: 'number',
  name: 'string',
  type: 'string',
  created_at: 'null',
}
export const ZONE = {
  ...ZONE_ITEM,
  master: 'null',
  masters: 'null',
  account: 'null',
  description: 'null',
}
export const SECONDARY = { ...ZONE, master: 'string', masters: 'string' }
export const RECORD_ITEM = {
  id: 'number',
  name: 'string',
  type: 'string',
  content: 'string',
  ttl: 'number',
  priority: 'number',
  disabled: 'boolean',
  auth: 'boolean',
}
export const RECORD = { ...RECORD_ITEM, zone_id: 'number' }
export const CREATED_RECORD = { ...RECORD, ptr_created: 'boolean' }
export const UPDATED_RECORD = { ...RECORD, ptr_updated: 'boolean' }
export const PAGINATION = {
  current_page: 'number',
  per_page: 'number',
  total: 'number',
  last_page: 'number',
}
export const GONE = { error: 'boolean', message: 'string' }
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export const success = (data: unknown, extras: object = {}) => ({
  success: 'boolean',
  data,
  message: 'string',
  ...extras,
})
export const zones = (extras: object = {}) =>
  success({ zones: [ZONE_ITEM] }, { meta: META, ...extras })
export const zone = (members: object = ZONE) => success({ zone: members })
export const createdZone = success({ zone_id: 'number' })
export const records = (extras: object = {}) => success({ records: [RECORD_ITEM] }, extras)
export const createdRecord = success({ record: CREATED_RECORD })
export const updatedRecord = success({ record: UPDATED_RECORD })

export type Row = [what: string, method: string, path: string, body: string | null, status: number]

/** Builds exchanges on /api/v2 with one response shape. */
export function rows(shape: unknown, ...list: Row[]): Exchange[] {
  return list.map(([what, method, path, body, status]) => ({
    what,
    request: [method, `/api/v2${path}`, body ?? undefined],
    status,
    shape,
  }))
}

/** Builds exchanges that differ from the recording, each with its reason. */
export function differing(shape: unknown, ...list: [...Row, because: string][]): Exchange[] {
  return list.map(([what, method, path, body, status, because]) => ({
    ...rows(shape, [what, method, path, body, status])[0],
    because,
  }))
}

export const anonymous = (exchanges: Exchange[]): Exchange[] =>
  exchanges.map((exchange) => ({ ...exchange, anonymous: true }))

export const withHeaders = (headers: Record<string, string>, exchanges: Exchange[]): Exchange[] =>
  exchanges.map(({ request: [method, path, body], ...exchange }) => ({
    ...exchange,
    request: [method, path, body, headers],
  }))

export const ZONES = '/zones'
export const AT = '/zones/{zone}'
export const RECORDS = '/zones/{zone}/records'
export const WWW = '/zones/{zone}/records/{www}'
