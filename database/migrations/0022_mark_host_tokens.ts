import { OwnSchema } from '#database/own_schema'

/** API keys that lie in routers, as tokens of hosts. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_api_keys', 'purpose', (table) => {
      // 'dyndns' for the token of a host; null for every other key.
      table.string('purpose', 16).nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_api_keys', 'purpose')
  }
}
