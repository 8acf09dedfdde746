import type { Filled } from '#tests/support/faults/sized_server'

type Path = (of: Filled) => string

/** A page of a list whose cost must not depend on the size of the list. */
export interface Page {
  what: string
  user: 'admin' | 'owner'
  path: Path
  /** Counts the rows that the page reads too, if the database reports them. Unlike times, row counts are deterministic. */
  counted?: true
  /** All matches are ranked up to a bound. The cost of each match must not grow. */
  perHit?: true
}

const zones =
  (query: string): Path =>
  () =>
    `/zones?per_page=50${query}`
const records =
  (query: string): Path =>
  ({ large }) =>
    `/zones/${large}/records?per_page=50${query}`

const sets =
  (query: string): Path =>
  ({ large }) =>
    `/zones/${large}/rrsets?per_page=50${query}`

/** Pages of zones, records and RRsets. */
const ZONE_PAGES: Page[] = [
  { what: 'the first zones', user: 'admin', path: zones(''), counted: true },
  { what: 'the last zones', user: 'admin', path: lastZones, counted: true },
  {
    what: 'zones by type and name',
    user: 'admin',
    path: zones('&page=2&sort=type,name'),
    counted: true,
  },
  {
    what: 'zones by name, backwards',
    user: 'admin',
    path: zones('&sort=name:desc'),
    counted: true,
  },
  { what: 'zones with a text', user: 'admin', path: zones('&q=hotel28') },
  {
    what: 'a zone by name',
    user: 'admin',
    path: zones('&name=missing.bench.invalid'),
    counted: true,
  },
  { what: 'own zones', user: 'owner', path: zones(''), counted: true },
  {
    what: 'own zones by name, backwards',
    user: 'owner',
    path: zones('&page=2&sort=name:desc'),
    counted: true,
  },
  { what: 'a zone', user: 'admin', path: ({ last }) => `/zones/${last}`, counted: true },
  {
    what: 'records of a zone',
    user: 'admin',
    path: ({ last }) => `/zones/${last}/records`,
    counted: true,
  },
  { what: 'the first records', user: 'admin', path: records(''), counted: true },
  { what: 'records by type', user: 'admin', path: records('&type=MX&page=1'), counted: true },
  {
    what: 'records by content, backwards, and by TTL',
    user: 'admin',
    path: records('&sort=content:desc,ttl'),
    counted: true,
  },
  {
    what: 'records of a type that have one content, backwards',
    user: 'admin',
    path: records('&type=MX&sort=content:desc'),
    counted: true,
  },
  {
    what: 'many records with a text, by name',
    user: 'admin',
    path: records('&name=e&sort=name&cursor=*'),
    counted: true,
  },
  {
    what: 'many RRsets with a text, by name',
    user: 'admin',
    path: sets('&content=1&sort=name&cursor=*'),
    counted: true,
  },
  {
    what: 'RRsets by name, backwards',
    user: 'admin',
    path: sets('&sort=name:desc'),
    counted: true,
  },
  {
    what: 'RRsets by TTL, in the middle',
    user: 'admin',
    path: sets('&sort=ttl&page=3'),
    counted: true,
  },
]

function lastZones({ first, last }: Filled): string {
  const pages = Math.ceil((last - first + 2) / 50)
  return `/zones?per_page=50&page=${pages}`
}

/** Builds a list with the given path and a page size of 50. */
const list =
  (path: string, query = ''): Path =>
  () =>
    `/${path}?per_page=50${query}`

/** Builds the first steps of a walk through a list. */
const steps =
  (path: string, query = ''): Path =>
  () =>
    `/${path}?per_page=5&cursor=*${query}`

const members =
  (query: string): Path =>
  ({ group }) =>
    `/groups/${group}/members?per_page=5&cursor=*${query}`
const groupZones =
  (query: string): Path =>
  ({ group }) =>
    `/groups/${group}/zones?per_page=50${query}`
const users = (query = '') => list('users', query)
const requests = (query = '') => list('change-requests', query)
const found = (q: string) => list('search', `&q=${encodeURIComponent(q)}`)

