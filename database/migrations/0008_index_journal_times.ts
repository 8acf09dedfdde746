import { BaseSchema } from '@adonisjs/lucid/schema'

/** A zone at some moment: the last entry up to it, without reading the entries themselves. */
export default class extends BaseSchema {
  async up() {
    this.schema.alterTable('zw_journal', (table) => {
      table.index(['zone_uid', 'time', 'entry'], 'zw_journal_time')
    })
  }

  async down() {
    this.schema.alterTable('zw_journal', (table) => {
      table.dropIndex(['zone_uid', 'time', 'entry'], 'zw_journal_time')
    })
  }
}
