import { OwnSchema, longText, moment } from '#database/own_schema'

/** Sessions of the web interface, and what their users prefer there. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('sessions', (table) => {
      // What lists and revocations name it by; the cookie has something else.
      table.increments('id')
      // Hex SHA-256 of what the cookie has: who reads the table can be nobody.
      table.string('token_hash', 64).notNullable()
      table.integer('user_id').unsigned().notNullable()
      // JSON: the secret of the forms, and messages for the next page.
      longText(table, 'data').notNullable()
      table.boolean('is_remembered').notNullable()
      table.string('address', 45).notNullable()
      table.string('agent', 255).notNullable()
      moment(table, 'created_at').notNullable()
      moment(table, 'seen_at').notNullable()
      // It ends at whichever comes first.
      moment(table, 'idle_until').notNullable()
      moment(table, 'expires_at').notNullable()
      table.unique(['token_hash'], { indexName: 'zw_sessions_token' })
      table.foreign('user_id', 'zw_sessions_user').references('zw_users.id').onDelete('CASCADE')
      table.index(['user_id'], 'zw_sessions_user_idx')
      table.index(['expires_at'], 'zw_sessions_expiry')
      table.index(['idle_until'], 'zw_sessions_idle')
    })

    this.createOwnTable('preferences', (table) => {
      table.integer('user_id').unsigned().primary()
      // null where the settings of the installation hold.
      table.integer('rows_per_page').nullable()
      table.string('theme', 16).nullable()
      table.string('time_zone', 64).nullable()
      table.string('language', 16).nullable()
      table.foreign('user_id', 'zw_preferences_user').references('zw_users.id').onDelete('CASCADE')
    })
  }

  async down() {
    this.dropOwnTables('preferences', 'sessions')
  }
}
