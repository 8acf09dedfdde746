import { OwnSchema, longText, moment } from '#database/own_schema'

/** How often hosts change by dynamic DNS, and what their clients were last seen at. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('dyndns_limits', (table) => {
      // `host <name>` or `net <network>`.
      table.string('subject', 300).notNullable().primary()
      table.integer('changes').notNullable()
      // Until then the changes count together.
      moment(table, 'expires_at').notNullable()
      table.index(['expires_at'], 'zw_dyndns_limits_expiry')
    })
    this.createOwnTable('dyndns_clients', (table) => {
      table.increments('id')
      table.string('hostname', 255).notNullable().unique({ indexName: 'zw_dyndns_clients_host' })
      // The zone by id and name, so that one that came under the id of another shows nothing.
      table.integer('zone_id').notNullable()
      table.string('zone_name', 255).notNullable()
      moment(table, 'first_seen_at').notNullable()
      moment(table, 'last_seen_at').notNullable()
      table.string('last_code', 16).notNullable()
      // Of the connection, and what it told of itself.
      table.string('client_address', 64).nullable()
      table.string('user_agent', 255).notNullable()
      table.string('door', 16).notNullable()
      table.string('username', 64).nullable()
      table.integer('api_key_id').nullable()
      // What the host has since: comma lists.
      longText(table, 'ipv4').nullable()
      longText(table, 'ipv6').nullable()
      moment(table, 'last_change_at').nullable()
      // The latest request about the host whose credentials were not accepted.
      moment(table, 'refused_at').nullable()
      table.string('refused_address', 64).nullable()
      table.string('refused_agent', 255).nullable()
      table.integer('requests').notNullable()
      table.integer('changes').notNullable()
      // JSON: the moments of the latest changes.
      longText(table, 'recent_changes').notNullable()
      table.index(['zone_id'], 'zw_dyndns_clients_zone')
    })
  }

  async down() {
    this.dropOwnTables('dyndns_clients', 'dyndns_limits')
  }
}
