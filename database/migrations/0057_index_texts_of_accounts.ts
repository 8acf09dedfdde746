import { OwnSchema } from '#database/own_schema'
import { lookAnew } from '#database/text_index/keeper_of_index'
import { makeTrigramIndex } from '#database/text_index/postgres'
import { CLIENT_TEXTS, KEY_TEXTS, USER_TEXTS } from '#database/text_index/source'

/** The sources of this version; later ones come with migrations of their own. */
const SOURCES = [USER_TEXTS, KEY_TEXTS, CLIENT_TEXTS]

/** By what `q` finds users, API keys and clients of dynamic DNS: as names of zones are found. */
export default class extends OwnSchema {
  /** PostgreSQL makes an index beside running writes outside of transactions only. */
  static disableTransactions = true

  async up() {
    for (const { grams } of SOURCES) {
      this.dropLeftOver(grams)
      this.schema.raw(
        `CREATE TABLE ${grams} (gram INTEGER NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (gram, block))
         ${this.db.dialect.name === 'better-sqlite3' ? 'WITHOUT ROWID' : ''}`
      )
    }
    this.defer(async (client) => {
      const marks = SOURCES.map(({ number: id }) => ({ id, indexed_to: 0, swept_to: 0 }))
      await client.table('zw_text_marks').knexQuery.insert(marks).onConflict('id').ignore()
      if (client.dialect.name !== 'postgres') return
      for (const source of SOURCES) {
        await makeTrigramIndex(client, source)
      }
      lookAnew()
    })
  }

  async down() {
    if (this.db.dialect.name === 'postgres') {
      SOURCES.forEach(({ index }) => this.schema.raw(`DROP INDEX IF EXISTS ${index}`))
    }
    SOURCES.forEach(({ grams }) => this.schema.dropTableIfExists(grams))
    this.defer(async (client) => {
      const ids = SOURCES.map(({ number }) => number)
      await client.from('zw_text_marks').whereIn('id', ids).delete()
      await client.from('zw_text_pending').whereIn('source', ids).delete()
    })
  }
}
