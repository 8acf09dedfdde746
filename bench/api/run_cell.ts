import { Connection } from './connection.ts'
import { headersOf, type Cell, type Setting } from './cell.ts'
import type { BareHttp } from './bare_http.ts'
import type { Load, Loader, LoadResult } from './load.ts'
import type { Product } from './product.ts'
import { PASSWORD } from './scene.ts'
import { timeBare } from './statements.ts'
import { quantile } from '../support/http.ts'

/** One result: a cell with a number of connections. */
export interface Line {
  size: string
  cell: string
  family: string
  connections: number
  /** Requests per second. */
  rate: number
  /** Percentiles in milliseconds. */
  p50: number
  p99: number
  /** Milliseconds until the first byte of the response. */
  first: number
  requests: number
  bytes: number
  /** Rows read or written per second. */
  rows: number
  /** MiB of the server's processes before the measurement, and their growth. */
  before: number
  grown: number
  /** Median as a multiple of the bare statements, at one connection. */
  bare: number | null
  /** Milliseconds of first requests for a text or page, at one connection. */
  fresh: { p50: number; worst: number } | null
  /** Requests per second as a fraction of those of the bare HTTP server. */
  bareHttp: number | null
  /** p50 and p99 as multiples of those of the smallest size. */
  growth: { p50: number; p99: number } | null
  note: string
}

/** Servers and options of a measurement. */
export interface Bench {
  setting: Setting
  product: Product
  loader: Loader
  bareHttp: BareHttp
  seconds: number
  connections: number[]
}

const WARM_UP_SECONDS = 0.3
const BARE_SECONDS = 0.3
const MIN_REQUESTS = 20
const MIN_SLOW_REQUESTS = 3
/** Alternations between the product and the bare HTTP server. */
const TURNS = 3

/** Number of the next request, unique across all cells of a run. */
let next = 1

/** Measures a cell. Returns one line for each number of connections. */
export async function runCell(cell: Cell, size: string, bench: Bench): Promise<Line[]> {
  const { setting, product, loader } = bench
  const load = await loadOf(cell, bench)
  const { rows, missing } = await probe(cell, load)
  if (missing) return [blank(cell, size, missing)]
  const lines: Line[] = []
  for (const connections of connectionsOf(cell, bench)) {
    // Values that are used once must be read again.
    const values = cell.once ? await cell.values?.() : load.values
    const part = connections === 1 && cell.once ? half(values!) : values
    const { result, memory } = await product.watch(() =>
      loader.run({ ...load, values: part, connections, from: next })
    )
    next = result.next
    const bareMs = connections === 1 ? await bareTime(cell, setting) : null
    const line = summary(cell, size, result, rows)
    lines.push({
      ...line,
      connections,
      before: memory.before,
      grown: memory.peak - memory.before,
      bare: bareMs && line.p50 / bareMs,
      fresh: connections === 1 ? await freshTime(cell, bench, load) : null,
      bareHttp: await compareWithBareHttp(cell, bench, load, connections),
    })
  }
  return lines
}

async function loadOf(cell: Cell, { setting, product, seconds }: Bench): Promise<Load> {
  const type: Record<string, string> = cell.body ? { 'Content-Type': 'application/json' } : {}
  return {
    ports: [product.port],
    method: cell.method ?? 'GET',
    path: cell.path,
    headers: { ...headersOf(cell.as ?? 'administrator', setting.scene, PASSWORD), ...type },
    body: cell.body,
    status: cell.status ?? 200,
    answer: cell.answer,
    values: cell.fresh
      ? { fresh: cell.fresh.slice(0, 1) }
      : cell.once
        ? undefined
        : await cell.values?.(),
    once: cell.once,
    walk: cell.walk,
    from: next,
    connections: 1,
    seconds: cell.whole ? 0 : seconds,
    least: cell.whole ? MIN_SLOW_REQUESTS : MIN_REQUESTS,
    warmUp: cell.whole || cell.once ? 0 : WARM_UP_SECONDS,
  }
}

function connectionsOf(cell: Cell, { connections }: Bench): number[] {
  if (cell.whole || cell.walk) return [1]
  return cell.connections ?? connections
}

