import { OwnSchema } from '#database/own_schema'

/** Facts about this database as a whole, by name; such as which backend its zones belong to. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('installation', (table) => {
      table.string('name', 64).primary()
      table.string('value', 255).notNullable()
    })
  }

  async down() {
    this.dropOwnTables('installation')
  }
}
