import { OwnSchema, longText, moment } from '#database/own_schema'

/**
 * What makes a request safe to send again (`Idempotency-Key`), and what has to happen after a commit.
 */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('repeats', (table) => {
      table.bigIncrements('id')
      // User and API key: the same key of two callers is two keys.
      table.string('caller', 64).notNullable()
      // Hex SHA-256 of the header's value.
      table.string('key_hash', 64).notNullable()
      // Hex SHA-256 of method, path with query, and body.
      table.string('fingerprint', 64).notNullable()
      // running, applied (the change is committed) or done (the answer is stored).
      table.string('state', 8).notNullable()
      table.integer('status').nullable()
      // JSON object; names are lower case.
      longText(table, 'headers').nullable()
      longText(table, 'body').nullable()
      moment(table, 'created_at').notNullable()
      moment(table, 'expires_at').notNullable()
      // Two requests at once, perhaps on two processes: this decides.
      table.unique(['caller', 'key_hash'], { indexName: 'zw_repeats_key' })
      table.index(['expires_at'], 'zw_repeats_expiry')
    })

    this.createOwnTable('outbox', (table) => {
      table.bigIncrements('id')
      table.string('kind', 16).notNullable()
      // By value: what follows the deletion of a zone outlives it.
      table.integer('zone_id').nullable()
      table.string('zone_name', 255).notNullable()
      longText(table, 'payload').nullable()
      moment(table, 'created_at').notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      moment(table, 'next_at').notNullable()
      // Who works on the row, and until when nobody else may.
      table.string('lease', 36).nullable()
      moment(table, 'leased_until').nullable()
      // Delivered, or given up when there is a last_error.
      moment(table, 'done_at').nullable()
      table.string('last_error', 500).nullable()
      table.index(['done_at', 'next_at'], 'zw_outbox_due')
      table.index(['lease'], 'zw_outbox_lease')
    })
  }

  async down() {
    this.dropOwnTables('outbox', 'repeats')
  }
}
