import type { BareDatabase, BareWork } from './statements.ts'
import type { Caller, Scene } from './scene.ts'

/** A filled database and its facts, from which cells are built. */
export interface Setting {
  scene: Scene
  /** Number of zones, including the large one. */
  zones: number
  bare: BareDatabase
}

/** Credentials of a request. */
export type Credentials =
  | 'administrator'
  | 'owner'
  | 'member'
  | 'basic'
  | 'browser'
  | 'router'
  | 'router with a password'
  | 'wrong key'
  | 'nobody'

/** One measured kind of request. */
export interface Cell {
  /** Uses the cell names of the compared product where it has the same request. */
  name: string
  /** Cells of one family are compared across sizes. The default is the name. */
  family?: string
  as?: Credentials
  method?: string
  /** With placeholders as in `Load.path`. */
  path: string
  body?: string
  status?: number
  /** Expected start of each response body; any other is an error. */
  answer?: string
  connections?: number[]
  /** Called right before the cell is measured. */
  values?: () => Promise<Record<string, (string | number)[]>>
  once?: boolean
  /**
   * Values for `{fresh}` in the path. The main measurement uses the first value. The others are used once each, to measure the
   * first request for a text or page.
   */
  fresh?: (string | number)[]
  /** Follows `cursor` from page to page. */
  walk?: boolean
  /** A slow request: a few are enough. */
  whole?: boolean
  /** Rows that each request reads or writes. The default is the row count of a response. */
  rows?: number
  /** The minimum statements for the same result. */
  bare?: BareWork
  /** Also measured on a bare HTTP server with the same statements. */
  bareHttp?: boolean
  /** The server may not have this endpoint and then answers 404. */
  optional?: boolean
}

/** The dynamic DNS endpoint requires a User-Agent. */
const ROUTER = 'inadyn/2.12.0 https://github.com/troglobit/inadyn/issues'

/** Authentication headers of a caller. */
export function headersOf(
  who: Credentials,
  scene: Scene,
  password: string
): Record<string, string> {
  const byKey = ({ key }: Caller) => ({ 'X-API-Key': key })
  switch (who) {
    case 'administrator':
      return byKey(scene.administrator)
    case 'owner':
      return byKey(scene.owner)
    case 'member':
      return byKey(scene.member)
    case 'browser':
      return { Cookie: scene.cookie, Accept: 'text/html' }
    case 'wrong key':
      return { 'X-API-Key': `pwa_${'0'.repeat(64)}` }
    case 'basic':
      return byPassword(scene.administrator, password)
    case 'router':
      return { 'User-Agent': ROUTER }
    case 'router with a password':
      return { 'User-Agent': ROUTER, ...byPassword(scene.owner, password) }
    case 'nobody':
      return {}
  }
}

function byPassword({ username }: Caller, password: string): Record<string, string> {
  const text = Buffer.from(`${username}:${password}`).toString('base64')
  return { Authorization: `Basic ${text}` }
}

/** At most `most` items at equal distances. */
export function spread<T>(items: T[], most: number): T[] {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(most, items.length) }, (_, i) => items[Math.floor(i * step)])
}
