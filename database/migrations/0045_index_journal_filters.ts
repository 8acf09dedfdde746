import { OwnSchema } from '#database/own_schema'

/** Entries of a zone by who made them and through which door: a page of few among many does not read the others. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_journal', 'zw_journal_user', (table) => {
      table.index(['zone_uid', 'username', 'entry'], 'zw_journal_user')
    })
    await this.alterOnce('zw_journal', 'zw_journal_door', (table) => {
      table.index(['zone_uid', 'door', 'entry'], 'zw_journal_door')
    })
  }

  async down() {
    this.schema.alterTable('zw_journal', (table) => {
      table.dropIndex([], 'zw_journal_user')
      table.dropIndex([], 'zw_journal_door')
    })
  }
}