/** The first half of each list. The other half stays for the next measurement. */
function half(values: Record<string, (string | number)[]>) {
  const halves = Object.entries(values).map(([name, list]) => [
    name,
    list.slice(0, Math.ceil(list.length / 2)),
  ])
  return Object.fromEntries(halves) as typeof values
}

/** Sends one request: does the endpoint exist, and how many rows does it return? */
async function probe(cell: Cell, load: Load): Promise<{ rows: number; missing?: string }> {
  if (cell.rows !== undefined && !cell.walk) return { rows: cell.rows }
  const path = load.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(load.values?.[name]?.[0])
  )
  const head = Object.entries(load.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const connection = new Connection(load.ports[0])
  const cursor = cell.walk ? '&cursor=*' : ''
  const request = `${load.method} ${path}${cursor} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head.join('')}\r\n`
  const answer = await connection.ask(request, true)
  connection.close()
  if (cell.optional && answer.status === 404) return { rows: 0, missing: 'not offered' }
  if (answer.status !== load.status) return { rows: 0 }
  const body = JSON.parse(answer.body) as { data?: unknown }
  if (cell.walk) {
    const offers = 'next_cursor' in body
    return { rows: cell.rows ?? 0, missing: offers ? undefined : 'not offered' }
  }
  return { rows: rowsIn(body.data) }
}

function rowsIn(data: unknown): number {
  if (Array.isArray(data)) return data.length
  if (typeof data !== 'object' || data === null) return 0
  const list = Object.values(data).find((value) => Array.isArray(value)) as unknown[] | undefined
  return list?.length ?? 1
}

async function bareTime(cell: Cell, { bare }: Setting): Promise<number | null> {
  if (!cell.bare) return null
  const seconds = cell.whole ? 0 : BARE_SECONDS
  const found = await timeBare(bare, cell.bare, { seconds, least: 3, from: next })
  next = found.next
  return found.ms
}

/** Requests each value once, except for the first, which was requested before. */
async function freshTime(cell: Cell, { loader }: Bench, load: Load): Promise<Line['fresh']> {
  if (!cell.fresh || cell.fresh.length < 2) return null
  const values = { fresh: cell.fresh.slice(1) }
  const once = { once: true, connections: 1, seconds: 0, warmUp: 0, least: values.fresh.length }
  const { times } = await loader.run({ ...load, ...once, values, from: next })
  return times.length === 0 ? null : { p50: quantile(times, 0.5), worst: Math.max(...times) }
}

/** Alternates between both servers, so that other load on the machine affects both. */
async function compareWithBareHttp(
  cell: Cell,
  { loader, bareHttp }: Bench,
  load: Load,
  connections: number
): Promise<number | null> {
  if (!cell.bareHttp) return null
  const rates = { ours: 0, theirs: 0 }
  const run = async (ports: number[]) => {
    const seconds = load.seconds / TURNS
    const result = await loader.run({ ...load, ports, seconds, connections, from: next })
    next = result.next
    return result.errors > 0 ? Number.NaN : result.rate
  }
  for (let turn = 0; turn < TURNS; turn++) {
    rates.ours += await run(load.ports)
    rates.theirs += await run(bareHttp.ports)
  }
  const ratio = rates.ours / rates.theirs
  return Number.isFinite(ratio) ? ratio : null
}

function summary(cell: Cell, size: string, result: LoadResult, rows: number): Line {
  const { times, rate, errors, trouble } = result
  const line = blank(cell, size, errors > 0 ? `${errors} errors, ${trouble}` : '')
  if (times.length === 0) return line
  return {
    ...line,
    rate,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    first: quantile(result.firsts, 0.5),
    requests: times.length,
    bytes: result.bytes,
    rows: rate * rows,
  }
}

function blank(cell: Cell, size: string, note: string): Line {
  const none = { rate: 0, p50: 0, p99: 0, first: 0, requests: 0, bytes: 0, rows: 0 }
  const nothing = { before: 0, grown: 0, bare: null, fresh: null, bareHttp: null, growth: null }
  const family = cell.family ?? cell.name
  return { size, cell: cell.name, family, connections: 1, ...none, ...nothing, note }
}
