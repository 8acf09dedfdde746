import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'

const MINUTE_MS = 60_000

/** A table of counts. Beside these it has a column `expires_at`. */
export interface CountedTable<Key> {
  name: string
  /** Columns that tell rows apart, together unique. */
  key: (keyof Key & string)[]
  /** The column with the number. */
  count: string
  /** Whether each count starts the time anew; else it goes on from the first one. */
  isProlonged: boolean
  /** Outdated rows are removed at most this often by each process. */
  purgeMinutes: number
  /** What cannot be purged then, for the log. */
  what: string
}

/** Counts in the database, so that all processes count together; each ends by itself when its time is over. */
export class ExpiringCounts<Key extends Record<string, string>> {
  #purgedAt = 0

  constructor(private readonly table: CountedTable<Key>) {}

  /** The count at this moment. */
  async of(key: Key): Promise<number> {
    const { name, count } = this.table
    const row: Record<string, unknown> | null = await db
      .from(name)
      .where(key)
      .where('expires_at', '>', timestampIn(0))
      .select(count)
      .first()
    return Number(row?.[count] ?? 0)
  }

  /** The values of a column, among these, of which some row counts at least so many at this moment. */
  async reached(
    column: keyof Key & string,
    values: readonly string[],
    least: number
  ): Promise<Set<string>> {
    const { name, count } = this.table
    const found = new Set<string>()
    for (const part of chunks([...values])) {
      const rows: Record<string, string>[] = await db
        .from(name)
        .whereIn(column, part)
        .where('expires_at', '>', timestampIn(0))
        .where(count, '>=', least)
        .select(column)
      rows.forEach((row) => found.add(row[column]))
    }
    return found
  }

  /** Counts one more, in one statement, so that none is lost among many at once. */
  async add(key: Key, minutes: number): Promise<void> {
    const { name, count, isProlonged } = this.table
    const now = timestampIn(0)
    const end = timestampIn(minutes)
    const unlessOver = (then: string, other: string) =>
      `case when ${name}.expires_at <= ? then ${then} else ${name}.${other} end`
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
    this.#purgeNowAndThen()
  }

  /** Forgets the counts of all rows that have these columns. */
  async forget(key: Partial<Key>): Promise<void> {
    await retryOnConflict(() => db.from(this.table.name).where(key).delete())
  }

  /** Removes what does not count any more. Returns how many rows. */
  async purge(): Promise<number> {
    const removed: unknown = await retryOnConflict(() =>
      db.from(this.table.name).where('expires_at', '<=', timestampIn(0)).delete()
    )
    return Number(removed)
  }

  /** Nobody waits for it. */
  #purgeNowAndThen(): void {
    const { purgeMinutes, what } = this.table
    if (Date.now() - this.#purgedAt < purgeMinutes * MINUTE_MS) {
      return
    }
    this.#purgedAt = Date.now()
    this.purge().catch((error: unknown) => {
      logger.warn({ err: error }, `Outdated ${what} were not removed`)
    })
  }
}

function timestampIn(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE_MS).toISOString()
}
