import { ZonewrightSchema, longText } from '#database/schema/zonewright_schema'

/** Creates copies and sort keys of PowerDNS' records, and the comments on single records. */
export default class extends ZonewrightSchema {
  async up() {
    this.#createSnapshots()
    this.#createRecordKeys()
    this.#createRecordComments()
  }

  async down() {
    this.dropZonewrightTables(
      'record_comments',
      'record_keys',
      'record_snapshots',
      'zone_snapshots'
    )
  }

  /**
   * Snapshots of the rows, by which external changes are detected. There are no foreign keys to PowerDNS' tables: a snapshot
   * must stay when another tool deletes the row.
   */
  #createSnapshots() {
    this.createZonewrightTable('zone_snapshots', (table) => {
      table.integer('zone_id').notNullable().primary()
      // The same id with another name is another zone.
      table.string('zone_name', 255).notNullable()
      // Number of copied rows, and of their RRsets; null if unknown.
      table.bigInteger('records').notNullable().defaultTo(0)
      table.bigInteger('sets').nullable()
      // Increases with every write. A cached list is valid while the number is the same.
      table.bigInteger('writes').notNullable().defaultTo(0)
      // Increases when the snapshots were updated after external changes.
      table.bigInteger('takes').notNullable().defaultTo(0)
      // Rows up to this id have sort keys; null: the zone has no sort keys.
      table.bigInteger('keyed_to').nullable()
      // Number of rows with sort keys but without snapshot when all sort keys were computed.
      table.bigInteger('keyed_more').notNullable().defaultTo(0)
      // JSON: kind, primaries, account and metadata of the last snapshot; null before the first one.
      longText(table, 'properties').nullable()
      longText(table, 'metadata').nullable()
      table.index(['keyed_to'], 'zw_zone_snapshots_keyed_to')
    })

    // The columns hold the values of PowerDNS' row without changes.
    this.createZonewrightTable('record_snapshots', (table) => {
      table.integer('zone_id').notNullable()
      table.bigInteger('record_id').notNullable()
      table.specificType('name', this.#ownerName).notNullable()
      table.string('type', 10).notNullable()
      longText(table, 'content').nullable()
      table.integer('ttl').nullable()
      table.integer('prio').nullable()
      table.boolean('disabled').nullable()
      table.primary(['zone_id', 'record_id'])
      table.index(['zone_id', 'name'], 'zw_record_snapshots_name')
    })
  }

  /** Sort keys of the records of large zones, with an index for each order of record lists. */
  #createRecordKeys() {
    this.createZonewrightTable('record_keys', (table) => {
      table.integer('zone_id').notNullable()
      table.bigInteger('record_id').notNullable()
      table.specificType('name_key', this.byteOrderedText(255)).notNullable()
      table.specificType('type_key', this.byteOrderedText(32)).notNullable()
      table.specificType('content_key', this.byteOrderedText(255)).notNullable()
      table.integer('ttl').notNullable()
      table.integer('priority').notNullable()
      // TTL of the RRset in the row of its first record; null in the other rows.
      table.integer('set_ttl').nullable()
      // Id of the first record of the RRset; null in the row of that record.
      table.bigInteger('set_id').nullable()
      table.primary(['zone_id', 'record_id'])
      for (const [name, columns] of Object.entries(ORDERS)) {
        table.index(['zone_id', ...columns], `zw_record_keys_${name}`)
      }
    })
  }

  /** Comments on single records. */
  #createRecordComments() {
    this.createZonewrightTable('record_comments', (table) => {
      table.integer('zone_id').unsigned().notNullable()
      // Owner name relative to the zone, so that a zone can be renamed; '@' at the apex.
      table.string('owner', 255).notNullable()
      table.string('type', 16).notNullable()
      // Hex SHA-256 of priority and content.
      table.string('record_hash', 64).notNullable()
      // JSON: the lines above the record in a zone file.
      longText(table, 'above').notNullable()
      longText(table, 'inline').notNullable()
      table.primary(['zone_id', 'owner', 'type', 'record_hash'])
      table
        .foreign('zone_id', 'zw_record_comments_zone')
        .references('zw_zones.id')
        .onDelete('CASCADE')
    })
  }

  /** Compares names as PowerDNS' own table does: MariaDB's ignores case. */
  get #ownerName(): string {
    const ignoresCase = this.db.dialect.name === 'mysql'
    return `VARCHAR(255)${ignoresCase ? ' COLLATE utf8mb4_general_ci' : ''}`
  }
}

/** Indexes with set_ttl also answer lists of RRsets without reading the rows. */
const ORDERS = {
  content: ['content_key', 'record_id'],
  ttl: ['ttl', 'record_id'],
  ttl_name: ['ttl', 'name_key', 'record_id'],
  priority: ['priority', 'record_id'],
  set_name: ['name_key', 'record_id', 'set_ttl'],
  set_type: ['type_key', 'record_id', 'set_ttl'],
  set_type_name: ['type_key', 'name_key', 'record_id', 'set_ttl'],
  set_ttl: ['set_ttl', 'record_id'],
  type_set_ttl: ['type_key', 'set_ttl', 'record_id'],
  type_content: ['type_key', 'content_key', 'record_id'],
  type_ttl: ['type_key', 'ttl', 'record_id'],
  type_priority: ['type_key', 'priority', 'record_id'],
}
