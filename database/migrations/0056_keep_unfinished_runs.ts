import { OwnSchema } from '#database/own_schema'

/** Which kept pages are runs that have not come to their end: others do not take their place. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_kept_pages', 'is_unfinished', (table) => {
      table.boolean('is_unfinished').notNullable().defaultTo(false)
    })
  }

  async down() {
    this.dropOwnColumns('zw_kept_pages', 'is_unfinished')
  }
}
