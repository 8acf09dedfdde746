import { performance } from 'node:perf_hooks'

/** Milliseconds of computation after which other requests have a turn. */
const SLICE_MS = 10

/** When the present slice ends. All computations of the process share it. */
let sliceEnd = 0

/**
 * Lets other requests run if the computation has held the event loop for a slice. Call it in each loop whose length
 * depends on a request or on the size of a zone; await the promise if there is one.
 */
export function pause(): Promise<void> | undefined {
  return performance.now() < sliceEnd ? undefined : nextTurn()
}

/** Computations that pause, in the order they go on. */
const paused: (() => void)[] = []

/** One computation goes on in each turn of the event loop: other requests wait for one slice, not for one of each. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (paused.push(resolve) === 1) setImmediate(goOn)
  })
}

function goOn(): void {
  sliceEnd = performance.now() + SLICE_MS
  paused.shift()?.()
  if (paused.length > 0) setImmediate(goOn)
}

/** Runs a computation that yields after each step, with pauses for other requests. Returns its result. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    const due = pause()
    if (due) await due
  }
}

/** As `Array.map`, with pauses for other requests. */
export async function mapInTurns<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => R
): Promise<R[]> {
  const results: R[] = []
  for (const item of items) {
    const due = pause()
    if (due) await due
    results.push(work(item, results.length))
  }
  return results
}

/** As `Array.flatMap`, with pauses for other requests. */
export async function flatMapInTurns<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => readonly R[]
): Promise<R[]> {
  const results = await mapInTurns(items, work)
  return results.flat() as R[]
}

/** The items one by one, with pauses for other requests. */
export async function* withPauses<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    const due = pause()
    if (due) await due
    yield item
  }
}

/** Joins the parts of a text, with pauses for other requests. */
export async function textInTurns(
  parts: Iterable<string> | AsyncIterable<string>
): Promise<string> {
  const joined: string[] = []
  for await (const part of parts) {
    joined.push(part)
    const due = pause()
    if (due) await due
  }
  return joined.join('')
}

/** A statement and a connection of better-sqlite3; only the part used here. */
interface SqliteStatement {
  all(values: readonly unknown[]): unknown
  run(values: readonly unknown[]): unknown
}
interface SqliteConnection {
  prepare(sql: string): object
}

/**
 * Makes statements of a SQLite connection pause after their run where a pause is due. The driver is synchronous: without
 * this, a request of many statements holds the event loop until its end.
 */
export function pauseAfterStatements(connection: SqliteConnection): void {
  const prepare = connection.prepare.bind(connection)
  const wrapped = new WeakSet<object>()
  connection.prepare = (sql) => {
    const statement = prepare(sql) as SqliteStatement
    if (wrapped.has(statement)) return statement
    wrapped.add(statement)
    for (const method of ['all', 'run'] as const) {
      const send = statement[method].bind(statement)
      statement[method] = (values) => {
        const result = send(values)
        const due = pause()
        return due ? due.then(() => result) : result
      }
    }
    return statement
  }
}

/** Arrays of more items are written item by item. */
const LONG_LIST = 200

/** As `JSON.stringify`, with pauses for other requests within long lists. */
export async function jsonInTurns(value: unknown): Promise<string> {
  if (Array.isArray(value) && value.length > LONG_LIST) {
    const items = await mapInTurns(value as unknown[], (item) => JSON.stringify(item) ?? 'null')
    return `[${items.join(',')}]`
  }
  if (Array.isArray(value)) {
    const items: string[] = []
    for (const item of value as unknown[]) items.push((await jsonInTurns(item)) ?? 'null')
    return `[${items.join(',')}]`
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    return JSON.stringify(value)
  }
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = await jsonInTurns(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** Whether an answer holds a list so long that it is written with pauses. Looks a few levels deep only. */
export function isLarge(value: unknown, depth = 7): boolean {
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    return value.length > LONG_LIST || value.slice(0, 5).some((item) => isLarge(item, depth - 1))
  }
  return Object.values(value).some((member) => isLarge(member, depth - 1))
}
