import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/** Creates the tables of sign-in and sessions, and of the data that the web interface stores for a user. */
export default class extends ZonewrightSchema {
  async up() {
    this.#createSessions()
    this.#createSecondFactors()
    this.#createTokens()
    this.#createPages()
  }

  async down() {
    this.dropZonewrightTables(
      'form_results',
      'saved_views',
      'first_run_tokens',
      'password_resets',
      'recovery_codes',
      'second_factors',
      'sign_in_failures',
      'preferences',
      'sessions'
    )
  }

  #createSessions() {
    this.createZonewrightTable('sessions', (table) => {
      // Names the session in lists and revocations. The cookie holds the token.
      table.increments('id')
      // Hex SHA-256 of the token.
      table.string('token_hash', 64).notNullable()
      table.integer('user_id').unsigned().notNullable()
      // JSON: the secret of the forms, and messages for the next page.
      longText(table, 'data').notNullable()
      table.boolean('is_remembered').notNullable()
      table.string('address', 45).notNullable()
      table.string('agent', 255).notNullable()
      timestampColumn(table, 'created_at').notNullable()
      timestampColumn(table, 'seen_at').notNullable()
      // The session ends at the earlier of the two.
      timestampColumn(table, 'idle_until').notNullable()
      timestampColumn(table, 'expires_at').notNullable()
      table.unique(['token_hash'], { indexName: 'zw_sessions_token' })
      table.foreign('user_id', 'zw_sessions_user').references('zw_users.id').onDelete('CASCADE')
      table.index(['user_id'], 'zw_sessions_user_idx')
      table.index(['expires_at'], 'zw_sessions_expiry')
      table.index(['idle_until'], 'zw_sessions_idle')
    })

    // null in all columns: the setting of the installation applies.
    this.createZonewrightTable('preferences', (table) => {
      table.integer('user_id').unsigned().primary()
      table.integer('rows_per_page').nullable()
      table.string('theme', 16).nullable()
      table.string('time_zone', 64).nullable()
      table.string('language', 16).nullable()
      // Whether the user gets mail about change requests.
      table.boolean('review_mail').nullable()
      table.foreign('user_id', 'zw_preferences_user').references('zw_users.id').onDelete('CASCADE')
    })

    // Counts wrong passwords for all processes on this database.
    this.createZonewrightTable('sign_in_failures', (table) => {
      // Hex HMAC of the user name as typed: users may type their password there.
      table.string('subject', 64).notNullable()
      // IPv4 address or IPv6 /64 of the client; empty where addresses do not count.
      table.string('network', 64).notNullable()
      table.integer('failures').notNullable()
      // The failures count until then.
      timestampColumn(table, 'expires_at').notNullable()
      table.primary(['subject', 'network'])
      table.index(['expires_at'], 'zw_sign_in_failures_expiry')
    })
  }

  #createSecondFactors() {
    this.createZonewrightTable('second_factors', (table) => {
      table.integer('user_id').unsigned().primary()
      // Encrypted with the APP_KEY.
      longText(table, 'secret').notNullable()
      // null until the user entered a first code; the factor is not required before.
      timestampColumn(table, 'confirmed_at').nullable()
      // The 30-second step of the last accepted code: no code is accepted twice.
      table.bigInteger('last_step').notNullable().defaultTo(0)
      // Wrong codes since the last right one, and the end of the lock after too many.
      table.integer('failures').notNullable().defaultTo(0)
      timestampColumn(table, 'locked_until').nullable()
      table
        .foreign('user_id', 'zw_second_factors_user')
        .references('zw_users.id')
        .onDelete('CASCADE')
    })

    this.createZonewrightTable('recovery_codes', (table) => {
      table.increments('id')
      table.integer('user_id').unsigned().notNullable()
      // Hex SHA-256; the code has 80 random bits.
      table.string('code_hash', 64).notNullable()
      table.unique(['user_id', 'code_hash'], { indexName: 'zw_recovery_codes_code' })
      table
        .foreign('user_id', 'zw_recovery_codes_user')
        .references('zw_users.id')
        .onDelete('CASCADE')
    })
  }

  #createTokens() {
    // Links for a new password that were sent by mail.
    this.createZonewrightTable('password_resets', (table) => {
      table.increments('id')
      // Hex SHA-256 of the token in the link.
      table.string('token_hash', 64).notNullable()
      table.integer('user_id').unsigned().notNullable()
      // HMAC of password and mail address: the link is invalid after either changes.
      table.string('account_mark', 64).notNullable()
      timestampColumn(table, 'expires_at').notNullable()
      table.unique(['token_hash'], { indexName: 'zw_password_resets_token' })
      table
        .foreign('user_id', 'zw_password_resets_user')
        .references('zw_users.id')
        .onDelete('CASCADE')
      table.index(['user_id'], 'zw_password_resets_user_idx')
      table.index(['expires_at'], 'zw_password_resets_expiry')
    })

    // Tokens for creating the first administrator in the browser.
    this.createZonewrightTable('first_run_tokens', (table) => {
      table.increments('id')
      // Hex SHA-256 of the token that the server printed.
      table.string('token_hash', 64).notNullable()
      timestampColumn(table, 'expires_at').notNullable()
      table.unique(['token_hash'], { indexName: 'zw_first_run_tokens_token' })
    })
  }

  #createPages() {
    // Filters of the zone list that a user stored under a name.
    this.createZonewrightTable('saved_views', (table) => {
      table.increments('id')
      table.integer('user_id').unsigned().notNullable()
      table.string('name', 64).notNullable()
      // The query string, such as "q=mail&sort=name%3Adesc".
      table.string('query', 2000).notNullable()
      timestampColumn(table, 'created_at').notNullable()
      table.unique(['user_id', 'name'], { indexName: 'zw_saved_views_name' })
      table.foreign('user_id', 'zw_saved_views_user').references('zw_users.id').onDelete('CASCADE')
    })

    // Results of forms of the web interface that have a URL of their own.
    this.createZonewrightTable('form_results', (table) => {
      table.increments('id')
      table.integer('user_id').unsigned().notNullable()
      // The last part of the address.
      table.string('name', 64).notNullable()
      // Counted from 0: long content is stored in several rows of a bounded length.
      table.integer('part').notNullable()
      // Compressed JSON in base64.
      longText(table, 'content').notNullable()
      // Number of characters of the content.
      table.integer('size').notNullable()
      // Results of unfinished bulk runs are not deleted to free space.
      table.boolean('is_unfinished').notNullable().defaultTo(false)
      timestampColumn(table, 'created_at').notNullable()
      table.unique(['user_id', 'name', 'part'], { indexName: 'zw_form_results_name' })
      table.foreign('user_id', 'zw_form_results_user').references('zw_users.id').onDelete('CASCADE')
      table.index(['created_at'], 'zw_form_results_age')
    })
  }
}
