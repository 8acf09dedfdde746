import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/** Creates change requests, which wait for a review, and zone templates. */
export default class extends ZonewrightSchema {
  async up() {
    this.#createChangeRequests()
    this.#createReviews()
    this.#createZoneTemplates()
  }

  async down() {
    this.dropZonewrightTables(
      'zone_template_links',
      'zone_template_records',
      'zone_templates',
      'change_request_comments',
      'change_request_approvals',
      'change_request_actions',
      'change_request_zones',
      'change_requests'
    )
  }

  #createChangeRequests() {
    this.createZonewrightTable('change_requests', (table) => {
      table.increments('id')
      // records or zone_delete.
      table.string('kind', 16).notNullable()
      // pending, approved, rejected, cancelled or failed.
      table.string('status', 16).notNullable()
      // Increases with each new base: nobody can approve a state that they did not see.
      table.integer('version').notNullable().defaultTo(1)
      // By value: requests stay when users and zones are deleted.
      table.integer('requester_id').nullable()
      table.string('requester_name', 64).notNullable()
      longText(table, 'request_comment').nullable()
      table.integer('reviewer_id').nullable()
      table.string('reviewer_name', 64).nullable()
      longText(table, 'review_comment').nullable()
      timestampColumn(table, 'created_at').notNullable()
      timestampColumn(table, 'reviewed_at').nullable()
      timestampColumn(table, 'cancelled_at').nullable()
      timestampColumn(table, 'applied_at').nullable()
      // When an approved request is applied; null for immediately.
      timestampColumn(table, 'apply_at').nullable()
      longText(table, 'error').nullable()
      // JSON: indexes of the actions whose base had changed at the last check.
      longText(table, 'stale').nullable()
      table.index(['status', 'id'], 'zw_change_requests_status')
      table.index(['requester_id', 'id'], 'zw_change_requests_requester')
    })

    this.createZonewrightTable('change_request_zones', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('position').notNullable()
      table.integer('zone_id').notNullable()
      table.string('zone_uid', 36).notNullable()
      table.string('zone_name', 255).notNullable()
      table.bigInteger('base_serial').nullable()
      // JSON: requested changes of the zone as a whole.
      longText(table, 'terms').notNullable()
      table.unique(['request_id', 'position'], { indexName: 'zw_change_request_zones_place' })
      table.index(['zone_id'], 'zw_change_request_zones_zone')
      table.index(['zone_uid'], 'zw_change_request_zones_uid')
    })

    this.createZonewrightTable('change_request_actions', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('position').notNullable()
      // Position of the zone in zw_change_request_zones.
      table.integer('zone').notNullable()
      // JSON: the requested change, and the state that it is based on.
      longText(table, 'wish').notNullable()
      longText(table, 'base').notNullable()
      table.unique(['request_id', 'position'], { indexName: 'zw_change_request_actions_place' })
    })
  }

  #createReviews() {
    this.createZonewrightTable('change_request_approvals', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('user_id').notNullable()
      table.string('username', 64).notNullable()
      longText(table, 'comment').nullable()
      timestampColumn(table, 'created_at').notNullable()
      table.unique(['request_id', 'user_id'], { indexName: 'zw_change_request_approvals_user' })
    })

    this.createZonewrightTable('change_request_comments', (table) => {
      table.bigIncrements('id')
      table.integer('request_id').notNullable()
      table.integer('user_id').nullable()
      table.string('username', 64).notNullable()
      // Index of the commented action; null for a comment on the request itself.
      table.integer('action').nullable()
      longText(table, 'text').notNullable()
      timestampColumn(table, 'created_at').notNullable()
      table.index(['request_id', 'id'], 'zw_change_request_comments_request')
    })
  }

  #createZoneTemplates() {
    this.createZonewrightTable('zone_templates', (table) => {
      table.increments('id')
      table.string('name', 128).notNullable()
      table.string('description', 1024).notNullable().defaultTo('')
      // null for a global template, and for one whose owner was deleted: administrators manage both.
      table.integer('user_id').unsigned().nullable()
      table.boolean('is_global').notNullable().defaultTo(false)
      timestampColumn(table, 'created_at').notNullable()
      timestampColumn(table, 'updated_at').notNullable()
      table
        .foreign('user_id', 'zw_zone_templates_user')
        .references('zw_users.id')
        .onDelete('SET NULL')
      table.index(['user_id'], 'zw_zone_templates_user_idx')
    })

    this.createZonewrightTable('zone_template_records', (table) => {
      table.increments('id')
      table.integer('template_id').unsigned().notNullable()
      table.string('name', 255).notNullable()
      table.string('type', 16).notNullable()
      longText(table, 'content').notNullable()
      table.integer('ttl').notNullable()
      table.integer('priority').notNullable()
      table
        .foreign('template_id', 'zw_zone_template_records_template')
        .references('zw_zone_templates.id')
        .onDelete('CASCADE')
      table.index(['template_id'], 'zw_zone_template_records_idx')
    })

    this.createZonewrightTable('zone_template_links', (table) => {
      // As in zw_zones: a zone that is restored from the trash has its link again.
      table.string('zone_uid', 36).primary()
      table.integer('template_id').unsigned().notNullable()
      timestampColumn(table, 'linked_at').notNullable()
      timestampColumn(table, 'synced_at').notNullable()
      // JSON: the records that the zone got from its template, with names relative to the apex.
      longText(table, 'given').notNullable()
      table
        .foreign('template_id', 'zw_zone_template_links_template')
        .references('zw_zone_templates.id')
        .onDelete('CASCADE')
      table.index(['template_id', 'zone_uid'], 'zw_zone_template_links_idx')
    })
  }
}
