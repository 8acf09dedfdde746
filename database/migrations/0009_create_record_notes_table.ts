import { OwnSchema, longText } from '#database/own_schema'

/** What people wrote about single records, in the zone files that they imported. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('record_notes', (table) => {
      table.integer('zone_id').unsigned().notNullable()
      // Owner name relative to the zone, so that a zone can be renamed; '@' at the apex.
      table.string('owner', 255).notNullable()
      table.string('type', 16).notNullable()
      // Hex SHA-256 of priority and content: the note is about this record and no other.
      table.string('record_hash', 64).notNullable()
      // JSON: the lines above it.
      longText(table, 'above').notNullable()
      longText(table, 'beside').notNullable()
      table.primary(['zone_id', 'owner', 'type', 'record_hash'])
      table.foreign('zone_id', 'zw_record_notes_zone').references('zw_zones.id').onDelete('CASCADE')
    })
  }

  async down() {
    this.dropOwnTables('record_notes')
  }
}
