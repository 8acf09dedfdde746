import { OwnSchema, longText, moment } from '#database/own_schema'
import { lookAnew } from '#database/text_index/keeper_of_index'
import { makeTrigramIndex } from '#database/text_index/postgres'
import { MIRROR_TEXTS } from '#database/text_index/source'

/**
 * What is known of the zones of a server that is reached over its HTTP API: tables of the shape of PowerDNS' own, so
 * that the same queries answer from them. And the writes that were begun there and not confirmed yet.
 */
export default class extends OwnSchema {
  /** PostgreSQL makes an index beside running writes outside of transactions only. */
  static disableTransactions = true

  async up() {
    const isPostgres = this.db.dialect.name === 'postgres'
    this.createOwnTable('mirror_zones', (table) => {
      // That of the own row; given by the product, never by the database.
      table.integer('id').notNullable().primary()
      table.string('name', 255).notNullable().unique('zw_mirror_zones_name')
      table.string('type', 32).notNullable()
      longText(table, 'master').nullable()
      table.string('account', 255).nullable()
      table.bigInteger('serial').notNullable().defaultTo(0)
      table.bigInteger('edited_serial').notNullable().defaultTo(0)
      // SOA-EDIT-API: whether the server moves serials by itself.
      table.string('serial_policy', 40).notNullable().defaultTo('')
      // SHA-256 of all that the server told last; empty: it was never asked.
      table.string('digest', 64).notNullable().defaultTo('')
      // Moves with every change of the mirror, so that two that look at the zone notice each other.
      table.bigInteger('version').notNullable().defaultTo(0)
      // Since when the server answers that there is no such zone, and how often it did.
      moment(table, 'missing_since').nullable()
      table.integer('missing_looks').notNullable().defaultTo(0)
    })
    this.createOwnTable('mirror_records', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable()
      table.string('name', 255).notNullable()
      table.string('type', 10).nullable()
      longText(table, 'content').nullable()
      table.integer('ttl').nullable()
      table.integer('prio').nullable()
      table.boolean('disabled').notNullable().defaultTo(false)
      table.string('ordername', 255).nullable()
      table.boolean('auth').notNullable().defaultTo(true)
      table.index(['name', 'type'], 'zw_mirror_records_name_type')
      table.index(['domain_id', 'type', 'name', 'id'], 'zw_mirror_records_type_name')
      table.index(['domain_id', 'name', 'type'], 'zw_mirror_records_name')
    })
    const order = `ordername${isPostgres ? ' text_pattern_ops' : ''}`
    this.schema.raw(
      `CREATE INDEX zw_mirror_records_order ON zw_mirror_records (domain_id, ${order})`
    )
    this.createOwnTable('mirror_comments', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable().index('zw_mirror_comments_zone')
      table.string('name', 255).notNullable()
      table.string('type', 10).notNullable()
      table.bigInteger('modified_at').notNullable()
      table.string('account', 255).nullable()
      longText(table, 'comment').notNullable()
    })
    this.createOwnTable('mirror_metadata', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable()
      table.string('kind', 64).nullable()
      longText(table, 'content').nullable()
      table.index(['domain_id', 'kind'], 'zw_mirror_metadata_zone')
    })
    // That a zone is signed. The keys themselves stay with the server.
    this.createOwnTable('mirror_keys', (table) => {
      table.bigIncrements('id')
      table.integer('domain_id').notNullable().index('zw_mirror_keys_zone')
      table.integer('flags').notNullable()
      table.boolean('active').nullable()
      table.boolean('published').nullable()
      longText(table, 'content').nullable()
    })
    this.#createWrites()
    this.#createTexts()
  }

  /** Writes that were begun, until it is known what became of them. */
  #createWrites() {
    this.createOwnTable('intended_writes', (table) => {
      table.string('id', 36).notNullable().primary()
      // The process that began it.
      table.string('node', 128).notNullable()
      moment(table, 'began_at').notNullable().index('zw_intended_writes_time')
      // JSON: who it was for, as the journal tells it.
      longText(table, 'author').nullable()
    })
    this.createOwnTable('intended_calls', (table) => {
      table.bigIncrements('id')
      table.string('write_id', 36).notNullable().index('zw_intended_calls_write')
      table.integer('zone_id').notNullable().index('zw_intended_calls_zone')
      table.string('zone_name', 255).notNullable()
      table.string('kind', 16).notNullable()
      // JSON: RRsets before and after. No secrets.
      longText(table, 'changes').notNullable()
    })
  }

  #createTexts() {
    const { grams, number: id } = MIRROR_TEXTS
    this.dropLeftOver(grams)
    this.schema.raw(
      `CREATE TABLE ${grams} (gram INTEGER NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (gram, block))
       ${this.db.dialect.name === 'better-sqlite3' ? 'WITHOUT ROWID' : ''}`
    )
    this.defer(async (client) => {
      const marks = client.table('zw_text_marks').knexQuery
      await marks.insert({ id, indexed_to: 0, swept_to: 0 }).onConflict('id').ignore()
      if (client.dialect.name === 'postgres') {
        await makeTrigramIndex(client, MIRROR_TEXTS)
        lookAnew()
      }
    })
  }

  async down() {
    this.dropOwnTables(
      'intended_calls',
      'intended_writes',
      'mirror_keys',
      'mirror_metadata',
      'mirror_comments',
      'mirror_records',
      'mirror_zones'
    )
    this.schema.dropTableIfExists(MIRROR_TEXTS.grams)
    this.defer(async (client) => {
      await client.from('zw_text_marks').where('id', MIRROR_TEXTS.number).delete()
    })
  }
}
