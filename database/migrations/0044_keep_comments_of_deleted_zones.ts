import { OwnSchema, longText } from '#database/own_schema'

/**
 * What people wrote about the records of deleted zones, a row each: a value of the journal takes no more than a
 * database takes in one packet.
 */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('trash_notes', (table) => {
      table.integer('trash_id').unsigned().notNullable()
      // As in zw_record_notes.
      table.string('owner', 255).notNullable()
      table.string('type', 16).notNullable()
      table.string('record_hash', 64).notNullable()
      longText(table, 'above').notNullable()
      longText(table, 'beside').notNullable()
      table.primary(['trash_id', 'owner', 'type', 'record_hash'])
      table
        .foreign('trash_id', 'zw_trash_notes_trash')
        .references('zw_trash.id')
        .onDelete('CASCADE')
    })
  }

  async down() {
    this.dropOwnTables('trash_notes')
  }
}
