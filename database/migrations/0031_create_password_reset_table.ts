import { OwnSchema, moment } from '#database/own_schema'

/** Links for a new password that were sent by mail. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('password_resets', (table) => {
      table.increments('id')
      // Hex SHA-256 of what the link has: who reads the table cannot use it.
      table.string('token_hash', 64).notNullable()
      table.integer('user_id').unsigned().notNullable()
      // HMAC of password and mail address as they were: with others the link is worth nothing.
      table.string('account_mark', 64).notNullable()
      moment(table, 'expires_at').notNullable()
      table.unique(['token_hash'], { indexName: 'zw_password_resets_token' })
      table
        .foreign('user_id', 'zw_password_resets_user')
        .references('zw_users.id')
        .onDelete('CASCADE')
      table.index(['user_id'], 'zw_password_resets_user_idx')
      table.index(['expires_at'], 'zw_password_resets_expiry')
    })
  }

  async down() {
    this.dropOwnTables('password_resets')
  }
}
