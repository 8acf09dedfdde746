import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * A plain index for what PowerDNS' own do not serve: one zone's records by type and name, the order of
 * record lists, and the look-up of records of one type (MX, NS) in one zone.
 */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('records', (table) => {
      table.index(['domain_id', 'type', 'name'], 'zw_records_type_name')
    })
  }

  async down() {
    this.schema.alterTable('records', (table) => {
      table.dropIndex(['domain_id', 'type', 'name'], 'zw_records_type_name')
    })
  }
}
