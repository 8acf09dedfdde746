import { OwnSchema, longText, moment } from '#database/own_schema'

/** What forms of the web interface were answered with: the pages have addresses, by which somebody comes back to them. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('kept_pages', (table) => {
      table.increments('id')
      table.integer('user_id').unsigned().notNullable()
      // The last part of the address.
      table.string('name', 64).notNullable()
      // Counted from 0: what is long is in several rows, each of a bounded length.
      table.integer('part').notNullable()
      // Compressed JSON, in base64.
      longText(table, 'content').notNullable()
      // Characters of the content.
      table.integer('size').notNullable()
      moment(table, 'created_at').notNullable()
      table.unique(['user_id', 'name', 'part'], { indexName: 'zw_kept_pages_name' })
      table.foreign('user_id', 'zw_kept_pages_user').references('zw_users.id').onDelete('CASCADE')
      table.index(['created_at'], 'zw_kept_pages_age')
    })
  }

  async down() {
    this.dropOwnTables('kept_pages')
  }
}
