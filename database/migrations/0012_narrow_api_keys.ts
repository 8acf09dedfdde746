import { OwnSchema, longText, moment } from '#database/own_schema'

/** API keys for some RRsets, from some networks, and keys that end when nobody uses them. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_api_keys', 'idle_from', (table) => {
      // JSON: [{"name": "*.example.com", "types": ["A"] or null}]; null writes all that the owner may.
      longText(table, 'patterns').nullable()
      // JSON: ["192.0.2.0/24"]; null works from everywhere.
      longText(table, 'networks').nullable()
      table.integer('idle_days').nullable()
      // From when a key that was not used since counts as idle; null: from its creation.
      moment(table, 'idle_from').nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_api_keys', 'patterns', 'networks', 'idle_days', 'idle_from')
  }
}
