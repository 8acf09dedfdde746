import { OwnSchema, longText } from '#database/own_schema'

/** What own tables get once a write at a name server is confirmed, so that it is written also where it was cut off. */
export default class extends OwnSchema {
  async up() {
    const parts = await this.partsOf('zw_intended_writes')
    if (!parts.has('told')) {
      this.schema.alterTable('zw_intended_writes', (table) => {
        // JSON; DNSSEC keys of deleted zones are encrypted with the APP_KEY.
        longText(table, 'told').nullable()
      })
    }
  }

  async down() {
    this.schema.alterTable('zw_intended_writes', (table) => table.dropColumn('told'))
  }
}
