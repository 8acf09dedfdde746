import { OwnSchema, longText, moment } from '#database/own_schema'

/** What users show beside their password. */
export default class extends OwnSchema {
  async up() {
    this.createOwnTable('second_factors', (table) => {
      table.integer('user_id').unsigned().primary()
      // Encrypted with the APP_KEY.
      longText(table, 'secret').notNullable()
      // Null until a first code was shown: it asks for nothing until then.
      moment(table, 'confirmed_at').nullable()
      // The step of 30 seconds whose code was taken last: no code is taken twice.
      table.bigInteger('last_step').notNullable().defaultTo(0)
      // Wrong codes since the last right one, and until when none is taken after too many.
      table.integer('failures').notNullable().defaultTo(0)
      moment(table, 'locked_until').nullable()
      table
        .foreign('user_id', 'zw_second_factors_user')
        .references('zw_users.id')
        .onDelete('CASCADE')
    })

    this.createOwnTable('recovery_codes', (table) => {
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

  async down() {
    this.dropOwnTables('recovery_codes', 'second_factors')
  }
}
