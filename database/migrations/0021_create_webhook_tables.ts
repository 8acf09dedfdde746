import { OwnSchema, longText, moment } from '#database/own_schema'

/** Who is told of events by HTTP, and what becomes of each message. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('webhooks', (table) => {
      table.increments('id')
      table.string('name', 255).notNullable()
      longText(table, 'url').notNullable()
      // Encrypted: it has to sign.
      longText(table, 'secret').notNullable()
      // JSON list of types or their first words; null is all.
      longText(table, 'types').nullable()
      table.boolean('enabled').notNullable().defaultTo(true)
      // Events up to this one became deliveries, or are not wanted.
      table.bigInteger('position').notNullable()
      // Times in a row that it could not be reached, and not before when it is tried again.
      table.integer('failures').notNullable().defaultTo(0)
      moment(table, 'retry_at').nullable()
      table.string('last_error', 500).nullable()
      // Who works on it, and until when nobody else may.
      table.string('lease', 36).nullable()
      moment(table, 'leased_until').nullable()
      table.string('created_by', 64).nullable()
      moment(table, 'created_at').notNullable()
    })

    this.createOwnTable('webhook_deliveries', (table) => {
      table.bigIncrements('id')
      table.integer('webhook_id').unsigned().notNullable()
      table.bigInteger('position').notNullable()
      table.string('type', 64).notNullable()
      // What is delivered in order: the id of the zone, or 0.
      table.integer('zone_id').notNullable()
      longText(table, 'body').notNullable()
      // waiting, delivered or given_up.
      table.string('state', 16).notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      moment(table, 'next_at').notNullable()
      // HTTP status of the last answer.
      table.integer('status').nullable()
      table.string('error', 500).nullable()
      table.integer('milliseconds').nullable()
      moment(table, 'created_at').notNullable()
      moment(table, 'ended_at').nullable()
      table
        .foreign('webhook_id', 'zw_webhook_deliveries_webhook')
        .references('zw_webhooks.id')
        .onDelete('CASCADE')
      table.unique(['webhook_id', 'position'], { indexName: 'zw_webhook_deliveries_event' })
      table.index(['webhook_id', 'state', 'zone_id', 'position'], 'zw_webhook_deliveries_order')
      table.index(['state', 'ended_at'], 'zw_webhook_deliveries_age')
    })
  }

  async down() {
    this.dropOwnTables('webhook_deliveries', 'webhooks')
  }
}
