import { OwnSchema } from '#database/own_schema'

/**
 * A plain index for what PowerDNS' own do not serve: one zone's records by type and name, the order of
 * record lists, and the look-up of records of one type (MX, NS) in one zone.
 */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('records', 'zw_records_type_name', (table) => {
      table.index(['domain_id', 'type', 'name'], 'zw_records_type_name')
    })
  }

  async down() {
    this.schema.alterTable('records', (table) => {
      table.dropIndex(['domain_id', 'type', 'name'], 'zw_records_type_name')
    })
  }
}
