import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { MYSQL } from '#database/dialects/mysql'
import { POSTGRES } from '#database/dialects/postgres'
import type { SqlDialect } from '#database/dialects/sql_dialect'
import { SQLITE } from '#database/dialects/sqlite'

const DIALECTS: Record<string, SqlDialect> = {
  'better-sqlite3': SQLITE,
  'postgres': POSTGRES,
  'mysql': MYSQL,
}

/** The dialect of the database of a connection or transaction. */
export function dialectOf({ dialect }: Pick<QueryClientContract, 'dialect'>): SqlDialect {
  return DIALECTS[dialect.name]
}
