import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/**
 * Creates the copy of the zones of a server that is reached over its HTTP API. The tables have the columns of PowerDNS'
 * own tables, so that the same queries read both.
 */
export default class extends ZonewrightSchema {
  async up() {
    this.#createZones()
    this.#createRecords()
    this.#createBelongings()
    this.#createWrites()
  }

  async down() {
    this.dropZonewrightTables(
      'pending_steps',
      'pending_writes',
      'mirror_keys',
      'mirror_metadata',
      'mirror_comments',
      'mirror_records',
      'mirror_zones'
    )
  }

  #createZones() {
    this.createZonewrightTable('mirror_zones', (table) => {
      // The id in zw_zones.
      table.integer('id').notNullable().primary()
      table.string('name', 255).notNullable().unique('zw_mirror_zones_name')
      table.string('type', 32).notNullable()
      longText(table, 'master').nullable()
      table.string('account', 255).nullable()
      table.bigInteger('serial').notNullable().defaultTo(0)
      table.bigInteger('edited_serial').notNullable().defaultTo(0)
      // SOA-EDIT-API: how the server increases serials.
      table.string('serial_policy', 40).notNullable().defaultTo('')
      // SHA-256 of the last answer of the server; empty before the first one.
      table.string('digest', 64).notNullable().defaultTo('')
      // Increases with every change of the mirror: concurrent updates detect each other.
      table.bigInteger('version').notNullable().defaultTo(0)
      // When the server first answered that the zone does not exist, and the number of such answers.
      timestampColumn(table, 'missing_since').nullable()
      table.integer('missing_looks').notNullable().defaultTo(0)
    })
  }

  #createRecords() {
    this.createZonewrightTable('mirror_records', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable()
      table.string('name', 255).notNullable()
      table.string('type', 10).nullable()
      longText(table, 'content').nullable()
      table.integer('ttl').nullable()
      table.integer('prio').nullable()
      table.boolean('disabled').notNullable().defaultTo(false)
      table.string('ordername', 255).nullable()
      table.boolean('auth').notNullable().defaultTo(true)
      table.index(['name', 'type'], 'zw_mirror_records_name_type')
      table.index(['domain_id', 'type', 'name', 'id'], 'zw_mirror_records_type_name')
      table.index(['domain_id', 'name', 'type'], 'zw_mirror_records_name')
    })
    const orderColumn = `ordername${this.db.dialect.name === 'postgres' ? ' text_pattern_ops' : ''}`
    this.schema.raw(
      `CREATE INDEX zw_mirror_records_order ON zw_mirror_records (domain_id, ${orderColumn})`
    )
    // The tables of both drivers are read by the same statements; see zw_records_capitals.
    if (this.db.dialect.name !== 'mysql') {
      this.schema.raw(
        'CREATE INDEX zw_mirror_records_capitals ON zw_mirror_records (lower(name)) WHERE name <> lower(name)'
      )
    }
  }

  #createBelongings() {
    this.createZonewrightTable('mirror_comments', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable().index('zw_mirror_comments_zone')
      table.string('name', 255).notNullable()
      table.string('type', 10).notNullable()
      table.bigInteger('modified_at').notNullable()
      table.string('account', 255).nullable()
      longText(table, 'comment').notNullable()
    })

    this.createZonewrightTable('mirror_metadata', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable()
      table.string('kind', 64).nullable()
      longText(table, 'content').nullable()
      table.index(['domain_id', 'kind'], 'zw_mirror_metadata_zone')
    })

    // Whether the zone is signed. The keys themselves are not copied.
    this.createZonewrightTable('mirror_keys', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable().index('zw_mirror_keys_zone')
      table.integer('flags').notNullable()
      table.boolean('active').nullable()
      table.boolean('published').nullable()
      longText(table, 'content').nullable()
    })
  }

  /** Pending writes, which the server has not confirmed. */
  #createWrites() {
    this.createZonewrightTable('pending_writes', (table) => {
      table.string('id', 36).notNullable().primary()
      // The process that started the write.
      table.string('node', 128).notNullable()
      timestampColumn(table, 'began_at').notNullable().index('zw_pending_writes_time')
      // JSON: the author, as in the journal.
      longText(table, 'author').nullable()
    })

    this.createZonewrightTable('pending_steps', (table) => {
      table.bigIncrements('id')
      table.string('write_id', 36).notNullable().index('zw_pending_steps_write')
      table.integer('zone_id').notNullable().index('zw_pending_steps_zone')
      table.string('zone_name', 255).notNullable()
      table.string('kind', 16).notNullable()
      // Counted from 0: a long text is stored in several rows of a bounded length.
      table.integer('part').notNullable().defaultTo(0)
      // JSON: RRsets before and after, without secrets. DNSSEC keys of a deleted zone are encrypted with the APP_KEY.
      longText(table, 'changes').notNullable()
    })
  }
}
