import { OwnSchema, longText, moment } from '#database/own_schema'

/**
 * The journal: one numbered entry of its zone for each applied change set, with the RRsets before and
 * after. It names zones and users by value: it outlives both.
 */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('journal', (table) => {
      table.bigIncrements('id')
      table.string('zone_uid', 36).notNullable()
      table.integer('entry').notNullable()
      table.integer('zone_id').notNullable()
      table.string('zone_name', 255).notNullable()
      moment(table, 'time').notNullable()
      table.integer('user_id').nullable()
      table.string('username', 64).notNullable()
      table.integer('api_key_id').nullable()
      table.string('address', 45).nullable()
      table.string('door', 16).notNullable()
      table.string('reason', 1024).nullable()
      table.bigInteger('serial_before').nullable()
      table.bigInteger('serial_after').nullable()
      table.string('origin_kind', 16).nullable()
      table.string('origin_id', 64).nullable()
      // JSON: properties and belongings of the zone itself; null where only records changed.
      longText(table, 'zone_before').nullable()
      longText(table, 'zone_after').nullable()
      table.unique(['zone_uid', 'entry'], { indexName: 'zw_journal_entry' })
      table.index(['zone_id'], 'zw_journal_zone')
    })

    this.createOwnTable('journal_changes', (table) => {
      table.bigInteger('journal_id').unsigned().notNullable()
      table.integer('position').notNullable()
      table.string('name', 255).notNullable()
      table.string('type', 10).notNullable()
      // JSON: {"ttl", "records": [{"content", "priority", "disabled"}]}; null where the set is not there.
      longText(table, 'rrset_before').nullable()
      longText(table, 'rrset_after').nullable()
      table.primary(['journal_id', 'position'])
      table
        .foreign('journal_id', 'zw_journal_changes_entry')
        .references('zw_journal.id')
        .onDelete('CASCADE')
      table.index(['name', 'type'], 'zw_journal_changes_name')
    })
  }

  async down() {
    this.dropOwnTables('journal_changes', 'journal')
  }
}
