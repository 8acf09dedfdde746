import { ZonewrightSchema } from '#database/schema/zonewright_schema'

/** Column types of PowerDNS' generic SQL schema (4.7 to 5.0) where the three databases differ. */
const TYPES = {
  'better-sqlite3': {
    key: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    recordKey: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    name: 'VARCHAR(255) COLLATE NOCASE',
    kind: 'VARCHAR(32) COLLATE NOCASE',
    content: 'VARCHAR(65535)',
    ordername: 'VARCHAR(255)',
    address: 'VARCHAR(64)',
    serial: 'INTEGER',
  },
  'postgres': {
    key: 'SERIAL PRIMARY KEY',
    recordKey: 'BIGSERIAL PRIMARY KEY',
    name: 'VARCHAR(255)',
    kind: 'VARCHAR(32)',
    content: 'VARCHAR(65535)',
    ordername: 'VARCHAR(255)',
    address: 'INET',
    serial: 'BIGINT',
  },
  'mysql': {
    key: 'INT AUTO_INCREMENT PRIMARY KEY',
    recordKey: 'BIGINT AUTO_INCREMENT PRIMARY KEY',
    name: 'VARCHAR(255)',
    kind: 'VARCHAR(32)',
    content: 'VARCHAR(64000)',
    ordername: 'VARCHAR(255) BINARY',
    address: 'VARCHAR(64)',
    serial: 'INT UNSIGNED',
  },
}

/**
 * Creates the missing tables of PowerDNS with the generic SQL schema of PowerDNS Authoritative. Existing tables do not change,
 * except for additional indexes on `records`.
 */
export default class extends ZonewrightSchema {
  async up() {
    const dialect = this.db.dialect.name as keyof typeof TYPES
    const types = TYPES[dialect]
    const account = dialect === 'mysql' ? "VARCHAR(40) CHARACTER SET 'utf8'" : 'VARCHAR(40)'
    const isMissing = async (table: string) => !(await this.db.schema.hasTable(table))
    const latin1 = (table: { charset(name: string): void }) => {
      if (dialect === 'mysql') {
        table.charset('latin1')
      }
    }

    if (await isMissing('domains')) {
      this.schema.createTable('domains', (table) => {
        latin1(table)
        table.specificType('id', types.key)
        table.specificType('name', types.name).notNullable()
        table.string('master', 128).nullable()
        table.integer('last_check').nullable()
        table.string('type', 8).notNullable()
        table.specificType('notified_serial', types.serial).nullable()
        table.specificType('account', account).nullable()
        table.specificType('options', types.content).nullable()
        table.string('catalog', 255).nullable()
        table.unique(['name'], { indexName: 'name_index' })
        table.index(['catalog'], 'catalog_idx')
      })
    }

    if (await isMissing('records')) {
      this.schema.createTable('records', (table) => {
        latin1(table)
        table.specificType('id', types.recordKey)
        table.integer('domain_id').nullable()
        table.string('name', 255).nullable()
        table.string('type', 10).nullable()
        table.specificType('content', types.content).nullable()
        table.integer('ttl').nullable()
        table.integer('prio').nullable()
        table.boolean('disabled').defaultTo(false)
        table.specificType('ordername', types.ordername).nullable()
        table.boolean('auth').defaultTo(true)
        table.foreign('domain_id').references('domains.id').onDelete('CASCADE')
        table.index(['name', 'type'], 'nametype_index')
      })
      if (dialect === 'postgres') {
        this.schema.raw(
          'CREATE INDEX recordorder ON records (domain_id, ordername text_pattern_ops)'
        )
      } else {
        this.schema.raw('CREATE INDEX recordorder ON records (domain_id, ordername)')
      }
    }

    if (await isMissing('supermasters')) {
      this.schema.createTable('supermasters', (table) => {
        latin1(table)
        table.specificType('ip', types.address).notNullable()
        table.specificType('nameserver', types.name).notNullable()
        table.specificType('account', account).notNullable()
        table.primary(['ip', 'nameserver'])
      })
    }

    if (await isMissing('comments')) {
      this.schema.createTable('comments', (table) => {
        latin1(table)
        table.specificType('id', types.key)
        table.integer('domain_id').notNullable()
        table.string('name', 255).notNullable()
        table.string('type', 10).notNullable()
        table.integer('modified_at').notNullable()
        table.specificType('account', account).nullable()
        table
          .specificType(
            'comment',
            dialect === 'mysql' ? "TEXT CHARACTER SET 'utf8'" : types.content
          )
          .notNullable()
        table.foreign('domain_id').references('domains.id').onDelete('CASCADE')
        table.index(['domain_id', 'name', 'type'], 'comments_idx')
        table.index(['domain_id', 'modified_at'], 'comments_order_idx')
      })
    }

    if (await isMissing('domainmetadata')) {
      this.schema.createTable('domainmetadata', (table) => {
        latin1(table)
        table.specificType('id', types.key)
        table.integer('domain_id').notNullable()
        table.specificType('kind', types.kind).nullable()
        table.text('content').nullable()
        table.foreign('domain_id').references('domains.id').onDelete('CASCADE')
        table.index(['domain_id', 'kind'], 'domainmetadata_idx')
      })
    }

    if (await isMissing('cryptokeys')) {
      this.schema.createTable('cryptokeys', (table) => {
        latin1(table)
        table.specificType('id', types.key)
        table.integer('domain_id').notNullable()
        table.integer('flags').notNullable()
        table.boolean('active').nullable()
        table.boolean('published').defaultTo(true)
        table.text('content').nullable()
        table.foreign('domain_id').references('domains.id').onDelete('CASCADE')
        table.index(['domain_id'], 'cryptokeys_domain_idx')
      })
    }

    if (await isMissing('tsigkeys')) {
      this.schema.createTable('tsigkeys', (table) => {
        latin1(table)
        table.specificType('id', types.key)
        table.specificType('name', types.name).nullable()
        table.string('algorithm', 50).nullable()
        table.string('secret', 255).nullable()
        table.unique(['name', 'algorithm'], { indexName: 'namealgoindex' })
      })
    }
    await this.#indexRecords()
  }

  /** Drops only the additional indexes: the name servers use the tables, which may be older than this product. */
  async down() {
    this.schema.alterTable('records', (table) => {
      table.dropIndex([], 'zw_records_type_name')
      table.dropIndex([], 'zw_records_name')
    })
    if (this.db.dialect.name !== 'mysql')
      this.schema.raw('DROP INDEX IF EXISTS zw_records_capitals')
  }

  /** Adds indexes for queries that the indexes of PowerDNS do not serve. */
  async #indexRecords() {
    // Look-ups by type within a zone, and the default order of record lists. PostgreSQL needs the id for the order.
    const idColumn = this.db.dialect.name === 'postgres' ? ['id'] : []
    await this.alterOnce('records', 'zw_records_type_name', (table) => {
      table.index(['domain_id', 'type', 'name', ...idColumn], 'zw_records_type_name')
    })
    // Every write reads the rows of some names. Without this index SQLite reads the whole zone.
    await this.alterOnce('records', 'zw_records_name', (table) => {
      table.index(['domain_id', 'name', 'type'], 'zw_records_name')
    })
    // For rows of other tools with capitals in their names. MariaDB ignores the case of names.
    if (this.db.dialect.name !== 'mysql') {
      this.schema.raw(
        'CREATE INDEX IF NOT EXISTS zw_records_capitals ON records (lower(name)) WHERE name <> lower(name)'
      )
    }
  }
}
