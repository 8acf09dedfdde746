import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/** Columns of users that have a folded copy, by which lists of users are sorted. */
const SORT_KEYS = ['username_key', 'fullname_key', 'email_key']

/** Creates permissions, permission templates, users, groups and API keys. */
export default class extends ZonewrightSchema {
  async up() {
    this.#createPermissions()
    this.#createUsers()
    this.#createGroups()
    this.#createApiKeys()
  }

  async down() {
    this.dropZonewrightTables(
      'api_keys',
      'group_members',
      'groups',
      'users',
      'permission_template_items',
      'permission_templates',
      'permissions'
    )
  }

  #createPermissions() {
    this.createZonewrightTable('permissions', (table) => {
      table.integer('id').primary()
      table.string('name', 64).notNullable().unique({ indexName: 'zw_permissions_name' })
      table.string('description', 1024).notNullable()
    })

    this.createZonewrightTable('permission_templates', (table) => {
      table.increments('id')
      table.string('name', 128).notNullable()
      table.string('description', 1024).notNullable().defaultTo('')
      table.string('template_type', 8).notNullable()
      table.unique(['template_type', 'name'], { indexName: 'zw_permission_templates_name' })
    })

    this.createZonewrightTable('permission_template_items', (table) => {
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
  }

  #createUsers() {
    this.createZonewrightTable('users', (table) => {
      table.increments('id')
      table.string('username', 64).notNullable().unique({ indexName: 'zw_users_username' })
      // Skeleton of the name, by which similar names are found; null if another user has the same.
      table
        .specificType('username_skeleton', this.byteOrderedText(255))
        .nullable()
        .unique({ indexName: 'zw_users_skeleton' })
      // null: the user cannot sign in with a password.
      table.string('password', 255).nullable()
      table.string('fullname', 255).notNullable().defaultTo('')
      // null for no address: the constraint allows many users without one.
      table.string('email', 255).nullable().unique({ indexName: 'zw_users_email' })
      table.string('description', 1024).notNullable().defaultTo('')
      table.integer('permission_template_id').unsigned().notNullable()
      table.boolean('active').notNullable().defaultTo(true)
      table.string('auth_method', 16).notNullable().defaultTo('local')
      timestampColumn(table, 'created_at').notNullable()
      timestampColumn(table, 'updated_at').notNullable()
      for (const key of SORT_KEYS) {
        // Longer than the column itself: one letter may become several when its case changes.
        table.specificType(key, this.byteOrderedText(512)).notNullable().defaultTo('')
      }
      table
        .foreign('permission_template_id', 'zw_users_template')
        .references('zw_permission_templates.id')
        .onDelete('RESTRICT')
      table.index(['permission_template_id'], 'zw_users_template_idx')
    })
    for (const key of SORT_KEYS) {
      this.schema.raw(`CREATE INDEX zw_users_${key} ON zw_users (${key}, id)`)
      if (this.db.dialect.name === 'mysql') {
        // For the descending order with ascending ids. MariaDB would sort when it reads the other index backwards.
        this.schema.raw(`CREATE INDEX zw_users_${key}_desc ON zw_users (${key} DESC, id)`)
      }
    }
  }

  #createGroups() {
    this.createZonewrightTable('groups', (table) => {
      table.increments('id')
      table.string('name', 255).notNullable().unique({ indexName: 'zw_groups_name' })
      table.string('description', 1024).notNullable().defaultTo('')
      table.integer('permission_template_id').unsigned().notNullable()
      table.integer('created_by').unsigned().nullable()
      timestampColumn(table, 'created_at').notNullable()
      timestampColumn(table, 'updated_at').notNullable()
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

    this.createZonewrightTable('group_members', (table) => {
      table.integer('group_id').unsigned().notNullable()
      table.integer('user_id').unsigned().notNullable()
      timestampColumn(table, 'joined_at').notNullable()
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
      // The default order of the members of a group.
      table.index(['group_id', 'joined_at', 'user_id'], 'zw_group_members_joined')
    })
  }

  #createApiKeys() {
    this.createZonewrightTable('api_keys', (table) => {
      table.increments('id')
      table.string('name', 255).notNullable()
      table.integer('user_id').unsigned().notNullable()
      // Hex SHA-256 of the key. The key itself is not stored.
      table.string('secret_hash', 64).notNullable().unique({ indexName: 'zw_api_keys_secret' })
      table.string('prefix', 16).notNullable()
      table.boolean('enabled').notNullable().defaultTo(true)
      table.boolean('read_only').notNullable().defaultTo(false)
      // Comma list of view, create, update, delete; null allows all.
      table.string('allowed_operations', 64).nullable()
      // A separate flag: a key whose last zone is deleted must not become a key for all zones.
      table.boolean('zone_restricted').notNullable().defaultTo(false)
      // JSON: [{"name": "*.example.com", "types": ["A"] or null}]; null allows all that the owner may write.
      longText(table, 'patterns').nullable()
      // JSON: ["192.0.2.0/24"]; null allows every address.
      longText(table, 'networks').nullable()
      // 'dyndns' for the token of a host; null for other keys.
      table.string('purpose', 16).nullable()
      timestampColumn(table, 'expires_at').nullable()
      table.integer('idle_days').nullable()
      // Start of the idle time of a key that was not used since; null for its creation.
      timestampColumn(table, 'idle_from').nullable()
      timestampColumn(table, 'last_used_at').nullable()
      table.string('last_used_from', 45).nullable()
      timestampColumn(table, 'created_at').notNullable()
      table.foreign('user_id', 'zw_api_keys_user').references('zw_users.id').onDelete('CASCADE')
      table.index(['user_id'], 'zw_api_keys_user_idx')
    })
  }
}
