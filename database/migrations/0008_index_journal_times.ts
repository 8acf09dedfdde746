import { OwnSchema } from '#database/own_schema'

/** A zone at some moment: the last entry up to it, without reading the entries themselves. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_journal', 'zw_journal_time', (table) => {
      table.index(['zone_uid', 'time', 'entry'], 'zw_journal_time')
    })
  }

  async down() {
    this.schema.alterTable('zw_journal', (table) => {
      table.dropIndex(['zone_uid', 'time', 'entry'], 'zw_journal_time')
    })
  }
}
