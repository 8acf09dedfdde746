import { OwnSchema, longText } from '#database/own_schema'

/** What own tables get once a write at a name server is confirmed, so that it is written also where it was cut off. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_intended_writes', 'told', (table) => {
      // JSON; DNSSEC keys of deleted zones are encrypted with the APP_KEY.
      longText(table, 'told').nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_intended_writes', 'told')
  }
}
