import { LRUCache } from 'lru-cache'

/** Several times the number of different statements that Zonewright sends. */
const MAX_STATEMENTS = 500

/** Longer statements contain many values in their text and are not repeated. */
const MAX_LENGTH = 4_000

/** Statements after which prepared ones may read other columns. */
const DDL = /^\s*(create|alter|drop|pragma|vacuum|attach|detach)\b/i

/** A connection of better-sqlite3; only the part used here. */
interface SqliteConnection {
  prepare(sql: string): object
}

/**
 * Caches prepared statements of a connection. Knex prepares each query again, which is a fifth of the time of a write. The
 * driver is synchronous, so a cached statement is never in use.
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
