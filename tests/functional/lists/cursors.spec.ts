// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { naturalSortKey } from '#dns/names/sort_key'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import {
  caller,
  dataOf,
  expectStatus,
  createZone,
  statusOf,
  type Caller,
} from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { addUsers } from '#tests/support/lists/account_lists'
import { withReview } from '#tests/support/app/review'
import { allLists } from '#tests/support/lists/all'
import { addressOf, idOf, type ListUnderTest } from '#tests/support/lists/list_under_test'
import { Random } from '#tests/support/random'

const RANDOM = new Random(6)

interface Step {
  items: Record<string, unknown>[]
  body: { next_cursor?: string | null; pagination?: object }
}

async function stepOf(list: ListUnderTest, parameters: Record<string, string>): Promise<Step> {
  const response = await list.as.get(addressOf(list, parameters))
  response.assertStatus(200)
  return { items: response.body().data[list.member], body: response.body() }
}

test.group('Walks by cursor', (group) => {
  let lists: ListUnderTest[]
  group.setup(withReview())
  group.each.timeout(120_000)

  test('each list is walked from * or an empty cursor in steps of 1000 rows to null', async ({
    client,
    assert,
  }) => {
    ;({ lists } = await allLists(client, RANDOM))
    for (const list of lists) {
      const whole = await stepOf(list, { per_page: '10000' })
      assert.property(whole.body, 'pagination')
      for (const cursor of ['*', '']) {
        const { items, body } = await stepOf(list, { cursor })
        const ids = (some: Step['items']) => some.map((item) => idOf(list, item))
        assert.deepEqual(ids(items), ids(whole.items.slice(0, 1000)), list.path)
        assert.notProperty(body, 'pagination')
        assert.equal(body.next_cursor === null, whole.items.length <= 1000, list.path)
      }
    }
  })

  test('numbered pages and complete lists have no cursor', async ({ assert }) => {
    for (const list of lists) {
      for (const parameters of [{}, { per_page: '1' }, { per_page: '1', page: '2' }]) {
        const { body } = await stepOf(list, parameters as Record<string, string>)
        assert.notProperty(body, 'next_cursor', list.path)
      }
    }
  })

  test('a cursor only contains the sort fields of the last row as the list shows them', async ({
    assert,
  }) => {
    for (const list of lists) {
      const rows = await list.rows()
      for (const sort of Object.keys(list.reference.sort)) {
        const { items, body } = await stepOf(list, { sort, per_page: '2', cursor: '*' })
        const bytes = Buffer.from(String(body.next_cursor), 'base64url')
        const [order, key] = JSON.parse(bytes.subarray(12).toString())
        const { cells } = rows.find(({ id }) => id === idOf(list, items[1]))!
        const [tie] = list.reference.tie ?? ['']
        assert.lengthOf(key, sort === tie ? 1 : 2)
        for (const [index, field] of [sort, tie].filter(Boolean).slice(0, key.length).entries()) {
          // The test numbers these rows; the list shows their name.
          const value =
            field === 'place' && list.key === 'id' && tie ? idOf(list, items[1]) : cells[field]
          // An absent value is shown, and stored for sorting, as an empty text.
          const text = String(value ?? '')
          const shown = [value, text, text.toLowerCase(), naturalSortKey(text)]
          assert.include(shown, key[index], `${list.path} ${order}`)
        }
      }
    }
  })

  test('forged cursors, and cursors of another order, are refused', async ({ assert }) => {
    for (const list of lists.filter(({ reference }) => Object.keys(reference.sort).length > 0)) {
      const [field] = Object.keys(list.reference.sort)
      const sort = `${field}:desc`
      const { body } = await stepOf(list, { sort, per_page: '2', cursor: '*' })
      const good = String(body.next_cursor)
      const other = good.startsWith('B') ? 'C' : 'B'
      const changed = [good.slice(0, -4), `${good}AAAA`, `${good}A`, `${other}${good.slice(1)}`]
      const wrong = [...changed, 'x', '**', 'null', '0']
      for (const cursor of wrong) {
        const response = await list.as.get(addressOf(list, { sort, cursor }))
        assert.equal(response.status(), 400, `${list.path} ${cursor}`)
        assert.match(response.body().message, /'cursor'/)
      }
      for (const elsewhere of [field, '', `${field}:asc`]) {
        const response = await list.as.get(addressOf(list, { sort: elsewhere, cursor: good }))
        assert.equal(response.status(), 400, `${list.path} ${elsewhere}`)
        assert.match(response.body().message, new RegExp(`'${sort}`))
      }
      const others = lists.filter(
        ({ path, reference }) => path !== list.path && field in reference.sort
      )
      for (const another of others) {
        const response = await another.as.get(addressOf(another, { sort, cursor: good }))
        assert.equal(response.status(), 400, `${list.path} at ${another.path}`)
      }
      await list.as.get(`${list.path}?cursor[]=${good}`).then((many) => many.assertStatus(400))
    }
  })

  test('no request makes a list respond with 500', async ({ assert }) => {
    const odd = [
      '%ED%A0%80',
      '%',
      '%E4',
      '%F0%9F%A6%8A',
      '%E2%80%8B',
      '%5C',
      "'%3B--",
      'ı',
      'ẞ',
      '%0A',
      'x'.repeat(4_000),
    ].map((text) => encodeURI(decodable(text)))
    for (const list of lists) {
      const { filters = {}, sort } = list.reference
      for (const name of ['q', 'sort', 'page', 'per_page', 'cursor', ...Object.keys(filters)]) {
        for (const value of odd) {
          const query = `${name}=${value}&per_page=3&sort=${Object.keys(sort)[0]}`
          const status = await statusOf(statusAt(list.as, `${list.path}?${query}`))
          assert.include([200, 400], status, `${list.path} ${name}=${value}`)
        }
      }
    }
  })
})

