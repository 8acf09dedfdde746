import { performance } from 'node:perf_hooks'

/** Milliseconds of computation after which other requests run. */
const SLICE_MS = 10

/** End of the current slice, which all computations of the process share. */
let sliceEnd = 0

/**
 * Yields to the event loop if computations have used it for a slice. Call it in each loop whose length depends on a request
 * or on the size of a zone; await the promise if there is one.
 */
export function yieldIfDue(): Promise<void> | undefined {
  return performance.now() < sliceEnd ? undefined : queueForEventLoop()
}

/** Computations that have yielded, in the order in which they resume. */
const yielded: (() => void)[] = []

/** One computation resumes per iteration of the event loop: other requests wait for one slice, not for one of each. */
function queueForEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (yielded.push(resolve) === 1) setImmediate(resumeNext)
  })
}

function resumeNext(): void {
  sliceEnd = performance.now() + SLICE_MS
  yielded.shift()?.()
  if (yielded.length > 0) setImmediate(resumeNext)
}

/** Runs the steps of a generator and yields to the event loop when due. Returns its result. */
export async function runYielding<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
    const pause = yieldIfDue()
    if (pause) await pause
  }
}

/** As `Array.map`; yields to the event loop when due. */
export async function mapYielding<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => R
): Promise<R[]> {
  const results: R[] = []
  for (const item of items) {
    const pause = yieldIfDue()
    if (pause) await pause
    results.push(work(item, results.length))
  }
  return results
}

/** As `Array.flatMap`; yields to the event loop when due. */
export async function flatMapYielding<T, R>(
  items: Iterable<T>,
  work: (item: T, index: number) => readonly R[]
): Promise<R[]> {
  const results = await mapYielding(items, work)
  return results.flat() as R[]
}

/** Iterates over the items; yields to the event loop when due. */
export async function* iterateYielding<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    const pause = yieldIfDue()
    if (pause) await pause
    yield item
  }
}

/** As `Array.join('')`; yields to the event loop when due. */
export async function joinYielding(
  parts: Iterable<string> | AsyncIterable<string>
): Promise<string> {
  const joined: string[] = []
  for await (const part of parts) {
    joined.push(part)
    const pause = yieldIfDue()
    if (pause) await pause
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
 * Lets statements of a SQLite connection yield to the event loop after their run. The driver is synchronous: without this,
 * a request of many statements blocks the event loop until its end.
 */
export function yieldAfterStatements(connection: SqliteConnection): void {
  const prepare = connection.prepare.bind(connection)
  const wrappedConnections = new WeakSet<object>()
  connection.prepare = (sql) => {
    const statement = prepare(sql) as SqliteStatement
    if (wrappedConnections.has(statement)) return statement
    wrappedConnections.add(statement)
    for (const method of ['all', 'run'] as const) {
      const send = statement[method].bind(statement)
      statement[method] = (values) => {
        const result = send(values)
        const pause = yieldIfDue()
        return pause ? pause.then(() => result) : result
      }
    }
    return statement
  }
}

/** Arrays of more items are written item by item. */
const MAX_SYNC_ITEMS = 200

/** As `JSON.stringify`; yields to the event loop within long lists. */
export async function stringifyYielding(value: unknown): Promise<string> {
  if (Array.isArray(value) && value.length > MAX_SYNC_ITEMS) {
    const items = await mapYielding(value as unknown[], (item) => JSON.stringify(item) ?? 'null')
    return `[${items.join(',')}]`
  }
  if (Array.isArray(value)) {
    const items: string[] = []
    for (const item of value as unknown[]) items.push((await stringifyYielding(item)) ?? 'null')
    return `[${items.join(',')}]`
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    return JSON.stringify(value)
  }
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const text = await stringifyYielding(member)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

/** Whether an answer contains a list that is long enough for `stringifyYielding`. Checks a few levels only. */
export function isLarge(value: unknown, depth = 7): boolean {
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    return (
      value.length > MAX_SYNC_ITEMS || value.slice(0, 5).some((item) => isLarge(item, depth - 1))
    )
  }
  return Object.values(value).some((member) => isLarge(member, depth - 1))
}