/**
 * As many users, API keys, group members and deleted zones as zones, and half as many change requests. Numbered pages count
 * all rows by an index. Only walks count the rows read, with five rows per step, because PostgreSQL scans a table of this
 * size for fifty rows.
 */
const ACCOUNT_PAGES: Page[] = [
  { what: 'the first users', user: 'admin', path: users() },
  {
    what: 'users by name, backwards',
    user: 'admin',
    path: users('&sort=username:desc'),
  },
  {
    what: 'users by full name and address',
    user: 'admin',
    path: users('&page=2&sort=fullname,email'),
  },
  { what: 'users by address, backwards', user: 'admin', path: users('&sort=email:desc') },
  {
    what: 'users by name, walked',
    user: 'admin',
    path: steps('users', '&sort=username'),
    counted: true,
  },
  {
    what: 'users by address, backwards, walked',
    user: 'admin',
    path: steps('users', '&sort=email:desc'),
    counted: true,
  },
  { what: 'a user by name', user: 'admin', path: users('&username=admin'), counted: true },
  {
    what: 'a user by address',
    user: 'admin',
    path: users('&email=nobody@bench.invalid'),
    counted: true,
  },
  { what: 'users with a text', user: 'admin', path: users('&q=bench2-77') },
  {
    what: 'users with a text by their addresses',
    user: 'admin',
    path: users('&q=son%2077%20&sort=email:desc'),
  },
  { what: 'the first API keys', user: 'admin', path: list('api-keys') },
  { what: 'API keys, walked', user: 'admin', path: steps('api-keys'), counted: true },
  {
    what: 'API keys with a text',
    user: 'admin',
    path: list('api-keys', '&q=router%20of%20bench%2077'),
  },
  {
    what: 'API keys of an owner',
    user: 'admin',
    path: list('api-keys', '&q=bench2-77'),
  },
  { what: 'tokens, walked', user: 'admin', path: steps('dynamic-dns/tokens'), counted: true },
  {
    what: 'clients of dynamic DNS',
    user: 'owner',
    path: list('dynamic-dns/clients'),
    counted: true,
  },
  { what: 'groups', user: 'admin', path: list('groups', '&sort=name') },
  { what: 'members, walked', user: 'admin', path: members('') },
  { what: 'members with a text', user: 'admin', path: members('&q=bench2-77') },
  { what: 'zones of a group', user: 'admin', path: groupZones('&sort=zone_name') },
  {
    what: 'zones of a group with a text',
    user: 'admin',
    path: groupZones('&q=hotel'),
  },
  { what: 'the first deleted zones', user: 'admin', path: list('trash') },
  { what: 'deleted zones, walked', user: 'admin', path: steps('trash'), counted: true },
  { what: 'pending change requests', user: 'admin', path: requests() },
  { what: 'all change requests', user: 'admin', path: requests('&status=all') },
  { what: 'rejected change requests', user: 'admin', path: requests('&status=rejected') },
  {
    what: 'pending change requests, walked',
    user: 'admin',
    path: steps('change-requests'),
    counted: true,
  },
  {
    what: 'change requests of a zone',
    user: 'admin',
    path: ({ first }) => `/change-requests?per_page=50&status=all&zone_id=${first}`,
    counted: true,
  },
  { what: 'own change requests', user: 'owner', path: requests('&status=all'), counted: true },
]

const SEARCHES: Page[] = [
  { what: 'a search for what many have', user: 'admin', path: found('bench'), perHit: true },
  { what: 'a search for what nobody has', user: 'admin', path: found('nowhere-to-be-found') },
  { what: 'a search for a zone', user: 'admin', path: found('hotel28') },
  {
    what: 'a search by type and name',
    user: 'admin',
    path: found('type:MX name:mail*'),
    perHit: true,
  },
  { what: 'a search by content', user: 'admin', path: found('content:10.0.0.'), perHit: true },
  { what: 'a search of somebody who sees some zones', user: 'owner', path: found('bench') },
]

/** All measured pages. */
export const PAGES: Page[] = [...ZONE_PAGES, ...ACCOUNT_PAGES, ...SEARCHES]
