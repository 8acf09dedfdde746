/*
 * The load program, in a process of its own: requests over connections that stay open, each sent when the answer to
 * the one before is there.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Connection, type Answer } from './connection.ts'

/** Requests of one kind. In path and body, `{n}` is the number of the request and `{ip}` an address made from it. */
export interface Load {
  /** Of servers of the same; connections take turns. */
  ports: number[]
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** The status of every answer; others are errors. */
  status: number
  /** Values that take turns, for `{name}` in path and body. */
  values?: Record<string, (string | number)[]>
  /** Ends when the values were used once. */
  once?: boolean
  /** Goes on with the cursor that the answer names, and from the start again after the last. */
  walk?: boolean
  /** The number of the first request, so that nothing is made twice. */
  from: number
  connections: number
  seconds: number
  /**
   * So many requests a second, each at its time whatever became of those before it; its time counts from then, so that
   * waiting for a free connection counts as well. Without it, connections send as soon as they have an answer.
   */
  perSecond?: number
  /** What the body of each answer begins with; others are errors. */
  answer?: string
  /** Requests that are sent whatever time they take, and seconds before that do not count. */
  least: number
  warmUp: number
}

/** What came of it. Times in milliseconds, of single requests. */
export interface LoadResult {
  /** Requests a second, those with errors left out. */
  rate: number
  times: number[]
  firsts: number[]
  bytes: number
  errors: number
  /** What the first error was. */
  trouble: string | null
  /** Number after that of the last request. */
  next: number
}

/** The load program as seen from the benchmark. */
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
    const gone = once(this.child, 'exit')
    this.child.disconnect()
    await gone
  }
}

/** Makes the text of request number `n`. */
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
    const place = `&cursor=${encodeURIComponent(cursor ?? '*')}`
    const target = fill(path, n) + (isWalk ? place : '')
    const text = body === undefined ? '' : fill(body, n)
    const sized = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`
    return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}${sized}\r\n${text}`
  }
}

async function measure(load: Load): Promise<LoadResult> {
  const request = writer(load)
  const most = load.once
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

  const note = (answer: Answer, sent: number) => {
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
  const goesOn = () =>
    started < most && (performance.now() < end || (counted < load.least && result.errors === 0))

  /** Waits until it is time for a request; that time. */
  const due = async (index: number) => {
    const time = start + (index * 1000) / load.perSecond!
    const early = time - performance.now()
    if (early > 0) await sleep(early)
    return time
  }
  const keeps = load.walk === true || load.answer !== undefined
  const work = async (_: unknown, place: number) => {
    const connection = new Connection(load.ports[place % load.ports.length])
    let cursor: string | null = null
    while (goesOn()) {
      const index = started++
      const sent = load.perSecond ? await due(index) : performance.now()
      try {
        const answer = await connection.ask(request(result.next++, cursor), keeps)
        note(answer, sent)
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