function decodable(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function statusAt(as: Caller, path: string): Promise<{ status: number }> {
  const response = await as.get(path)
  return { status: response.status() }
}

test.group('Walks while rows change', (group) => {
  group.each.timeout(120_000)

  for (const sort of ['', 'id:desc', 'email', 'email:desc,fullname', 'fullname,username:desc']) {
    test(`a walk in the order '${sort}' returns each remaining user once`, async ({
      client,
      assert,
    }) => {
      const root = caller(client, await administrator())
      const users = await addUsers(RANDOM, 40)
      const [staying, passing] = [
        users.filter((_, index) => index % 3 !== 0),
        users.filter((_, index) => index % 3 === 0),
      ]
      const seenIds: number[] = []
      let cursor: string | null = '*'
      for (let step = 0; cursor !== null; step++) {
        const query = new URLSearchParams({ cursor, sort, per_page: '7', q: '-' }).toString()
        const response = await root.get(`/users?${query}`)
        response.assertStatus(200)
        seenIds.push(...response.body().data.users.map((user: { user_id: number }) => user.user_id))
        cursor = response.body().next_cursor
        const one = passing.pop()
        if (one && step % 2 === 0) {
          await db.from('zw_users').where('id', one).delete()
        } else if (one) {
          await db.from('zw_users').where('id', one).update({ email: null, fullname: 'zz' })
        }
        if (step < 10) await addUsers(RANDOM, 2)
      }
      const query = new URLSearchParams({ sort, q: '-' }).toString()
      const wholeResponse = await root.get(`/users?${query}`)
      const now = wholeResponse.body().data.users.map((user: { user_id: number }) => user.user_id)
      const those = (ids: number[]) => ids.filter((id) => staying.includes(id))
      assert.isNotEmpty(those(now))
      assert.deepEqual(those(seenIds), those(now))
    })
  }

  for (const sort of ['', 'name:desc', 'type,name:desc', 'id:desc']) {
    test(`a walk in the order '${sort}' returns each remaining zone once`, async ({
      client,
      assert,
    }) => {
      const root = caller(client, await administrator())
      const word = unique('w').slice(0, 9)
      const make = (label: string) =>
        createZone(root, {
          name: `${label}.${word}.test`,
          type: RANDOM.pick(['MASTER', 'NATIVE']),
        })
      const zones: { id: number; name: string }[] = []
      for (let index = 0; index < 24; index++) {
        zones.push(await make(`${RANDOM.pick(['host', 'z', 'a-b'])}${index}`))
      }
      const passing = zones.filter((_, index) => index % 3 === 0)
      const staying = zones.filter((_, index) => index % 3 !== 0).map(({ id }) => id)
      const list = { root, path: '/zones', member: 'zones', key: 'id' }
      const seenRows = await walkedWhile(list, { sort, q: word, per_page: '5' }, async (step) => {
        const one = passing.pop()
        if (one && step % 2 === 0) await expectStatus(root.delete(`/zones/${one.id}`), 204)
        else if (one) await expectStatus(root.put(`/zones/${one.id}`, { type: 'NATIVE' }), 200)
        if (step < 5) await make(`new${step}`)
      })
      const all: { id: number }[] = await dataOf(
        root.get(`/zones?${new URLSearchParams({ sort, q: word }).toString()}`),
        'zones'
      )
      const those = (ids: unknown[]) => ids.filter((id) => staying.includes(Number(id)))
      assert.lengthOf(those(seenRows), staying.length)
      assert.deepEqual(those(seenRows), those(all.map(({ id }) => id)))
    })
  }

  for (const above of [10, MAX_SMALL_ZONE.records]) {
    for (const query of ['', 'sort=name:desc', 'sort=ttl,name', 'content=192.0&sort=type']) {
      test(`a walk returns each remaining RRset once: ${query} in a zone that is ${above === 10 ? 'large' : 'small'}`, async ({
        client,
        assert,
        cleanup,
      }) => {
        const before = MAX_SMALL_ZONE.records
        MAX_SMALL_ZONE.records = above
        cleanup(() => {
          MAX_SMALL_ZONE.records = before
        })
        const root = caller(client, await administrator())
        const zone = await createZone(root, { name: zoneNamed() })
        const path = `/zones/${zone.id}/rrsets`
        const set = (index: number) => ({
          name: `${RANDOM.pick(['h', 'w'])}${index}`,
          type: 'A',
          ttl: RANDOM.pick([60, 300]),
          content: `192.0.2.${index}`,
        })
        const sets = Array.from({ length: 36 }, (_, index) => set(index))
        const operations = sets.map((one) => ({ action: 'create', ...one }))
        await expectStatus(root.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
        const passing = sets.filter((_, index) => index % 3 === 0)
        const staying = sets
          .filter((_, index) => index % 3 !== 0)
          .map(({ name }) => `${name}.${zone.name}`)
        const list = { root, path, member: 'rrsets', key: 'name' }
        const given = Object.fromEntries(new URLSearchParams(query))
        const seenRows = await walkedWhile(
          list,
          { ...given, type: 'A', per_page: '5' },
          async (step) => {
            const one = passing.pop()
            if (one) await expectStatus(root.delete(`${path}/${one.name}/A`), 204)
            if (step < 5)
              await expectStatus(root.post(`/zones/${zone.id}/records`, set(100 + step)), 201)
          }
        )
        const those = (names: unknown[]) => names.filter((name) => staying.includes(String(name)))
        const all: { name: string }[] = await dataOf(root.get(`${path}?type=A&${query}`), 'rrsets')
        assert.lengthOf(those(seenRows), staying.length)
        assert.deepEqual(those(seenRows), those(all.map(({ name }) => name)))
      })
    }
  }
})

/** Returns the identities of the rows of a walk. `work` runs between its steps. */
async function walkedWhile(
  { root, path, member, key }: { root: Caller; path: string; member: string; key: string },
  parameters: Record<string, string>,
  work: (step: number) => Promise<void>
): Promise<unknown[]> {
  const seenRows: unknown[] = []
  let cursor: string | null = '*'
  for (let step = 0; cursor !== null; step++) {
    const query = new URLSearchParams({ ...parameters, cursor }).toString()
    const response = await root.get(`${path}?${query}`)
    response.assertStatus(200)
    const { data, next_cursor: next } = response.body()
    seenRows.push(...data[member].map((row: Record<string, unknown>) => row[key]))
    cursor = next
    if (cursor !== null) await work(step)
  }
  return seenRows
}
