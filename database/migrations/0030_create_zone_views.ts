import { OwnSchema, moment } from '#database/own_schema'

/**
 * What the web interface finds zones by: the part of the name tree that a zone lies in, and lists that somebody named.
 * And when the journal was written, for counts of a day.
 */
export default class extends OwnSchema {
  async up() {
    const isPostgres = this.db.dialect.name === 'postgres'
    const parts = await this.partsOf('zw_zones')
    if (!parts.has('tree')) {
      // Worked out by the database, so that nobody who writes names has to think of it.
      this.schema.raw(
        `ALTER TABLE zw_zones ADD COLUMN tree VARCHAR(8) GENERATED ALWAYS AS (
           CASE WHEN name = 'in-addr.arpa' OR name LIKE '%.in-addr.arpa' THEN 'ipv4'
                WHEN name = 'ip6.arpa' OR name LIKE '%.ip6.arpa' THEN 'ipv6'
                ELSE 'forward' END) ${isPostgres ? 'STORED' : 'VIRTUAL'}`
      )
    }
    const indexes: Record<string, string> = {
      tree_key: 'tree, sort_key, id',
      // Kinds of a part are counted by it, and lists by kind are read from it.
      tree_kind: 'tree, kind, sort_key, id',
    }
    for (const [name, columns] of Object.entries(indexes)) {
      if (!parts.has(`zw_zones_${name}`)) {
        this.schema.raw(`CREATE INDEX zw_zones_${name} ON zw_zones (${columns})`)
      }
    }
    await this.alterOnce('zw_journal', 'zw_journal_when', (table) => {
      table.index(['time'], 'zw_journal_when')
    })
    this.createOwnTable('saved_views', (table) => {
      table.increments('id')
      table.integer('user_id').unsigned().notNullable()
      table.string('name', 64).notNullable()
      // The query of the address, such as "q=mail&sort=name%3Adesc".
      table.string('query', 2000).notNullable()
      moment(table, 'created_at').notNullable()
      table.unique(['user_id', 'name'], { indexName: 'zw_saved_views_name' })
      table.foreign('user_id', 'zw_saved_views_user').references('zw_users.id').onDelete('CASCADE')
    })
  }

  async down() {
    this.dropOwnTables('saved_views')
    this.schema.alterTable('zw_journal', (table) => table.dropIndex([], 'zw_journal_when'))
    this.schema.alterTable('zw_zones', (table) => {
      table.dropIndex([], 'zw_zones_tree_key')
      table.dropIndex([], 'zw_zones_tree_kind')
    })
    this.schema.raw('ALTER TABLE zw_zones DROP COLUMN tree')
  }
}
