import { OwnSchema, moment } from '#database/own_schema'

/** Wrong passwords, counted, so that many of them lock. Shared by all processes on this database. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('sign_in_failures', (table) => {
      // Hex HMAC of the user name as it was typed: what is typed there may be a password.
      table.string('subject', 64).notNullable()
      // Where it was typed: an IPv4 address or an IPv6 /64; empty where addresses do not count.
      table.string('network', 64).notNullable()
      table.integer('failures').notNullable()
      // Until then the failures count, and lock when they are enough.
      moment(table, 'expires_at').notNullable()
      table.primary(['subject', 'network'])
      table.index(['expires_at'], 'zw_sign_in_failures_expiry')
    })
  }

  async down() {
    this.dropOwnTables('sign_in_failures')
  }
}
