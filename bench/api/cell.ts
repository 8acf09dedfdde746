import type { BareDatabase, BareWork } from './statements.ts'
import type { Caller, Scene } from './scene.ts'

/** What cells are made from: a filled database, and what is known of it. */
export interface Setting {
  scene: Scene
  /** Zones in it, the large one included. */
  zones: number
  bare: BareDatabase
}

/** How a request says who asks. */
export type Who =
  | 'administrator'
  | 'owner'
  | 'member'
  | 'basic'
  | 'browser'
  | 'router'
  | 'router with a password'
  | 'wrong key'
  | 'nobody'

/** One thing that is measured. */
export interface Cell {
  /** As in the tables of the peer, where it has the like. */
  name: string
  /** Cells of one family are compared over sizes; the name, where there is none. */
  family?: string
  as?: Who
  method?: string
  /** As in `Load`, with `{n}` and the values. */
  path: string
  body?: string
  status?: number
  /** What the body of each answer begins with; others are errors. */
  answer?: string
  connections?: number[]
  /** Asked for right before the cell is measured. */
  values?: () => Promise<Record<string, (string | number)[]>>
  once?: boolean
  /**
   * For `{fresh}` in the path, without other values: the first each time, as who turns pages asks, and then the others once
   * each, which tells what the first request for a text or a page costs.
   */
  fresh?: (string | number)[]
  /** Goes from page to page by `cursor`. */
  walk?: boolean
  /** Takes long: a few requests are enough. */
  whole?: boolean
  /** Rows that each request reads or writes; counted in an answer where absent. */
  rows?: number
  /** The least that the same takes. */
  bare?: BareWork
  /** Also measured beside a bare HTTP server that sends the same statements. */
  bareHttp?: boolean
  /** May be missing in the server under test, which then says 404. */
  optional?: boolean
}

/** Routers have to say what they are. */
const ROUTER = 'inadyn/2.12.0 https://github.com/troglobit/inadyn/issues'

/** The headers that a caller sends. */
export function headersOf(who: Who, scene: Scene, password: string): Record<string, string> {
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

/** Items at even distances, at most so many. */
export function spread<T>(items: T[], most: number): T[] {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(most, items.length) }, (_, i) => items[Math.floor(i * step)])
}
