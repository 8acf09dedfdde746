import { OwnSchema, longText, moment } from '#database/own_schema'

/** Who signed in, was refused, or changed something: events, the chain that seals them, and its end. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('audit', (table) => {
      table.bigIncrements('id')
      moment(table, 'time').notNullable()
      // By value, as in the journal: events outlive users and keys.
      table.integer('user_id').nullable()
      table.string('username', 64).nullable()
      table.integer('api_key_id').nullable()
      table.string('address', 45).nullable()
      table.string('door', 16).notNullable()
      table.string('action', 64).notNullable()
      table.string('object_kind', 16).nullable()
      table.integer('object_id').nullable()
      table.string('object_name', 255).nullable()
      table.string('outcome', 8).notNullable()
      // Canonical JSON of an object.
      longText(table, 'detail').notNullable()
      // The only column that ever changes: whether the chain holds the event.
      table.boolean('sealed').notNullable().defaultTo(false)
      table.index(['sealed', 'id'], 'zw_audit_sealed')
      table.index(['time'], 'zw_audit_time')
      table.index(['action', 'id'], 'zw_audit_action')
      table.index(['username', 'id'], 'zw_audit_username')
      table.index(['object_kind', 'object_id', 'id'], 'zw_audit_object')
    })

    this.createOwnTable('audit_chain', (table) => {
      // Without a gap, in the order in which events were sealed.
      table.bigInteger('position').primary()
      table.bigInteger('audit_id').notNullable().unique({ indexName: 'zw_audit_chain_event' })
      // Hex SHA-256 of the hash before and the event.
      table.string('hash', 64).notNullable()
    })

    // One row, which is also the lock of whoever extends or shortens the chain.
    this.dropLeftOver('zw_audit_head', { position: 0 })
    this.createOwnTable('audit_head', (table) => {
      table.integer('id').primary()
      table.bigInteger('position').notNullable()
      table.string('hash', 64).notNullable()
      // The last event that retention removed.
      table.bigInteger('anchor_position').notNullable()
      table.string('anchor_hash', 64).notNullable()
      // Hex HMAC of the four above; null until the first event is sealed.
      table.string('mac', 64).nullable()
    })
    const nothing = '0'.repeat(64)
    this.defer(async (client) => {
      await client.table('zw_audit_head').insert({
        id: 1,
        position: 0,
        hash: nothing,
        anchor_position: 0,
        anchor_hash: nothing,
        mac: null,
      })
    })
  }

  async down() {
    this.dropOwnTables('audit_head', 'audit_chain', 'audit')
  }
}
