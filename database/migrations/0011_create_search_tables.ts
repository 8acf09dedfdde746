import { ZonewrightSchema } from '#database/schema/zonewright_schema'

/** Searched tables: their number in the tables of this file, their trigram table, and their index on PostgreSQL. */
const SOURCES = [
  {
    id: 1,
    grams: 'zw_zone_grams',
    table: 'zw_zones',
    index: 'zw_zones_text',
    columns: ['name', 'description'],
  },
  {
    id: 2,
    grams: 'zw_record_grams',
    table: 'records',
    index: 'zw_records_text',
    columns: ['name', 'content', 'type'],
  },
  {
    id: 3,
    grams: 'zw_mirror_grams',
    table: 'zw_mirror_records',
    index: 'zw_mirror_records_text',
    columns: ['name', 'content', 'type'],
  },
  {
    id: 4,
    grams: 'zw_user_grams',
    table: 'zw_users',
    index: 'zw_users_text',
    columns: ['username', 'fullname', 'email', 'description'],
  },
  {
    id: 5,
    grams: 'zw_api_key_grams',
    table: 'zw_api_keys',
    index: 'zw_api_keys_text',
    columns: ['name', 'prefix'],
  },
  {
    id: 6,
    grams: 'zw_dyndns_client_grams',
    table: 'zw_dyndns_clients',
    index: 'zw_dyndns_clients_text',
    columns: ['hostname', 'zone_name'],
  },
]

/**
 * Creates the search index: trigram tables, which are filled in the background, or indexes of pg_trgm on PostgreSQL. If the
 * role may not create pg_trgm, PostgreSQL uses the trigram tables, too.
 */
export default class extends ZonewrightSchema {
  /** PostgreSQL creates an index concurrently with writes outside of transactions only. */
  static disableTransactions = true

  async up() {
    SOURCES.forEach(({ grams }) => this.createTrigramTable(grams))
    this.#createIndexProgress()
    this.createTrigramIndexes(SOURCES)
  }

  async down() {
    if (this.db.dialect.name === 'postgres') {
      SOURCES.forEach(({ index }) => this.schema.raw(`DROP INDEX IF EXISTS ${index}`))
    }
    this.dropZonewrightTables('text_pending', 'text_marks')
    SOURCES.forEach(({ grams }) => this.schema.dropTableIfExists(grams))
  }

  /** Progress of the background task, and the rows that it must read again. */
  #createIndexProgress() {
    this.createZonewrightTable('text_pending', (table) => {
      table.bigIncrements('id')
      table.integer('source').notNullable()
      table.bigInteger('first_id').notNullable()
      table.bigInteger('last_id').notNullable()
      table.index(['source', 'first_id'], 'zw_text_pending_source')
    })
    this.dropLeftOver('zw_text_marks', { indexed_to: 0 })
    this.createZonewrightTable('text_marks', (table) => {
      // Number of the source.
      table.integer('id').primary()
      // All rows up to this id have trigrams, except for pending ones.
      table.bigInteger('indexed_to').notNullable()
      // Position of the sweep that finds changes of other tools.
      table.bigInteger('swept_to').notNullable()
    })
    this.defer(async (client) => {
      const marks = SOURCES.map(({ id }) => ({ id, indexed_to: 0, swept_to: 0 }))
      await client.table('zw_text_marks').multiInsert(marks)
    })
  }
}
