// @databases @api-backend
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { feedTexts } from '#database/trigram_index/indexer'
import { RECORD_TEXTS } from '#database/trigram_index/source'
import { naturalSortKey } from '#dns/names/sort_key'
import {
  caller,
  dataOf,
  expectStatus,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { isApiMode, serverZone, zoneTables } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { inPunycode } from '#tests/support/lists/texts'

interface Item {
  id?: number
  name: string
  type: string
  content?: string
  ttl: number
  priority?: number
  records?: { content: string }[]
}

/** More rows than a list sorts in memory. */
const MANY = 2_100

/** Rows as PowerDNS and other tools write them: [label, type, content, ttl, prio]. */
const ROWS: [label: string, type: string, content: string, ttl: number, prio: number][] = [
  ['host10', 'A', '192.0.2.10', 300, 0],
  ['host2', 'A', '192.0.2.9', 3600, 0],
  ['host2', 'A', '192.0.2.100', 3600, 0],
  ['Host3', 'A', '192.0.2.3', 60, 0],
  ['a_b', 'A', '192.0.2.4', 60, 0],
  ['mail', 'MX', 'mx10.example.net', 300, 10],
  ['mail', 'MX', 'mx2.example.net', 300, 5],
  ['kx', 'KX', '77 kx.example.net', 300, 0],
  ['kx2', 'KX', '8 77.example.net', 300, 0],
  ['text', 'TXT', '"100% of Host2"', 120, 0],
  ['text', 'TXT', '"gr\\195\\188n"', 120, 0],
  ['alias', 'CNAME', 'host10.example.net', 900, 0],
  ['xn--mnchen-3ya', 'A', '192.0.2.11', 900, 0],
  ['far', 'CNAME', 'www.xn--mnchen-3ya.example.net', 900, 0],
]

const FILTERS = [
  '',
  'type=a',
  'type=MX',
  'type=none',
  'type=%25',
  'name=HOST',
  'name=a_b',
  'content=192.0.2.1',
  'content=77',
  'content=MX2',
  'content=100%25',
  'content=grün',
  'q=host2',
  'name=MÜNCHEN',
  'name=münch',
  'content=münchen.EXAMPLE',
  'q=münchen',
  'q=münchen&type=a',
  'q=KX',
  'q=mx&type=mx',
  'name=host&content=192.0.2.100&type=A',
]
const SORTS = ['name', 'type', 'content', 'ttl', 'priority'].flatMap((f) => [f, `${f}:desc`])
const RECORD_SORTS = ['', ...SORTS, 'type:desc,ttl,name:desc', 'priority,content']
const SET_SORTS = ['', 'name', 'name:desc', 'type', 'type:desc', 'ttl', 'ttl:desc', 'ttl,type:desc']

const setOf = ({ name, type }: { name: string; type: string }) => `${name} ${type}`.toLowerCase()

/** Returns the id of the first record of each RRset of a zone. */
async function firstIds(zoneId: number): Promise<Map<string, number>> {
  const rows: { id: number | string; name: string; type: string }[] = await db
    .from(zoneTables.records)
    .where('domain_id', zoneId)
    .whereNotNull('name')
    .whereNotNull('type')
    .orderBy('id', 'desc')
    .select('id', 'name', 'type')
  return new Map(rows.map((row) => [setOf(row), Number(row.id)]))
}

async function bodyOf(call: ReturnType<Caller['get']>) {
  const response = await call
  return response.body()
}

/** Applies filter and order of the specification to the complete list. `ids` has the first record of each RRset. */
function naive(items: Item[], filter: string, sort: string, ids: Map<string, number>): Item[] {
  // IDNs match by their Unicode form.
  const has = (text: string | undefined, part: string) =>
    [part, inPunycode(part)].some((one) => (text ?? '').toLowerCase().includes(one.toLowerCase()))
  const inContent = (item: Item, part: string) =>
    [item, ...(item.records ?? [])].some(({ content }) => has(content, part))
  let found = items
  for (const [name, value] of new URLSearchParams(filter)) {
    found = found.filter((item) => {
      if (name === 'type') return item.type.toLowerCase() === value.toLowerCase()
      if (name === 'name') return has(item.name, value)
      return inContent(item, value) || (name === 'q' && has(item.name, value))
    })
  }
  const fields = sort === '' ? [] : sort.split(',').map((part) => part.split(':'))
  const valueOf = (item: Item, field: string) => {
    const value = (item as unknown as Record<string, string | number>)[field]
    return typeof value === 'number' ? value : naturalSortKey(value)
  }
  const last = (item: Item) => Number(item.id ?? ids.get(setOf(item)))
  return found.toSorted((one, other) => {
    for (const [field, direction] of fields) {
      const [a, b] = [valueOf(one, field), valueOf(other, field)]
      if (a !== b) return (a < b ? -1 : 1) * (direction === 'desc' ? -1 : 1)
    }
    return fields.length === 0 || last(one) === last(other) ? 0 : last(one) < last(other) ? -1 : 1
  })
}

for (const [size, filler] of [
  ['small', 0],
  ['large', MANY],
] as const) {
  test.group(`Lists of records of a ${size} zone`, (group) => {
    let as: Caller
    let zone: { id: number; name: string }
    const row = (
      label: string,
      type: string | null,
      content: string | null,
      ttl: number,
      prio: number
    ) => ({
      name: `${label}.${zone.name}`,
      type,
      content,
      ttl,
      prio,
      disabled: false,
      auth: true,
    })

    group.each.setup(async (t) => {
      as = caller(t.context.client, await administrator())
      zone = await createZone(as, { name: zoneNamed() })
      const rows = [
        ...ROWS.map((values) => row(...values)),
        row('empty', null, null, 0, 0),
        // PowerDNS does not return a zone with such a row over its API.
        ...(isApiMode ? [] : [{ ...row('x', 'A', '192.0.2.1', 1, 0), name: null }]),
        ...Array.from({ length: filler }, (_, i) =>
          row(`f${i}`, 'AAAA', `2001:db8::${i.toString(16)}`, 30, 0)
        ),
      ]
      const stored = await serverZone(zone)
      for (let at = 0; at < rows.length; at += 500) {
        await stored.add('records', rows.slice(at, at + 500))
      }
    })

    for (const [member, sorts] of [
      ['records', RECORD_SORTS],
      ['rrsets', SET_SORTS],
    ] as const) {
      test(`${member}: lists are filtered, sorted and cut as specified`, async ({ assert }) => {
        const path = `/zones/${zone.id}/${member}`
        const all: Item[] = await dataOf(as.get(path), member)
        const created = ROWS.length + filler + 1
        assert.lengthOf(all, member === 'records' ? created : created - 3)
        const ids = await firstIds(zone.id)
        for (const sort of sorts) {
          // The default order depends on the collation of the database.
          for (const filter of FILTERS) {
            const expected = naive(all, filter, sort, ids)
            const query = `${filter}&sort=${sort}`
            const pages =
              sort === ''
                ? [
                    [1, 4],
                    [2, 3],
                    [99, 50],
                  ]
                : [[2, 3]]
            for (const [number, perPage] of pages) {
              const from = (number - 1) * perPage
              const response = await as.get(`${path}?${query}&page=${number}&per_page=${perPage}`)
              const { data, pagination } = response.body()
              assert.deepEqual(data[member], expected.slice(from, from + perPage), query)
              assert.equal(pagination.total, expected.length, query)
            }
          }
        }
      }).timeout(120_000)

      test(`${member}: complete lists and walks have the same rows`, async ({ assert }) => {
        const path = `/zones/${zone.id}/${member}`
        const all: Item[] = await dataOf(as.get(path), member)
        const ids = await firstIds(zone.id)
        for (const sort of sorts) {
          for (const filter of sort === '' ? ['', 'type=A', 'q=2'] : ['q=host']) {
            const query = `${filter}&sort=${sort}`
            const expected = naive(all, filter, sort, ids)
            assert.deepEqual(await dataOf(as.get(`${path}?${query}`), member), expected, query)
            const walked: Item[] = []
            const step = Math.max(3, Math.ceil(expected.length / 4))
            for (let cursor: string | null = '*'; cursor !== null;) {
              const address = `${path}?${query}&per_page=${step}&cursor=${cursor}`
              const body = await bodyOf(as.get(address))
              walked.push(...body.data[member])
              assert.notProperty(body, 'pagination')
              cursor = body.next_cursor
            }
            assert.deepEqual(walked, expected, query)
          }
        }
      }).timeout(120_000)
    }

    test('created and deleted rows do not disturb a walk', async ({ assert }) => {
      const path = `/zones/${zone.id}/records`
      const all: Item[] = await dataOf(as.get(path), 'records')
      const first = await bodyOf(as.get(`${path}?cursor=*&per_page=4`))
      const deleted = all[1]
      await expectStatus(as.delete(`${path}/${deleted.id}`), 204)
      await createRecord(as, zone, { name: '00', type: 'A', content: '192.0.2.1' })
      const walk = await bodyOf(as.get(`${path}?cursor=${first.next_cursor}&per_page=10000`))
      assert.isNull(walk.next_cursor)
      const shown = walk.data.records.map(({ id }: Item) => id)
      const soa = all.find(({ type }) => type === 'SOA')
      assert.sameMembers(
        shown.filter((id: number) => id !== soa?.id),
        all.slice(4).flatMap(({ id }) => (id === soa?.id ? [] : [id]))
      )
    })

    test('the number of records follows every write', async ({ assert }) => {
      const path = `/zones/${zone.id}/records`
      const total = async () => {
        const { pagination } = await bodyOf(as.get(`${path}?per_page=1`))
        return pagination.total
      }
      const before = await total()
      const { id } = await createRecord(as, zone, { name: 'new', type: 'A', content: '192.0.2.1' })
      assert.equal(await total(), before + 1)
      await expectStatus(as.put(`${path}/${id}`, { content: '192.0.2.2' }), 200)
      assert.equal(await total(), before + 1)
      await expectStatus(as.delete(`${path}/${id}`), 204)
      assert.equal(await total(), before)
      await expectStatus(as.delete(`/zones/${zone.id}/rrsets/host2.${zone.name}/A`), 204)
      assert.equal(await total(), before - 2)
      const [known] = await db.from('zw_zone_snapshots').where('zone_id', zone.id).select('records')
      const [counterRow] = await db
        .from('zw_record_snapshots')
        .where('zone_id', zone.id)
        .count('* as total')
      assert.equal(Number(known.records), Number(counterRow.total))
    })

    test('filters match indexed rows, and rows that another tool changed in place', async ({
      assert,
    }) => {
      while (await feedTexts(db.connection(), RECORD_TEXTS));
      const found = async (query: string) => {
        const lists = ['records', 'rrsets'].map(async (member) => {
          const { pagination } = await bodyOf(
            as.get(`/zones/${zone.id}/${member}?${query}&per_page=5`)
          )
          return pagination.total
        })
        return Promise.all(lists)
      }
      assert.deepEqual(await found('content=mx10.example'), [1, 1])
      assert.deepEqual(await found('q=mx2.example.net'), [1, 1])
      const stored = await serverZone(zone)
      const rows = () => stored.rows('records')
      await rows().where('content', 'mx10.example.net').update({ content: 'changed.example.org' })
      const { id, content } = await rows().where('type', 'SOA').firstOrFail()
      const later = content.replace(/ (\d{6,}) /, (_: string, serial: string) => ` ${+serial + 1} `)
      assert.notEqual(later, content)
      await rows().where('id', id).update({ content: later })
      assert.deepEqual(await found('content=changed.example.org'), [1, 1])
    })
  })
}

test.group('Lists of records', () => {
  test('sort accepts the fields of each list, and an error names them', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    for (const [member, fields] of [
      ['records', 'name, type, content, ttl, priority'],
      ['rrsets', 'name, type, ttl'],
    ]) {
      const response = await as.get(`/zones/${zone.id}/${member}?sort=disabled`)
      response.assertStatus(400)
      assert.include(response.body().message, fields)
    }
  })
})
