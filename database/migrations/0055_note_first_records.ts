import { OwnSchema } from '#database/own_schema'

/**
 * `set_id` of a record's keys is the id of the first record of its RRset, and null where the record is that itself: what a text
 * leaves of a zone's RRsets follows from the records that it leaves.
 */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_record_keys', 'set_id', (table) => {
      table.bigInteger('set_id').nullable()
    })
    // The first records are found by the next look at all keys.
    this.schema.raw('UPDATE zw_seen_zones SET keyed_to = 0 WHERE keyed_to IS NOT NULL')
  }

  async down() {
    this.dropOwnColumns('zw_record_keys', 'set_id')
  }
}
