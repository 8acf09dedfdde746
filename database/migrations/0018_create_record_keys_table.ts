import { OwnSchema } from '#database/own_schema'

/**
 * Sort keys of the records of large zones: what lists of records are sorted by, with an index for each order, since
 * PowerDNS' tables have none. `keyed_to` of a zone says how far its keys are made.
 */
export default class extends OwnSchema {
  async up() {
    const parts = await this.partsOf('zw_seen_zones')
    if (!parts.has('keyed_to')) {
      this.schema.alterTable('zw_seen_zones', (table) => {
        // null: without keys; else all rows up to this id have theirs.
        table.bigInteger('keyed_to').nullable()
        // How many more rows had keys than were taken note of, when all of them were made.
        table.bigInteger('keyed_more').notNullable().defaultTo(0)
      })
    }
    if (!parts.has('zw_seen_zones_keyed_to')) {
      this.schema.alterTable('zw_seen_zones', (table) => {
        table.index(['keyed_to'], 'zw_seen_zones_keyed_to')
      })
    }
    this.createOwnTable('record_keys', (table) => {
      table.integer('zone_id').notNullable()
      table.bigInteger('record_id').notNullable()
      table.specificType('name_key', this.byteOrderedText(255)).notNullable()
      table.specificType('type_key', this.byteOrderedText(32)).notNullable()
      table.specificType('content_key', this.byteOrderedText(255)).notNullable()
      table.integer('ttl').notNullable()
      table.integer('priority').notNullable()
      table.primary(['zone_id', 'record_id'])
      for (const [name, columns] of Object.entries(INDEXES)) {
        table.index(['zone_id', ...columns, 'record_id'], `zw_record_keys_${name}`)
      }
    })
    this.schema.raw('UPDATE zw_seen_zones SET keyed_to = 0 WHERE records > 2000')
  }

  async down() {
    this.dropOwnTables('record_keys')
    this.schema.alterTable('zw_seen_zones', (table) => {
      table.dropIndex([], 'zw_seen_zones_keyed_to')
    })
    this.dropOwnColumns('zw_seen_zones', 'keyed_to', 'keyed_more')
  }
}

const INDEXES = {
  name: ['name_key'],
  type: ['type_key'],
  type_name: ['type_key', 'name_key'],
  content: ['content_key'],
  ttl: ['ttl'],
  ttl_name: ['ttl', 'name_key'],
  priority: ['priority'],
}
