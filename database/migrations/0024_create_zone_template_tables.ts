import { OwnSchema, longText, moment } from '#database/own_schema'

/** Zone templates with their records, and which zone came from which. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('zone_templates', (table) => {
      table.increments('id')
      table.string('name', 128).notNullable()
      table.string('description', 1024).notNullable().defaultTo('')
      // null for one that is for everybody, and for one whose owner is gone: administrators have that.
      table.integer('user_id').unsigned().nullable()
      table.boolean('is_global').notNullable().defaultTo(false)
      moment(table, 'created_at').notNullable()
      moment(table, 'updated_at').notNullable()
      table
        .foreign('user_id', 'zw_zone_templates_user')
        .references('zw_users.id')
        .onDelete('SET NULL')
      table.index(['user_id'], 'zw_zone_templates_user_idx')
    })

    this.createOwnTable('zone_template_records', (table) => {
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

    this.createOwnTable('zone_template_links', (table) => {
      // The identity of the zone in the journal: one that comes back from the trash is linked as it was.
      table.string('zone_uid', 36).primary()
      table.integer('template_id').unsigned().notNullable()
      moment(table, 'linked_at').notNullable()
      moment(table, 'synced_at').notNullable()
      // JSON: the records that the zone has from its template, by names relative to the apex.
      longText(table, 'given').notNullable()
      table
        .foreign('template_id', 'zw_zone_template_links_template')
        .references('zw_zone_templates.id')
        .onDelete('CASCADE')
      table.index(['template_id', 'zone_uid'], 'zw_zone_template_links_idx')
    })
  }

  async down() {
    this.dropOwnTables('zone_template_links', 'zone_template_records', 'zone_templates')
  }
}
