import { OwnSchema, moment } from '#database/own_schema'

/** Tokens with which the first administrator is made in the browser. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('first_run_tokens', (table) => {
      table.increments('id')
      // Hex SHA-256 of what the server printed: who reads the table cannot use it.
      table.string('token_hash', 64).notNullable()
      moment(table, 'expires_at').notNullable()
      table.unique(['token_hash'], { indexName: 'zw_first_run_tokens_token' })
    })
  }

  async down() {
    this.dropOwnTables('first_run_tokens')
  }
}
