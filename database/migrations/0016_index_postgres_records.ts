import { BaseSchema } from '@adonisjs/lucid/schema'
import { lookAnew } from '#database/text_index/keeper_of_index'
import { makeTrigramIndex, patiently, replaceIndex } from '#database/text_index/postgres'
import { RECORD_TEXTS, ZONE_TEXTS } from '#database/text_index/source'

/** The sources of this version; later ones come with migrations of their own. */
const SOURCES = [ZONE_TEXTS, RECORD_TEXTS]

/**
 * On PostgreSQL: the indexes by which it finds parts of names and contents itself (pg_trgm), and one in the whole
 * default order of record lists, down to the id, which SQLite and MariaDB have in each index. Name servers read and
 * write meanwhile. What is cut off can be begun again; where pg_trgm may not be had, the product keeps trigrams
 * of its own, and `node ace doctor` says so.
 */
export default class extends BaseSchema {
  /** PostgreSQL makes an index beside running writes outside of transactions only. */
  static disableTransactions = true

  async up() {
    this.defer(async (client) => {
      if (client.dialect.name !== 'postgres') {
        return
      }
      await patiently(client, (send) =>
        replaceIndex(send, 'zw_records_type_name', 'records', '(domain_id, type, name, id)')
      )
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
  }
}
