import { OwnSchema, longText } from '#database/own_schema'

/**
 * What a write is about to do at a name server, and what own tables get with it, in rows of a bounded length: a database takes
 * no more than one packet of its own at once.
 */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_intended_calls', 'part', (table) => {
      // Counted from 0: a row with a higher one goes on with the text of the row before it.
      table.integer('part').notNullable().defaultTo(0)
    })
    this.defer(async (client) => {
      if (await client.schema.hasColumn('zw_intended_writes', 'told')) {
        // Cut off, some of it may be there.
        await client.from('zw_intended_calls').where('kind', 'told').delete()
        await client.rawQuery(
          `INSERT INTO zw_intended_calls (write_id, zone_id, zone_name, kind, changes)
           SELECT id, 0, '', 'told', told FROM zw_intended_writes WHERE told IS NOT NULL`
        )
        await client.rawQuery('ALTER TABLE zw_intended_writes DROP COLUMN told')
      }
    })
  }

  async down() {
    this.schema.alterTable('zw_intended_writes', (table) => {
      longText(table, 'told').nullable()
    })
    // What has more than one part is found out about without it, as what still older versions kept.
    this.schema.raw(
      `UPDATE zw_intended_writes SET told = (
         SELECT max(changes) FROM zw_intended_calls
         WHERE write_id = zw_intended_writes.id AND kind = 'told'
         GROUP BY write_id HAVING count(*) = 1
       )`
    )
    this.schema.raw(`DELETE FROM zw_intended_calls WHERE kind = 'told'`)
    this.dropOwnColumns('zw_intended_calls', 'part')
  }
}
