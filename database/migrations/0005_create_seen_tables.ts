import { OwnSchema, longText } from '#database/own_schema'

/**
 * What was last known of each record row of PowerDNS' tables, so that what other tools changed can be told.
 *
 * No foreign keys to PowerDNS' tables: the notes outlive the rows, which is what they are for.
 */
export default class extends OwnSchema {
  async up() {
    // A zone is known once all of its rows were taken note of. An id with another name is another zone.
    this.createOwnTable('seen_zones', (table) => {
      table.integer('zone_id').notNullable().primary()
      table.string('zone_name', 255).notNullable()
    })

    // The columns hold what PowerDNS' row holds, in its own spelling.
    this.createOwnTable('seen_records', (table) => {
      table.integer('zone_id').notNullable()
      table.bigInteger('record_id').notNullable()
      table.specificType('name', this.#ownerName).notNullable()
      table.string('type', 10).notNullable()
      longText(table, 'content').nullable()
      table.integer('ttl').nullable()
      table.integer('prio').nullable()
      table.boolean('disabled').nullable()
      table.primary(['zone_id', 'record_id'])
      table.index(['zone_id', 'name'], 'zw_seen_records_name')
    })

    // The rows of some names are read on every write. Without it SQLite reads the whole zone for them.
    await this.alterOnce('records', 'zw_records_name', (table) => {
      table.index(['domain_id', 'name', 'type'], 'zw_records_name')
    })
  }

  async down() {
    this.schema.alterTable('records', (table) => {
      table.dropIndex(['domain_id', 'name', 'type'], 'zw_records_name')
    })
    this.dropOwnTables('seen_records', 'seen_zones')
  }

  /** Finds a name in every spelling by which PowerDNS' own table finds it: MariaDB's ignores case. */
  get #ownerName(): string {
    const ignoresCase = this.db.dialect.name === 'mysql'
    return `VARCHAR(255)${ignoresCase ? ' COLLATE utf8mb4_general_ci' : ''}`
  }
}
