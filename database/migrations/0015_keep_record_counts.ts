import { OwnSchema } from '#database/own_schema'

/**
 * Beside the notes of record rows: how many of them each zone has, and a number that changes with every write,
 * by which it can be told whether a list is still the same.
 */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_seen_zones', 'takes', (table) => {
      table.bigInteger('records').notNullable().defaultTo(0)
      table.bigInteger('writes').notNullable().defaultTo(0)
      // How often notes were changed after what others did: then the number has to be counted after.
      table.bigInteger('takes').notNullable().defaultTo(0)
    })
    this.schema.raw(
      `UPDATE zw_seen_zones SET records =
         (SELECT count(*) FROM zw_seen_records s WHERE s.zone_id = zw_seen_zones.zone_id)`
    )
  }

  async down() {
    this.dropOwnColumns('zw_seen_zones', 'records', 'writes', 'takes')
  }
}
