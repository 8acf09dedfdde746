import { OwnSchema, longText } from '#database/own_schema'

/** What was last known of the metadata of each zone, to tell what others changed. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_seen_zones', 'metadata', (table) => {
      // JSON; null where nobody looked since this column came.
      longText(table, 'metadata').nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_seen_zones', 'metadata')
  }
}
