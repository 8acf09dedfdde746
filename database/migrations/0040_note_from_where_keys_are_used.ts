import { OwnSchema } from '#database/own_schema'

/** From which address API keys were last used. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_api_keys', 'last_used_from', (table) => {
      // null where the key was not used since, or its use is older than this column.
      table.string('last_used_from', 45).nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_api_keys', 'last_used_from')
  }
}
