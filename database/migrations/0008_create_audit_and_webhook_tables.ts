import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/** Creates the audit log with the hash chain that protects it, and the webhooks that its events are sent to. */
export default class extends ZonewrightSchema {
  async up() {
    this.#createAudit()
    this.#createAuditHead()
    this.#createWebhooks()
  }

  async down() {
    this.dropZonewrightTables(
      'webhook_deliveries',
      'webhooks',
      'audit_head',
      'audit_chain',
      'audit'
    )
  }

  #createAudit() {
    this.createZonewrightTable('audit', (table) => {
      table.bigIncrements('id')
      timestampColumn(table, 'time').notNullable()
      // By value: events stay when users and keys are deleted.
      table.integer('user_id').nullable()
      table.string('username', 64).nullable()
      table.integer('api_key_id').nullable()
      table.string('address', 45).nullable()
      table.string('channel', 16).notNullable()
      table.string('action', 64).notNullable()
      table.string('object_kind', 16).nullable()
      table.integer('object_id').nullable()
      table.string('object_name', 255).nullable()
      table.string('outcome', 8).notNullable()
      // Canonical JSON of an object.
      longText(table, 'detail').notNullable()
      // Whether the chain contains the event. No other column ever changes.
      table.boolean('sealed').notNullable().defaultTo(false)
      table.index(['sealed', 'id'], 'zw_audit_sealed')
      table.index(['time'], 'zw_audit_time')
      table.index(['action', 'id'], 'zw_audit_action')
      table.index(['username', 'id'], 'zw_audit_username')
      table.index(['object_kind', 'object_id', 'id'], 'zw_audit_object')
    })

    this.createZonewrightTable('audit_chain', (table) => {
      // Without gaps, in the order of sealing.
      table.bigInteger('position').primary()
      table.bigInteger('audit_id').notNullable().unique({ indexName: 'zw_audit_chain_event' })
      // Hex SHA-256 of the previous hash and the event.
      table.string('hash', 64).notNullable()
    })
  }

  /** One row: the end of the chain. Writers lock it when they extend or shorten the chain. */
  #createAuditHead() {
    this.dropLeftOver('zw_audit_head', { position: 0 })
    this.createZonewrightTable('audit_head', (table) => {
      table.integer('id').primary()
      table.bigInteger('position').notNullable()
      table.string('hash', 64).notNullable()
      // The last event that was pruned.
      table.bigInteger('anchor_position').notNullable()
      table.string('anchor_hash', 64).notNullable()
      // Hex HMAC of the four columns above; null before the first event is sealed.
      table.string('mac', 64).nullable()
    })
    const genesisHash = '0'.repeat(64)
    this.defer(async (client) => {
      await client.table('zw_audit_head').insert({
        id: 1,
        position: 0,
        hash: genesisHash,
        anchor_position: 0,
        anchor_hash: genesisHash,
        mac: null,
      })
    })
  }

  #createWebhooks() {
    this.createZonewrightTable('webhooks', (table) => {
      table.increments('id')
      table.string('name', 255).notNullable()
      longText(table, 'url').notNullable()
      // Encrypted, not hashed: it signs the messages.
      longText(table, 'secret').notNullable()
      // JSON list of event types or their first words; null is all.
      longText(table, 'types').nullable()
      table.boolean('enabled').notNullable().defaultTo(true)
      // All audit events up to this one were processed.
      table.bigInteger('position').notNullable()
      // Number of consecutive failures, and the time of the next attempt.
      table.integer('failures').notNullable().defaultTo(0)
      timestampColumn(table, 'retry_at').nullable()
      table.string('last_error', 500).nullable()
      // The process that sends its deliveries, and the end of its lease.
      table.string('lease', 36).nullable()
      timestampColumn(table, 'leased_until').nullable()
      table.string('created_by', 64).nullable()
      timestampColumn(table, 'created_at').notNullable()
    })

    this.createZonewrightTable('webhook_deliveries', (table) => {
      table.bigIncrements('id')
      table.integer('webhook_id').unsigned().notNullable()
      table.bigInteger('position').notNullable()
      table.string('type', 64).notNullable()
      // Deliveries of one zone are sent in order; 0 where the event has no zone.
      table.integer('zone_id').notNullable()
      longText(table, 'body').notNullable()
      // waiting, delivered or given_up.
      table.string('state', 16).notNullable()
      table.integer('attempts').notNullable().defaultTo(0)
      timestampColumn(table, 'next_at').notNullable()
      // HTTP status of the last answer.
      table.integer('status').nullable()
      table.string('error', 500).nullable()
      table.integer('milliseconds').nullable()
      timestampColumn(table, 'created_at').notNullable()
      timestampColumn(table, 'ended_at').nullable()
      table
        .foreign('webhook_id', 'zw_webhook_deliveries_webhook')
        .references('zw_webhooks.id')
        .onDelete('CASCADE')
      table.unique(['webhook_id', 'position'], { indexName: 'zw_webhook_deliveries_event' })
      table.index(['webhook_id', 'state', 'zone_id', 'position'], 'zw_webhook_deliveries_order')
      table.index(['state', 'ended_at'], 'zw_webhook_deliveries_age')
    })
  }
}
