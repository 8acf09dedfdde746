import { OwnSchema, longText } from '#database/own_schema'

/** What was last known of kind, primaries and account of each zone, to tell what others changed. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_seen_zones', 'properties', (table) => {
      // JSON; null where nobody looked since this column came.
      longText(table, 'properties').nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_seen_zones', 'properties')
  }
}
