import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { naturalSortKey } from '#dns/sort_key'
import { OwnSchema } from '#database/own_schema'

const SHARDS = 16
const BATCH = 500

interface Named {
  id: number
  name: string
}

/** What lists of zones are answered from: sort keys and kinds with indexes, and the kept number of zones. */
export default class extends OwnSchema {
  async up() {
    const parts = await this.partsOf('zw_zones')
    if (!parts.has('sort_key')) {
      this.schema.alterTable('zw_zones', (table) => {
        // Both are null for a row whose zone is not there: it is in no list, and keeps what it knows.
        table.specificType('sort_key', this.byteOrderedText(255)).nullable()
        table.string('kind', 32).nullable()
      })
    }
    // Cut off, it may be there with rows; they are counted anew.
    this.dropOwnTables('list_marks')
    this.createOwnTable('list_marks', (table) => {
      table.string('list', 32).notNullable()
      table.integer('shard').notNullable()
      table.integer('total').notNullable()
      table.bigInteger('version').notNullable()
      table.primary(['list', 'shard'])
    })
    this.defer(async (client) => {
      await fillKinds(client)
      await fillSortKeys(client)
      await beginMarks(client)
    })
    // Each order in which a list of zones can be asked for; read backwards for the opposite one.
    const indexes: Record<string, string> = {
      sort_key: 'sort_key, id',
      kind_key: 'kind, sort_key, id',
      kind_key_desc: 'kind, sort_key DESC, id',
      kind: 'kind, id',
      kind_desc: 'kind, id DESC',
      // Read backwards, MariaDB would have to sort for the ids of equal keys.
      ...(this.db.dialect.name === 'mysql' ? { sort_key_desc: 'sort_key DESC, id' } : {}),
    }
    for (const [name, columns] of Object.entries(indexes)) {
      if (!parts.has(`zw_zones_${name}`)) {
        this.schema.raw(`CREATE INDEX zw_zones_${name} ON zw_zones (${columns})`)
      }
    }
  }

  async down() {
    this.dropOwnTables('list_marks')
    const indexes = ['sort_key', 'kind_key', 'kind_key_desc', 'kind', 'kind_desc']
    if (this.db.dialect.name === 'mysql') indexes.push('sort_key_desc')
    this.schema.alterTable('zw_zones', (table) => {
      for (const name of indexes) table.dropIndex([], `zw_zones_${name}`)
    })
    this.dropOwnColumns('zw_zones', 'sort_key', 'kind')
  }
}

/** As PowerDNS has them, where it still has the zone of the row. */
async function fillKinds(client: QueryClientContract): Promise<void> {
  await client.rawQuery(
    `UPDATE zw_zones SET kind = (
       SELECT CASE domains.type WHEN '' THEN 'MASTER' ELSE upper(domains.type) END FROM domains
       WHERE domains.id = zw_zones.id AND lower(domains.name) = zw_zones.name)`
  )
}

async function fillSortKeys(client: QueryClientContract): Promise<void> {
  for (let last = 0; ;) {
    const rows: Named[] = await client
      .from('zw_zones')
      .whereNotNull('kind')
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .select('id', 'name')
    if (rows.length === 0) {
      return
    }
    last = rows[rows.length - 1].id
    const cases = rows.map(() => 'WHEN ? THEN ?').join(' ')
    await client.rawQuery(
      `UPDATE zw_zones SET sort_key = CASE id ${cases} END
       WHERE kind IS NOT NULL AND id BETWEEN ? AND ?`,
      [...rows.flatMap(({ id, name }) => [id, naturalSortKey(name)]), rows[0].id, last]
    )
  }
}

async function beginMarks(client: QueryClientContract): Promise<void> {
  const [count] = await client.from('zw_zones').whereNotNull('kind').count('* as total')
  const shards = Array.from({ length: SHARDS }, (_, shard) => ({
    list: 'zones',
    shard,
    total: shard === 0 ? Number(count.total) : 0,
    version: 0,
  }))
  await client.from('zw_list_marks').where('list', 'zones').delete()
  await client.table('zw_list_marks').multiInsert(shards)
}
