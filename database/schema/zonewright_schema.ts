import { BaseSchema } from '@adonisjs/lucid/schema'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { createTrigramIndex, type TrigramIndex } from '#database/schema/postgres_indexes'

type TableBuilder = Parameters<Parameters<BaseSchema['schema']['createTable']>[1]>[0]

/**
 * Base class of the migrations of Zonewright's tables. Their prefix `zw_` separates them from the tables of PowerDNS and of
 * other tools.
 *
 * Text compares byte by byte on every database. Timestamps are ISO 8601 text in UTC with milliseconds
 * (24 characters): it sorts by time and is equal on all three databases.
 *
 * What it builds never changes, so it does not use `#database/dialects`.
 */
export abstract class ZonewrightSchema extends BaseSchema {
  protected createZonewrightTable(name: string, define: (table: TableBuilder) => void): void {
    this.dropLeftOver(`zw_${name}`)
    this.schema.createTable(`zw_${name}`, (table) => {
      if (this.db.dialect.name === 'mysql') {
        table.charset('utf8mb4')
        table.collate('utf8mb4_bin')
      }
      define(table)
    })
  }

  /**
   * Drops an empty table that an interrupted run of this migration created. This happens on MariaDB and MySQL, which commit
   * each statement, and in migrations without a transaction. A table with rows stays, and the migration fails. `first` names
   * column values of initial rows, which do not count.
   */
  protected dropLeftOver(table: string, first: Record<string, number> | null = null): void {
    const { disableTransactions } = this.constructor as typeof BaseSchema
    if (!disableTransactions && !commitsSchemaChanges(this.db)) {
      return
    }
    this.defer(async (client) => {
      if (!(await client.schema.hasTable(table))) {
        return
      }
      const rows = client.from(table)
      if (!(await (first ? rows.whereNot(first) : rows).first())) {
        await withoutForeignKeys(client, () => client.rawQuery(`DROP TABLE ${table}`))
      }
    })
  }

  /** Alters a table, unless the last of the new columns or indexes exists. */
  protected async alterOnce(
    table: string,
    lastPart: string,
    alter: (table: TableBuilder) => void
  ): Promise<void> {
    const parts = await this.partsOf(table)
    if (!parts.has(lastPart)) {
      this.schema.alterTable(table, alter)
    }
  }

  /**
   * Drops columns. Knex would rebuild the table on SQLite: dropping the old table deletes the rows that refer to it.
   */
  protected dropZonewrightColumns(table: string, ...columns: string[]): void {
    for (const column of columns) {
      this.schema.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`)
    }
  }

  /** Type of a text column that compares byte by byte, whatever the collation of the database. */
  protected byteOrderedText(length: number): string {
    return `VARCHAR(${length})${this.db.dialect.name === 'postgres' ? ' COLLATE "C"' : ''}`
  }

  /**
   * Columns and indexes of a table. Only MariaDB and MySQL can have parts of an interrupted migration; elsewhere the set is
   * empty.
   */
  protected async partsOf(table: string): Promise<Set<string>> {
    if (!commitsSchemaChanges(this.db)) {
      return new Set()
    }
    const [rows] = (await this.db.rawQuery(
      `SELECT column_name AS part FROM information_schema.columns
       WHERE table_schema = database() AND table_name = ?
       UNION SELECT index_name FROM information_schema.statistics
       WHERE table_schema = database() AND table_name = ?`,
      [table, table]
    )) as [{ part: string }[]]
    return new Set(rows.map(({ part }) => part))
  }

  /** Creates a table of trigrams, each with the blocks of row ids that contain it. */
  protected createTrigramTable(name: string): void {
    this.dropLeftOver(name)
    const options = this.db.dialect.name === 'better-sqlite3' ? 'WITHOUT ROWID' : ''
    this.schema.raw(
      `CREATE TABLE ${name}
         (gram INTEGER NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (gram, block)) ${options}`
    )
  }

  /**
   * Creates indexes of pg_trgm on PostgreSQL while other sessions read and write; does nothing without pg_trgm. Only for a
   * migration with `disableTransactions`.
   */
  protected createTrigramIndexes(indexes: readonly TrigramIndex[]): void {
    this.defer(async (client) => {
      if (client.dialect.name !== 'postgres') return
      for (const index of indexes) {
        await createTrigramIndex(client, index)
      }
    })
  }

  protected dropZonewrightTables(...names: string[]): void {
    for (const name of names) {
      this.schema.dropTableIfExists(`zw_${name}`)
    }
  }
}

/** Whether each statement that changes the schema commits the transaction. */
function commitsSchemaChanges({ dialect }: QueryClientContract): boolean {
  return dialect.name === 'mysql'
}

/** Runs work without checks of foreign keys: the tables that refer to a dropped one are dropped next. */
async function withoutForeignKeys(
  client: QueryClientContract,
  work: () => Promise<unknown>
): Promise<void> {
  if (!commitsSchemaChanges(client)) {
    await work()
    return
  }
  await client.rawQuery('SET FOREIGN_KEY_CHECKS = 0')
  try {
    await work()
  } finally {
    await client.rawQuery('SET FOREIGN_KEY_CHECKS = 1')
  }
}

/** A column for a timestamp of ISO 8601. */
export function timestampColumn(table: TableBuilder, name: string) {
  return table.string(name, 24)
}

/** A text column of at least 1 GiB on every database. */
export function longText(table: TableBuilder, name: string) {
  return table.text(name, 'longtext')
}
