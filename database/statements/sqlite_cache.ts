import { LRUCache } from 'lru-cache'

/** Several times the number of different statements that Zonewright sends. */
const MAX_STATEMENTS = 500

/** Longer statements contain many values in their text and are not repeated. */
const MAX_LENGTH = 4_000

/** What changes tables: what was prepared before may read other columns. */
const DDL = /^\s*(create|alter|drop|pragma|vacuum|attach|detach)\b/i

/** A connection of better-sqlite3; only the part used here. */
interface SqliteConnection {
  prepare(sql: string): object
}

/**
 * Lets a connection prepare each text once: the query builder prepares anew for each query that it sends, which
 * takes a fifth of the time of a write. Statements are of one connection and run to their end before the next one
 * begins, so that none is met while it works.
 */
export function cacheStatements(connection: SqliteConnection): void {
  const prepare = connection.prepare.bind(connection)
  const cache = new LRUCache<string, object>({ max: MAX_STATEMENTS })
  connection.prepare = (sql) => {
    if (DDL.test(sql)) {
      cache.clear()
      return prepare(sql)
    }
    const cached = cache.get(sql)
    if (cached) {
      return cached
    }
    const statement = prepare(sql)
    if (sql.length <= MAX_LENGTH) {
      cache.set(sql, statement)
    }
    return statement
  }
}
