import { OwnSchema, longText, moment } from '#database/own_schema'

/** Plans that were shown to somebody, and deleted zones that can come back. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('plans', (table) => {
      table.string('hash', 71).primary()
      // JSON: a digest for each RRset, so that it can be told what moved since.
      longText(table, 'parts').notNullable()
      moment(table, 'created_at').notNullable()
      table.index(['created_at'], 'zw_plans_created')
    })

    this.createOwnTable('trash', (table) => {
      table.increments('id')
      table.string('zone_uid', 36).notNullable().unique({ indexName: 'zw_trash_uid' })
      // The journal entry of the deletion holds records, properties, metadata, comments and owners.
      table.integer('entry').notNullable()
      table.integer('zone_id').notNullable()
      table.string('zone_name', 255).notNullable()
      moment(table, 'deleted_at').notNullable()
      table.integer('user_id').nullable()
      table.string('username', 64).notNullable()
      // DNSSEC keys, encrypted with the application key; null where there were none.
      longText(table, 'keys').nullable()
      table.index(['deleted_at'], 'zw_trash_deleted')
    })
  }

  async down() {
    this.dropOwnTables('trash', 'plans')
  }
}
