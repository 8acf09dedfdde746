import { RECORD_TEXTS, ZONE_TEXTS } from '#database/text_index/source'
import { OwnSchema } from '#database/own_schema'

/** The sources of this version; later ones come with migrations of their own. */
const SOURCES = [ZONE_TEXTS, RECORD_TEXTS]

/**
 * By what texts are found in names and contents: trigrams that the product keeps in tables, which fill in the
 * background, where the database keeps none by itself.
 */
export default class extends OwnSchema {
  async up() {
    for (const { grams } of SOURCES) {
      // Which three bytes occur in which block of row ids.
      this.dropLeftOver(grams)
      this.schema.raw(
        `CREATE TABLE ${grams} (gram INTEGER NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (gram, block))
         ${this.db.dialect.name === 'better-sqlite3' ? 'WITHOUT ROWID' : ''}`
      )
    }
    this.dropLeftOver('zw_text_marks', { indexed_to: 0 })
    this.createOwnTable('text_marks', (table) => {
      // Number of the source: 1 zone names, 2 records.
      table.integer('id').primary()
      // All rows up to this id have their trigrams, but for those that are noted.
      table.bigInteger('indexed_to').notNullable()
      // Where the sweep is that finds what other tools changed in place.
      table.bigInteger('swept_to').notNullable()
    })
    this.createOwnTable('text_pending', (table) => {
      table.bigIncrements('id')
      table.integer('source').notNullable()
      table.bigInteger('first_id').notNullable()
      table.bigInteger('last_id').notNullable()
      table.index(['source', 'first_id'], 'zw_text_pending_source')
    })
    this.defer(async (db) => {
      const marks = SOURCES.map(({ number: id }) => ({ id, indexed_to: 0, swept_to: 0 }))
      await db.table('zw_text_marks').multiInsert(marks)
    })
  }

  async down() {
    this.dropOwnTables('text_pending', 'text_marks')
    SOURCES.forEach(({ grams }) => this.schema.dropTableIfExists(grams))
  }
}
