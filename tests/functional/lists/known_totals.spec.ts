// @databases
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { MAX_FIRST_RECORDS } from '#backends/sql/lists/first_page'
import { MAX_MATCHES_READ_WHOLE } from '#backends/sql/lists/matching_ids'
import { IdSet } from '#database/rows/id_set'
import { defineList } from '#lists/declaration'
import { FilteredQuery } from '#lists/sql/id_filter'
import { KeysetQuery } from '#lists/sql/keyset_query'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'

const RECORDS = 30
const LISTS = ['records', 'rrsets'] as const

/** Cached ids and counts of filters in large zones. */
test.group('Totals of filters in large zones', (group) => {
  let root: Caller
  let zone: { id: number; name: string }

  group.each.setup(async (running) => {
    const [{ records }, { count }] = [MAX_SMALL_ZONE, MAX_FIRST_RECORDS]
    MAX_SMALL_ZONE.records = 10
    MAX_FIRST_RECORDS.count = 0
    root = caller(running.context.client, await administrator())
    zone = await createZone(root, { name: zoneNamed() })
    const operations = Array.from({ length: RECORDS }, (_, index) => {
      return {
        action: 'create',
        name: `h${index}`,
        type: 'A',
        content: `192.0.2.${index}`,
        ttl: 60,
      }
    })
    await expectStatus(root.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
    return () => {
      MAX_SMALL_ZONE.records = records
      MAX_FIRST_RECORDS.count = count
    }
  })

  const found = async (list: (typeof LISTS)[number], query: string) => {
    const response = await root.get(`/zones/${zone.id}/${list}?per_page=5&${query}`)
    const { data, pagination } = response.body()
    return { rows: data[list] as object[], total: pagination.total as number }
  }

  /** Adds a record as another tool does, and changes the serial as name servers do. */
  async function writeAsOthers(name: string, content: string) {
    const row = { domain_id: zone.id, type: 'A', ttl: 5, prio: 0, disabled: false, auth: true }
    await db.table('records').insert({ ...row, name: `${name}.${zone.name}`, content })
    // The random zone name could contain the search text.
    const hosts = 'ns1.example.test hostmaster.example.test'
    await db
      .from('records')
      .where({ domain_id: zone.id, type: 'SOA' })
      .update({ content: `${hosts} 2099010101 10800 3600 604800 60` })
  }

  test('an empty result is dropped when another tool changes the serial', async ({ assert }) => {
    const queries = LISTS.flatMap((list) => ['', 'name:desc'].map((sort) => [list, sort] as const))
    for (const [list, sort] of queries) {
      const { rows } = await found(list, `q=unforeseen&sort=${sort}`)
      assert.isEmpty(rows)
    }
    await writeAsOthers('unforeseen', '192.0.2.77')
    for (const [list, sort] of queries) {
      const { rows, total } = await found(list, `q=unforeseen&sort=${sort}`)
      assert.lengthOf(rows, 1, `${list} ${sort}`)
      assert.equal(total, 1)
    }
  })

  test('contents are scanned once over the whole zone, unless another tool wrote', async ({
    assert,
  }) => {
    // The trigram index cannot find a text as short as "2.".
    const isPostgres = db.connection().dialect.name === 'postgres'
    const counts = async (query: string, total: number) => {
      const statements = await statementsOf(async () => {
        const answer = await found('records', query)
        assert.equal(answer.total, total, query)
      })
      const counted = statements.filter((sql) => / like /i.test(sql) && !sql.startsWith('EXPLAIN'))
      assert.isNotEmpty(counted)
      return counted.every((sql) => / between /i.test(sql))
    }
    assert.equal(await counts('content=2.', RECORDS), !isPostgres)
    assert.equal(await counts('content=2.&type=A', RECORDS), !isPostgres)
    // An index covers the records of a rare type.
    const text = { name: 'text', type: 'TXT', content: '"2."', ttl: 60 }
    await expectStatus(root.post(`/zones/${zone.id}/records`, text), 201)
    assert.isFalse(await counts('content=2.&type=TXT', 1))
    await expectStatus(root.delete(`/zones/${zone.id}/rrsets/text/TXT`), 204)
    await writeAsOthers('late', '192.0.2.99')
    assert.isFalse(await counts('content=2.', RECORDS + 1))
    const id: number = await dataOf(root.get(`/zones/${zone.id}/records?name=late`), 'records.0.id')
    await expectStatus(root.delete(`/zones/${zone.id}/records/${id}`), 204)
    assert.equal(await counts('content=2.', RECORDS), !isPostgres)
  })

  test('a filter that matches many first records is counted, and matching ids are not queried', async ({
    assert,
  }) => {
    MAX_FIRST_RECORDS.count = 12
    const statementsFor = async (query: string, rows: number, total: number) => {
      return statementsOf(async () => {
        const answer = await found('records', query)
        assert.lengthOf(answer.rows, rows, query)
        assert.equal(answer.total, total, query)
      })
    }
    // A query of all matching ids, not only of given ones.
    const selectsAllIds = (sql: string) =>
      /group_concat|string_agg|select "?`?id`?"? as/i.test(sql) && !/\bid in \(/i.test(sql)
    const idQueries = (statements: string[]) =>
      statements.filter((sql) => / like /i.test(sql) && selectsAllIds(sql))
    const counts = (statements: string[]) => statements.filter((sql) => /count.* like /is.test(sql))
    const first = await statementsFor('q=192.0', 5, RECORDS)
    assert.isEmpty(idQueries(first))
    assert.isNotEmpty(counts(first))
    const second = await statementsFor('q=192.0&page=2', 5, RECORDS)
    assert.isEmpty([...idQueries(second), ...counts(second)])
    // The third page is beyond the first matches and queries all ids. Then all are cached.
    assert.isNotEmpty(idQueries(await statementsFor('q=192.0&page=3', 5, RECORDS)))
    const again = await statementsFor('q=192.0', 5, RECORDS)
    assert.isEmpty(again.filter((sql) => / like /i.test(sql)))

    await expectStatus(
      root.post(`/zones/${zone.id}/records`, {
        name: 'h4.late',
        type: 'A',
        content: '192.0.2.200',
        ttl: 60,
      }),
      201
    )
    await statementsFor('q=192.0', 5, RECORDS + 1)
    await writeAsOthers('later', '192.0.2.201')
    await statementsFor('q=192.0', 5, RECORDS + 2)
    // Fewer matches than the first page needs.
    await statementsFor('q=later', 1, 1)
    await statementsFor('q=nothing', 0, 0)
  })

  test('matching ids are queried once for all orders and both lists', async ({ assert }) => {
    const { count } = MAX_MATCHES_READ_WHOLE
    MAX_MATCHES_READ_WHOLE.count = 0
    try {
      await found('rrsets', 'sort=name')
      const backends = await app.container.make(BackendManager)
      const { listOrders } = backends.use()
      while (await listOrders!.buildNext());
      for (const query of ['content=1', 'q=%7E', 'name=o']) {
        const countQueries = async (list: (typeof LISTS)[number], sort: string) => {
          const statements = await statementsOf(() => found(list, `page=2&${query}&sort=${sort}`))
          return statements.filter((sql) => / like /i.test(sql))
        }
        assert.isNotEmpty(await countQueries('records', 'name'), query)
        for (const list of LISTS) {
          for (const sort of ['', 'name', 'name:desc', 'ttl', 'type']) {
            assert.isEmpty(await countQueries(list, sort), `${list} ${query} ${sort}`)
          }
        }
      }
    } finally {
      MAX_MATCHES_READ_WHOLE.count = count
    }
  })

  test('a walk continues at its position after its row was deleted', async ({ assert }) => {
    const all = () => db.from('records').where('domain_id', zone.id)
    const hosts = (await all().where('type', 'A').orderBy('name').orderBy('id').select('id')) as {
      id: number
    }[]
    assert.lengthOf(hosts, RECORDS)
    const list = defineList<never, 'type' | 'name' | 'id'>({
      sort: {},
      search: [],
      defaultOrder: [{ field: 'type' }, { field: 'name' }, { field: 'id' }],
    })
    const view = new KeysetQuery<{ id: number }>(
      list,
      { filters: {}, q: null, sort: [], page: null },
      {
        columns: { type: 'type', name: 'name', id: 'id' },
        createQuery: all,
        select: (rows) => rows.select('id'),
      }
    )
    // Steps of 4 and of 16 ids. The last id of the second step is deleted while its key is looked up.
    let lookups = 0
    const lookup = () => {
      const rows = all()
      if (++lookups === 2) {
        const read = rows.then.bind(rows)
        const deleted = db.from('records').where('id', hosts[19].id)
        rows.then = (...args) => deleted.delete().then(() => read(...args)) as never
      }
      return rows
    }
    const ids = IdSet.union(hosts.slice(22).map(({ id }) => Number(id)))
    const [first] = await new FilteredQuery(view, { column: 'id', ids, lookup }).after(null, 1)
    assert.isAtLeast(lookups, 3)
    assert.equal(Number(first.row.id), Number(hosts[22].id))
  })

  test('a page ends at its position despite rows without a type and deleted rows', async ({
    assert,
  }) => {
    const { count } = MAX_MATCHES_READ_WHOLE
    MAX_MATCHES_READ_WHOLE.count = 0
    try {
      const row = {
        domain_id: zone.id,
        ttl: 5,
        prio: 0,
        disabled: false,
        auth: true,
        content: '2.',
      }
      await db.table('records').insert({ ...row, type: '', name: `typeless.${zone.name}` })
      for (const list of LISTS) {
        const { rows } = await found(list, 'page=5&content=2.')
        assert.lengthOf(rows, 5, list)
      }
    } finally {
      MAX_MATCHES_READ_WHOLE.count = count
    }
  }).timeout(10_000)
})
