import { OwnSchema, longText, moment } from '#database/own_schema'

/** Changes that wait for somebody who approves them: what is wished, and what it was based on. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('change_requests', (table) => {
      table.increments('id')
      // records or zone_delete.
      table.string('kind', 16).notNullable()
      // pending, approved, rejected, cancelled or failed.
      table.string('status', 16).notNullable()
      // Moves with each new base, so that nobody decides on what they did not see.
      table.integer('version').notNullable().defaultTo(1)
      // By value: requests outlive users and zones.
      table.integer('requester_id').nullable()
      table.string('requester_name', 64).notNullable()
      longText(table, 'request_comment').nullable()
      table.integer('reviewer_id').nullable()
      table.string('reviewer_name', 64).nullable()
      longText(table, 'review_comment').nullable()
      moment(table, 'created_at').notNullable()
      moment(table, 'reviewed_at').nullable()
      moment(table, 'applied_at').nullable()
      // When an approved request is to be applied; null is at once.
      moment(table, 'apply_at').nullable()
      longText(table, 'error').nullable()
      // JSON: indexes of actions whose base did not hold when it was last looked at.
      longText(table, 'stale').nullable()
      table.index(['status', 'id'], 'zw_change_requests_status')
      table.index(['requester_id', 'id'], 'zw_change_requests_requester')
    })

    this.createOwnTable('change_request_zones', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('position').notNullable()
      table.integer('zone_id').notNullable()
      table.string('zone_uid', 36).notNullable()
      table.string('zone_name', 255).notNullable()
      table.bigInteger('base_serial').nullable()
      // JSON: what of the wish is about the zone as a whole.
      longText(table, 'terms').notNullable()
      table.unique(['request_id', 'position'], { indexName: 'zw_change_request_zones_place' })
      table.index(['zone_id'], 'zw_change_request_zones_zone')
    })

    this.createOwnTable('change_request_actions', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('position').notNullable()
      // Position of its zone among those of the request.
      table.integer('zone').notNullable()
      // JSON of each: what is wished, and what was there.
      longText(table, 'wish').notNullable()
      longText(table, 'base').notNullable()
      table.unique(['request_id', 'position'], { indexName: 'zw_change_request_actions_place' })
    })

    this.createOwnTable('change_request_approvals', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('user_id').notNullable()
      table.string('username', 64).notNullable()
      longText(table, 'comment').nullable()
      moment(table, 'created_at').notNullable()
      table.unique(['request_id', 'user_id'], { indexName: 'zw_change_request_approvals_user' })
    })

    this.createOwnTable('change_request_comments', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('user_id').nullable()
      table.string('username', 64).notNullable()
      // Index of the action that it is about; null is the request.
      table.integer('action').nullable()
      longText(table, 'text').notNullable()
      moment(table, 'created_at').notNullable()
      table.index(['request_id', 'id'], 'zw_change_request_comments_request')
    })
  }

  async down() {
    this.dropOwnTables(
      'change_request_comments',
      'change_request_approvals',
      'change_request_actions',
      'change_request_zones',
      'change_requests'
    )
  }
}
