import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'

const MINUTE_MS = 60_000

/** A table of counters. It also has the column `expires_at`. */
export interface CountedTable<Key> {
  name: string
  /** Columns that identify a row; together unique. */
  key: (keyof Key & string)[]
  /** Column of the number. */
  count: string
  /** Whether each increment restarts the lifetime; otherwise it runs from the first one. */
  isProlonged: boolean
  /** Minimum minutes between two deletions of expired rows by one process. */
  purgeMinutes: number
  /** Noun for the log message of a failed deletion. */
  what: string
}

/** Counters in the database, shared by all processes. Each row expires at its own time. */
export class ExpiringCounts<Key extends Record<string, string>> {
  #purgedAt = 0

  constructor(private readonly table: CountedTable<Key>) {}

  /** Returns the current count; 0 if it expired. */
  async readCount(key: Key): Promise<number> {
    const { name, count } = this.table
    const row: Record<string, unknown> | null = await db
      .from(name)
      .where(key)
      .where('expires_at', '>', timestampIn(0))
      .select(count)
      .first()
    return Number(row?.[count] ?? 0)
  }

  /** Returns those values of a column that have a row with at least this count. */
  async valuesAtLeast(
    column: keyof Key & string,
    values: readonly string[],
    minimum: number
  ): Promise<Set<string>> {
    const { name, count } = this.table
    const reachedValues = new Set<string>()
    for (const part of chunks([...values])) {
      const rows: Record<string, string>[] = await db
        .from(name)
        .whereIn(column, part)
        .where('expires_at', '>', timestampIn(0))
        .where(count, '>=', minimum)
        .select(column)
      rows.forEach((row) => reachedValues.add(row[column]))
    }
    return reachedValues
  }

  /** Increments the counter in one statement, so that concurrent increments are not lost. */
  async add(key: Key, minutes: number): Promise<void> {
    const { name, count, isProlonged } = this.table
    const now = timestampIn(0)
    const end = timestampIn(minutes)
    const unlessOver = (windowEnd: string, other: string) =>
      `case when ${name}.expires_at <= ? then ${windowEnd} else ${name}.${other} end`
    await retryOnConflict(() =>
      db
        .knexQuery()
        .table(name)
        .insert({ ...key, [count]: 1, expires_at: end })
        .onConflict(this.table.key)
        .merge({
          // Before expires_at: MariaDB assigns from left to right.
          [count]: db.knexRawQuery(unlessOver('1', `${count} + 1`), [now]),
          expires_at: isProlonged
            ? end
            : db.knexRawQuery(unlessOver('?', 'expires_at'), [now, end]),
        })
    )
    this.#purgeIfDue()
  }

  /** Deletes all rows with these values. */
  async forget(key: Partial<Key>): Promise<void> {
    await retryOnConflict(() => db.from(this.table.name).where(key).delete())
  }

  /** Deletes expired rows. Returns their number. */
  async purge(): Promise<number> {
    const removed: unknown = await retryOnConflict(() =>
      db.from(this.table.name).where('expires_at', '<=', timestampIn(0)).delete()
    )
    return Number(removed)
  }

  /** Deletes expired rows in the background, so that requests do not wait. */
  #purgeIfDue(): void {
    const { purgeMinutes, what } = this.table
    if (Date.now() - this.#purgedAt < purgeMinutes * MINUTE_MS) {
      return
    }
    this.#purgedAt = Date.now()
    this.purge().catch((error: unknown) => {
      logger.warn({ err: error }, `Deletion of expired ${what} failed`)
    })
  }
}

function timestampIn(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE_MS).toISOString()
}
