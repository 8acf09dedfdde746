import { OwnSchema } from '#database/own_schema'

/** Whether somebody wants mail about change requests. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_preferences', 'review_mail', (table) => {
      // null where they leave it to the installation.
      table.boolean('review_mail').nullable()
    })
  }

  async down() {
    this.dropOwnColumns('zw_preferences', 'review_mail')
  }
}
