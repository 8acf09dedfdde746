/*
 * The load program, in its own process: requests over keep-alive connections. Each connection sends after the response to its
 * previous request.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Connection, type Answer } from './connection.ts'

/** Requests of one kind. In path and body, `{n}` is the number of the request and `{ip}` an address derived from it. */
export interface Load {
  /** Ports of equivalent servers; connections alternate between them. */
  ports: number[]
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** Expected status; any other is an error. */
  status: number
  /** Values for `{name}` in path and body, used in rotation. */
  values?: Record<string, (string | number)[]>
  /** Ends after each value was used once. */
  once?: boolean
  /** Follows the cursor of each response, and restarts after the last page. */
  walk?: boolean
  /** Number of the first request. Numbers of a run are unique, so that no object is created twice. */
  from: number
  connections: number
  seconds: number
  /**
   * Fixed rate of requests per second, independent of the responses. Times start at the due time, so they include the wait for
   * a free connection. Without a rate, connections send after each response.
   */
  perSecond?: number
  /** Expected start of each response body; any other is an error. */
  answer?: string
  /** Minimum number of requests regardless of `seconds`; seconds of warm-up, which are not counted. */
  least: number
  warmUp: number
}

/** Results. Times are milliseconds of single requests. */
export interface LoadResult {
  /** Successful requests per second. */
  rate: number
  times: number[]
  firsts: number[]
  bytes: number
  errors: number
  /** The first error. */
  trouble: string | null
  /** Number of the next request. */
  next: number
}

/** Controls the load program from the benchmark. */
export class Loader {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<Loader> {
    const file = fileURLToPath(import.meta.url)
    const child = fork(file, ['loader'], { execArgv: process.execArgv })
    await once(child, 'message')
    return new Loader(child)
  }

  async run(load: Load): Promise<LoadResult> {
    this.child.send(load)
    const [result] = (await once(this.child, 'message')) as [LoadResult]
    return result
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.disconnect()
    await exited
  }
}

/** Returns a function that builds the text of request number `n`. */
function writer(load: Load): (n: number, cursor: string | null) => string {
  const { method, path, headers, body, values = {} } = load
  const fill = (text: string, n: number) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      if (name === 'n') return String(n)
      if (name === 'ip') return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
      const list = values[name]
      return list ? String(list[(load.once ? n - load.from : n) % list.length]) : whole
    })
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return (n, cursor) => {
    const isWalk = load.walk === true
    const cursorParameter = `&cursor=${encodeURIComponent(cursor ?? '*')}`
    const target = fill(path, n) + (isWalk ? cursorParameter : '')
    const text = body === undefined ? '' : fill(body, n)
    const sized = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`
    return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}${sized}\r\n${text}`
  }
}

async function measure(load: Load): Promise<LoadResult> {
  const request = writer(load)
  const maxRequests = load.once
    ? Math.min(...Object.values(load.values!).map((list) => list.length))
    : Infinity
  const result: LoadResult = {
    rate: 0,
    times: [],
    firsts: [],
    bytes: 0,
    errors: 0,
    trouble: null,
    next: load.from,
  }
  const start = performance.now()
  const begin = start + load.warmUp * 1000
  const end = begin + load.seconds * 1000
  let started = 0
  let counted = 0
  let lastEnd = begin

  const countAnswer = (answer: Answer, sent: number) => {
    const isWrong =
      answer.status !== load.status || !answer.body.startsWith(load.answer ?? answer.body)
    if (isWrong) {
      result.errors++
      result.trouble ??= `${answer.status}: ${answer.body.slice(0, 300)}`
    } else if ((load.perSecond ? performance.now() : sent) >= begin) {
      counted++
      const waited = load.perSecond ? performance.now() - sent - answer.last : 0
      result.times.push(answer.last + waited)
      result.firsts.push(answer.first + waited)
      result.bytes = answer.bytes
      lastEnd = performance.now()
    }
  }
  const mustContinue = () =>
    started < maxRequests &&
    (performance.now() < end || (counted < load.least && result.errors === 0))

  /** Waits until a request is due. Returns its due time. */
  const due = async (index: number) => {
    const time = start + (index * 1000) / load.perSecond!
    const early = time - performance.now()
    if (early > 0) await sleep(early)
    return time
  }
  const keepsBody = load.walk === true || load.answer !== undefined
  const work = async (_: unknown, cursorParameter: number) => {
    const connection = new Connection(load.ports[cursorParameter % load.ports.length])
    let cursor: string | null = null
    while (mustContinue()) {
      const index = started++
      const sent = load.perSecond ? await due(index) : performance.now()
      try {
        const answer = await connection.ask(request(result.next++, cursor), keepsBody)
        countAnswer(answer, sent)
        if (load.walk) cursor = JSON.parse(answer.body).next_cursor ?? null
      } catch (error) {
        result.errors++
        result.trouble ??= (error as Error).message
        connection.close()
        if (result.errors > 20) break
      }
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: load.connections }).map(work))
  result.rate = counted === 0 ? 0 : counted / ((lastEnd - begin) / 1000)
  return result
}

if (process.argv[2] === 'loader') {
  process.on('message', (load: Load) => void measure(load).then((result) => process.send!(result)))
  process.on('disconnect', () => process.exit(0))
  process.send!('ready')
}
