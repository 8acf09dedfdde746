import { OwnSchema } from '#database/own_schema'

/** Entries whose time is before that of the entry before them: between them times rise with numbers, and are found by them. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('clock_steps', (table) => {
      table.string('zone_uid', 36).notNullable()
      table.integer('entry').notNullable()
      table.primary(['zone_uid', 'entry'])
    })
  }

  async down() {
    this.dropOwnTables('clock_steps')
  }
}
