import { BaseSchema } from '@adonisjs/lucid/schema'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { createTrigramIndex, type TrigramIndex } from '#database/schema/postgres_indexes'

type TableBuilder = Parameters<Parameters<BaseSchema['schema']['createTable']>[1]>[0]

/**
 * Base of the migrations of Zonewright's own tables. They carry the prefix `zw_`, so that they can
 * live beside the tables of PowerDNS and of other tools.
 *
 * Text compares byte by byte on every database. Moments are ISO 8601 text in UTC with milliseconds
 * (24 characters): it sorts by time and reads the same on all three.
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
   * Drops a table of this migration that is there already, and empty: the migration was cut off before it was whole. On
   * MariaDB and MySQL each statement is committed by itself, elsewhere where a migration has no transaction. A table
   * with rows stays, and its creation fails, but for rows as the migration itself begins with: `first` says what
   * their columns hold.
   */
  protected dropLeftOver(table: string, first: Record<string, number> | null = null): void {
    const { disableTransactions } = this.constructor as typeof BaseSchema
    if (!disableTransactions && !commitsEach(this.db)) {
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

  /** Alters a table, unless it has the column or index that is altered last already. */
  protected async alterOnce(
    table: string,
    last: string,
    alter: (table: TableBuilder) => void
  ): Promise<void> {
    const parts = await this.partsOf(table)
    if (!parts.has(last)) {
      this.schema.alterTable(table, alter)
    }
  }

  /**
   * Drops columns of an own table. On SQLite the builder would make the table anew, and with the old one would go the rows
   * that refer to it.
   */
  protected dropZonewrightColumns(table: string, ...columns: string[]): void {
    for (const column of columns) {
      this.schema.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`)
    }
  }

  /** Type of a text column that is compared by ranges, whatever language the database sorts in. */
  protected byteOrderedText(length: number): string {
    return `VARCHAR(${length})${this.db.dialect.name === 'postgres' ? ' COLLATE "C"' : ''}`
  }

  /**
   * Which columns and indexes a table has already. MariaDB and MySQL commit each statement of a migration by itself, so
   * that one that is cut off goes on where it was; elsewhere nothing of it is there, and nothing is looked up.
   */
  protected async partsOf(table: string): Promise<Set<string>> {
    if (!commitsEach(this.db)) {
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
   * Creates indexes of pg_trgm on PostgreSQL while others read and write; nothing where pg_trgm is not available. Only
   * for a migration with `disableTransactions`.
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

/** Whether the database commits each statement that changes tables, whatever the transaction. */
function commitsEach({ dialect }: QueryClientContract): boolean {
  return dialect.name === 'mysql'
}

/** Tables that refer to the one that goes are left over too, and go next. */
async function withoutForeignKeys(
  client: QueryClientContract,
  work: () => Promise<unknown>
): Promise<void> {
  if (!commitsEach(client)) {
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

/** A moment as own tables store it. */
export function timestampColumn(table: TableBuilder, name: string) {
  return table.string(name, 24)
}

/** Text without a length limit that matters, on every database. */
export function longText(table: TableBuilder, name: string) {
  return table.text(name, 'longtext')
}
