import { OwnSchema, longText, moment } from '#database/own_schema'

/**
 * Who: permissions, permission templates, users, groups, API keys with their restrictions.
 */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('permissions', (table) => {
      table.integer('id').primary()
      table.string('name', 64).notNullable().unique({ indexName: 'zw_permissions_name' })
      table.string('description', 1024).notNullable()
    })

    this.createOwnTable('permission_templates', (table) => {
      table.increments('id')
      table.string('name', 128).notNullable()
      table.string('description', 1024).notNullable().defaultTo('')
      table.string('template_type', 8).notNullable()
      table.unique(['template_type', 'name'], { indexName: 'zw_permission_templates_name' })
    })

    this.createOwnTable('permission_template_items', (table) => {
      table.integer('template_id').unsigned().notNullable()
      table.integer('permission_id').notNullable()
      table.primary(['template_id', 'permission_id'])
      table
        .foreign('template_id', 'zw_template_items_template')
        .references('zw_permission_templates.id')
        .onDelete('CASCADE')
      table
        .foreign('permission_id', 'zw_template_items_permission')
        .references('zw_permissions.id')
        .onDelete('CASCADE')
    })

    this.createOwnTable('users', (table) => {
      table.increments('id')
      table.string('username', 64).notNullable().unique({ indexName: 'zw_users_username' })
      // null: the account cannot sign in with a password.
      table.string('password', 255).nullable()
      table.string('fullname', 255).notNullable().defaultTo('')
      // null where there is none, so that the constraint allows many users without an address.
      table.string('email', 255).nullable().unique({ indexName: 'zw_users_email' })
      table.string('description', 1024).notNullable().defaultTo('')
      table.integer('permission_template_id').unsigned().notNullable()
      table.boolean('active').notNullable().defaultTo(true)
      table.string('auth_method', 16).notNullable().defaultTo('local')
      moment(table, 'created_at').notNullable()
      moment(table, 'updated_at').notNullable()
      table
        .foreign('permission_template_id', 'zw_users_template')
        .references('zw_permission_templates.id')
        .onDelete('RESTRICT')
      table.index(['permission_template_id'], 'zw_users_template_idx')
    })

    this.createOwnTable('groups', (table) => {
      table.increments('id')
      table.string('name', 255).notNullable().unique({ indexName: 'zw_groups_name' })
      table.string('description', 1024).notNullable().defaultTo('')
      table.integer('permission_template_id').unsigned().notNullable()
      table.integer('created_by').unsigned().nullable()
      moment(table, 'created_at').notNullable()
      moment(table, 'updated_at').notNullable()
      table
        .foreign('permission_template_id', 'zw_groups_template')
        .references('zw_permission_templates.id')
        .onDelete('RESTRICT')
      table
        .foreign('created_by', 'zw_groups_created_by')
        .references('zw_users.id')
        .onDelete('SET NULL')
      table.index(['permission_template_id'], 'zw_groups_template_idx')
    })

    this.createOwnTable('group_members', (table) => {
      table.integer('group_id').unsigned().notNullable()
      table.integer('user_id').unsigned().notNullable()
      moment(table, 'joined_at').notNullable()
      table.primary(['group_id', 'user_id'])
      table
        .foreign('group_id', 'zw_group_members_group')
        .references('zw_groups.id')
        .onDelete('CASCADE')
      table
        .foreign('user_id', 'zw_group_members_user')
        .references('zw_users.id')
        .onDelete('CASCADE')
      table.index(['user_id'], 'zw_group_members_user_idx')
    })

    this.createOwnTable('api_keys', (table) => {
      table.increments('id')
      table.string('name', 255).notNullable()
      table.integer('user_id').unsigned().notNullable()
      // Hex SHA-256 of the whole key; the key itself is shown once and stored nowhere.
      table.string('secret_hash', 64).notNullable().unique({ indexName: 'zw_api_keys_secret' })
      table.string('prefix', 16).notNullable()
      table.boolean('enabled').notNullable().defaultTo(true)
      table.boolean('read_only').notNullable().defaultTo(false)
      // Comma list of view, create, update, delete; null allows all.
      table.string('allowed_operations', 64).nullable()
      // A flag beside the list: a key whose last zone is deleted must not become a key for all zones.
      table.boolean('zone_restricted').notNullable().defaultTo(false)
      moment(table, 'expires_at').nullable()
      moment(table, 'last_used_at').nullable()
      moment(table, 'created_at').notNullable()
      table.foreign('user_id', 'zw_api_keys_user').references('zw_users.id').onDelete('CASCADE')
      table.index(['user_id'], 'zw_api_keys_user_idx')
    })

    this.createOwnTable('zones', (table) => {
      // The zone id of every address: in SQL mode the id that PowerDNS' table gave.
      table.increments('id')
      // The zone's identity in the journal: ids may come again after a deletion, this does not.
      table.string('uid', 36).notNullable().unique({ indexName: 'zw_zones_uid' })
      table.string('name', 255).notNullable()
      // Labels from the top down, so that a zone's descendants lie side by side.
      table.specificType('name_key', this.byteOrderedText(255)).notNullable()
      longText(table, 'description').nullable()
      table.integer('last_entry').notNullable().defaultTo(0)
      moment(table, 'created_at').notNullable()
      table.index(['name'], 'zw_zones_name')
      table.index(['name_key'], 'zw_zones_name_key')
    })

    this.createOwnTable('zone_owners', (table) => {
      table.integer('zone_id').unsigned().notNullable()
      table.integer('user_id').unsigned().notNullable()
      moment(table, 'created_at').notNullable()
      table.primary(['zone_id', 'user_id'])
      table.foreign('zone_id', 'zw_zone_owners_zone').references('zw_zones.id').onDelete('CASCADE')
      table.foreign('user_id', 'zw_zone_owners_user').references('zw_users.id').onDelete('RESTRICT')
      table.index(['user_id', 'zone_id'], 'zw_zone_owners_user_idx')
    })

    this.createOwnTable('zone_groups', (table) => {
      table.integer('zone_id').unsigned().notNullable()
      table.integer('group_id').unsigned().notNullable()
      moment(table, 'created_at').notNullable()
      table.primary(['zone_id', 'group_id'])
      table.foreign('zone_id', 'zw_zone_groups_zone').references('zw_zones.id').onDelete('CASCADE')
      table
        .foreign('group_id', 'zw_zone_groups_group')
        .references('zw_groups.id')
        .onDelete('RESTRICT')
      table.index(['group_id', 'zone_id'], 'zw_zone_groups_group_idx')
    })

    this.createOwnTable('api_key_zones', (table) => {
      table.integer('api_key_id').unsigned().notNullable()
      table.integer('zone_id').unsigned().notNullable()
      table.primary(['api_key_id', 'zone_id'])
      table
        .foreign('api_key_id', 'zw_api_key_zones_key')
        .references('zw_api_keys.id')
        .onDelete('CASCADE')
      table
        .foreign('zone_id', 'zw_api_key_zones_zone')
        .references('zw_zones.id')
        .onDelete('CASCADE')
      table.index(['zone_id'], 'zw_api_key_zones_zone_idx')
    })
  }

  async down() {
    this.dropOwnTables(
      'api_key_zones',
      'zone_groups',
      'zone_owners',
      'zones',
      'api_keys',
      'group_members',
      'groups',
      'users',
      'permission_template_items',
      'permission_templates',
      'permissions'
    )
  }
}
