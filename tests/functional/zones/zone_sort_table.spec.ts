// @databases @api-backend(all)
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer, type Actor } from '#access/actor'
import type { Permission } from '#access/permissions'
import { findActorOfUser } from '#accounts/authenticate'
import { importNewZones } from '#changes/zone_index/discover'
import { adoptAllZones } from '#changes/recovery/reconcile'
import { SortTableUpdater } from '#background/sort_table_updater'
import { chunks } from '#database/statements/chunks'
import { refreshStatistics } from '#database/schema/statistics'
import { MIN_CACHED_SEARCH } from '#lists/sql/paginate'
import { zoneOrdersVersion } from '#lists/sql/zone_count'
import {
  COMPUTED_FIELDS,
  type ComputedField,
  type ZonePageQuery,
} from '#zones/list/computed_fields'
import { SHORT, SortedZones } from '#zones/list/sorted_list'
import { ZoneOrders } from '#zones/list/sort_table'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { isApiMode, serverZone } from '#tests/support/app/backend'
import { backendUnderTest, foreignZone } from '#tests/support/app/zones/foreign_zones'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'
import { zonesToSort } from '#tests/support/app/zones/zones_to_sort'
import { Random } from '#tests/support/random'

const FIELDS = Object.keys(COMPUTED_FIELDS) as ComputedField[]
type Sort = ZonePageQuery['sort']

const ORDERS: Sort[] = FIELDS.flatMap((field) => [[{ field }], [{ field, descending: true }]])
const TREES = [undefined, 'forward', 'ipv4', 'ipv6'] as const
const SIZE = 7

type SortKeys = Record<'entry' | 'records' | 'serial' | 'changed' | 'owners' | 'dnssec', unknown>

const ordersOf = () => app.container.make(ZoneOrders)
const updateAll = async () => {
  const orders = await ordersOf()
  await orders.updateAll()
}
const sortRowOf = (id: number): Promise<SortKeys> =>
  db.from('zw_zone_sort_keys').where('zone_id', id).firstOrFail()
const version = () => zoneOrdersVersion(db.connection())
const words = (sort: Sort) => sort.map(({ field, descending }) => `${field} ${descending}`).join()

/** Returns the page. `most` is the largest list that is sorted in memory. */
async function pageOf(actor: Actor, query: Partial<ZonePageQuery>, maximum: number) {
  const sorted = await app.container.make(SortedZones)
  const previousMost = SHORT.most
  SHORT.most = maximum
  try {
    const page = { number: 1, size: 10_000, offset: 0 }
    return await sorted.page(actor, { sort: [], filters: {}, q: null, page, ...query })
  } finally {
    SHORT.most = previousMost
  }
}

const idsOf = (listed: { rows: { id: number }[] } | null) => listed?.rows.map(({ id }) => id)
/** Returns ids in the order of the displayed values, sorted in memory. */
const wanted = async (query: Partial<ZonePageQuery>, actor = maintainer()) =>
  idsOf(await pageOf(actor, query, 1_000_000))!
const found = async (query: Partial<ZonePageQuery>, actor = maintainer()) =>
  idsOf(await pageOf(actor, query, 0))

async function inPages(query: Partial<ZonePageQuery>, actor = maintainer()): Promise<number[]> {
  const all: number[] = []
  for (let number = 1; ; number++) {
    const page = { number, size: SIZE, offset: (number - 1) * SIZE }
    const ids = (await found({ ...query, page }, actor)) ?? []
    if (ids.length === 0) return all
    all.push(...ids)
  }
}

test.group('Long zone lists sorted by displayed values', (group) => {
  let as: Caller
  let word: string

  group.each.timeout(120_000)
  group.each.setup(async ({ context }) => {
    as = caller(context.client, await administrator())
    word = unique('w').toLowerCase()
  })

  const zone = (label = unique('z').toLowerCase()) =>
    createZone(as, { name: `${label}.${word}.test`, type: 'NATIVE' })
  const here = (sort: Sort, actor?: Actor) => found({ sort, q: word }, actor)

  test('long lists match short ones: in each order, in each subtree, page by page', async ({
    assert,
    cleanup,
  }) => {
    const random = new Random(59)
    cleanup(await zonesToSort(random, 120))
    await updateAll()
    for (const sort of ORDERS) {
      for (const tree of TREES) {
        const query = { sort, filters: tree ? { tree } : {} }
        const whole = await wanted(query)
        assert.isAtLeast(whole.length, 20)
        assert.deepEqual(await found(query), whole, `${words(sort)} ${tree}`)
        assert.deepEqual(await inPages(query), whole, `${words(sort)} ${tree} in pages`)
      }
      const query = { sort, q: 'z1' }
      assert.deepEqual(await inPages(query), await wanted(query), `${words(sort)} with a text`)
    }
  }).tags(['@sql'])

  test('an own write appears at its position at once', async ({ assert }) => {
    const [one, two, three] = [await zone(), await zone(), await zone()]
    assert.deepEqual(await here([{ field: 'changed' }]), [one.id, two.id, three.id])
    await createRecord(as, one, { name: 'x', type: 'A', content: '192.0.2.1' })
    const newest: Sort = [{ field: 'changed', descending: true }]
    assert.deepEqual(await here(newest), [one.id, three.id, two.id])
    assert.deepEqual(await here([{ field: 'records', descending: true }]), [
      one.id,
      two.id,
      three.id,
    ])
    const newOwner = await person()
    await db
      .from('zw_users')
      .where('id', newOwner.id)
      .update({ username: unique('aaa') })
    await expectStatus(as.post(`/zones/${two.id}/owners`, { user_id: newOwner.id }), 201)
    await expectStatus(as.post(`/zones/${three.id}/owners`, { user_id: newOwner.id }), 201)
    assert.deepEqual(
      await here([{ field: 'owners' }]),
      await wanted({ sort: [{ field: 'owners' }], q: word })
    )
    await expectStatus(as.delete(`/zones/${two.id}`), 204)
    assert.deepEqual(await here(newest), [one.id, three.id])
    if (isApiMode) return
    await expectStatus(as.put(`/zones/${three.id}`, { name: `${word}.2.0.192.in-addr.arpa` }), 200)
    assert.deepEqual(await found({ sort: newest, q: word, filters: { tree: 'forward' } }), [one.id])
    assert.deepEqual(await found({ sort: newest, q: word, filters: { tree: 'ipv4' } }), [three.id])
  })

  test('zones without a sort row come first', async ({ assert }) => {
    const known = await zone()
    const foreign = await foreignZone('NATIVE', `f.${word}.test`)
    await importNewZones(await backendUnderTest())
    const ids = await here([{ field: 'serial' }])
    assert.deepEqual(ids, [foreign.id, known.id])
    assert.deepEqual(await here([{ field: 'serial', descending: true }]), ids?.toReversed())
  }).tags(['@sql'])

  test('changes of other tools are included: serials, keys, names of owners, deleted and restored zones', async ({
    assert,
  }) => {
    const orders = await ordersOf()
    const [one, two] = [await zone(), await zone()]
    await updateAll()
    const known = await version()
    await updateAll()
    await orders.updateStale()
    assert.equal(await version(), known, 'nothing is written where nothing differs')

    const own = await serverZone(one)
    const { content }: { content: string } = await own
      .rows('records')
      .where('type', 'SOA')
      .firstOrFail()
    const later = content.split(' ').with(2, '4000000000').join(' ')
    await own.rows('records').where('type', 'SOA').update({ content: later })
    await own.add('cryptokeys', { flags: 257, active: true, content: 'none' })
    const { username } = await person()
    await db
      .from('zw_users')
      .where('username', username)
      .update({ username: unique('zz') })
    await updateAll()
    const sortRow = await sortRowOf(one.id)
    assert.equal(Number(sortRow.serial), 4_000_000_000)
    assert.equal(sortRow.dnssec, 'signed')
    assert.isAbove(await version(), known)
    assert.deepEqual(await here([{ field: 'serial', descending: true }]), [one.id, two.id])
    assert.deepEqual(await here([{ field: 'dnssec', descending: true }]), [one.id, two.id])

    await db.from('domains').where('id', two.id).delete()
    await adoptAllZones(await backendUnderTest())
    assert.isNull(await db.from('zw_zone_sort_keys').where('zone_id', two.id).first())
    await db.table('domains').insert({ id: two.id, name: two.name, type: 'NATIVE' })
    await adoptAllZones(await backendUnderTest())
    assert.sameMembers((await here([{ field: 'serial' }]))!, [one.id, two.id])
  }).tags(['@sql'])

  test('the next sweep updates the name of an owner', async ({ assert }) => {
    const [one, two] = [await zone(), await zone()]
    const [first, second] = [await person(), await person()]
    const set = async ({ id }: { id: number }, user: number) => {
      await db.from('zw_zone_owners').where('zone_id', id).update({ user_id: user })
    }
    await set(one, first.id)
    await set(two, second.id)
    const rename = (id: number, start: string) =>
      expectStatus(as.put(`/users/${id}`, { username: unique(start) }), 200)
    await rename(first.id, 'aa')
    await rename(second.id, 'bb')
    await updateAll()
    assert.deepEqual(await here([{ field: 'owners' }]), [one.id, two.id])
    await rename(first.id, 'cc')
    await updateAll()
    assert.deepEqual(await here([{ field: 'owners' }]), [two.id, one.id])
  })

  test('the sweep creates a missing row', async ({ assert }) => {
    const [one, two] = [await zone(), await zone()]
    await db.from('zw_zone_sort_keys').where('zone_id', one.id).delete()
    await updateAll()
    assert.deepEqual(await here([{ field: 'serial' }]), [one.id, two.id])
  })

  test('any number of concurrent tasks keep the rows correct', async ({ assert }) => {
    const errors: unknown[] = []
    const logger = { warn: (fields: object) => errors.push(fields) }
    const tasks = [1, 2, 3].map(() => new SortTableUpdater(ordersOf, logger))
    const zones = [await zone(), await zone(), await zone()]
    await db.from('zw_zone_sort_keys').update({ serial: 7, records: 7, changed: 'x', dnssec: 'x' })
    const writes = async () => {
      for (let i = 1; i <= 12; i++) {
        await createRecord(as, zones[i % 3], { name: `x${i}`, type: 'A', content: `192.0.2.${i}` })
      }
    }
    await Promise.all([writes(), ...tasks.map(async (task) => task.runOnce())])
    await Promise.all(tasks.map(async (task) => task.runOnce()))
    for (const sort of ORDERS) {
      assert.deepEqual(await found({ sort }), await wanted({ sort }), words(sort))
    }
    assert.deepEqual(errors, [])
  })

  test('the order reveals no hidden value of a zone', async ({ assert }) => {
    const zones = [await zone(), await zone()]
    const actorWith = async (permissions: Permission[], groups: string[] = []) => {
      const { id } = await person({ permissions, groups })
      return (await findActorOfUser(id, 'web'))!.actor
    }
    const viewer = await actorWith(['zone_content_view_others'])
    const historian = await actorWith(['zone_content_view_others', 'zone_logs_view_others'])
    const editor = await actorWith(['zone_content_view_others', 'zone_meta_edit_others'])
    // May see the history of own zones only, in a list with other zones.
    const partly = await actorWith(['zone_content_view_others', 'zone_logs_view_own'])
    const cases: [Actor, ComputedField[]][] = [
      [viewer, ['records', 'serial', 'dnssec']],
      [partly, ['records', 'serial', 'dnssec']],
      [historian, ['records', 'serial', 'dnssec', 'changed']],
      [editor, ['records', 'serial', 'dnssec', 'owners']],
    ]
    const sorted = await app.container.make(SortedZones)
    for (const [actor, open] of cases) {
      for (const field of FIELDS) {
        const ids = await here([{ field }], actor)
        if (open.includes(field))
          assert.sameMembers(
            ids!,
            zones.map(({ id }) => id),
            field
          )
        else assert.isUndefined(ids, field)
      }
      assert.sameMembers(sorted.fields(actor, 1_000_000), [...open, 'name', 'type', 'id'])
    }
    assert.isUndefined(await here([{ field: 'serial' }, { field: 'name' }]))
  })

  test('a user sees own zones, and later changes of ownership', async ({ assert }) => {
    const { name } = await createTeam(['zone_content_view_own', 'zone_logs_view_own'])
    const { id } = await person({
      permissions: ['zone_content_view_own', 'zone_logs_view_own'],
      groups: [name],
    })
    const { actor } = (await findActorOfUser(id, 'web'))!
    const [one, , two, three] = [await zone(), await zone(), await zone(), await zone()]
    const groupId: { id: number } = await db.from('zw_groups').where('name', name).firstOrFail()
    await expectStatus(as.post(`/zones/${one.id}/owners`, { user_id: id }), 201)
    await expectStatus(as.post(`/zones/${two.id}/owners`, { user_id: id }), 201)
    await expectStatus(as.post(`/groups/${groupId.id}/zones`, { zone_id: three.id }), 201)
    const newest: Sort = [{ field: 'changed', descending: true }]
    const mine = () => found({ sort: newest }, actor)
    assert.deepEqual(await mine(), [three.id, two.id, one.id])
    await createRecord(as, two, { name: 'x', type: 'A', content: '192.0.2.1' })
    assert.deepEqual(await mine(), [two.id, three.id, one.id])
    assert.deepEqual(await inPages({ sort: newest }, actor), [two.id, three.id, one.id])
    assert.deepEqual(await found({ sort: newest, q: word }, actor), await mine())
  })

  test('every page takes the same number of statements, and a write takes none', async ({
    assert,
  }) => {
    const created = await zone()
    await here([{ field: 'serial' }])
    const write = await statementsOf(() =>
      createRecord(as, created, { name: 'y', type: 'A', content: '192.0.2.9' })
    )
    assert.isEmpty(write.filter((sql) => sql.includes('zw_zone_sort_keys')))
    await here([{ field: 'serial' }])
    const page = (number: number) => ({ number, size: 2, offset: 2 * (number - 1) })
    const first = await statementsOf(() => found({ sort: [{ field: 'serial' }], page: page(1) }))
    const second = await statementsOf(() => found({ sort: [{ field: 'serial' }], page: page(2) }))
    assert.equal(first.length, second.length)
    assert.isBelow(first.length, 12)
  })

  test('first pages are current, and cached positions of later pages stay valid while zones change', async ({
    assert,
    cleanup,
  }) => {
    const [one, two] = [await zone(), await zone()]
    await manyZones(word, 1_200)
    const { ms } = MIN_CACHED_SEARCH
    MIN_CACHED_SEARCH.ms = -1
    cleanup(async () => {
      MIN_CACHED_SEARCH.ms = ms
      await removeMany(word)
    })
    const newest = () => found({ sort: [{ field: 'changed', descending: true }], q: word })
    const changed = async (which: { id: number }) => {
      await createRecord(as, which, { name: unique('x'), type: 'A', content: '192.0.2.1' })
      const ids = await newest()
      assert.equal(ids?.[0], which.id)
    }
    await changed(one)
    await changed(two)
    await changed(one)
    const page = { number: 101, size: 10, offset: 1_000 }
    const deep = () => statementsOf(() => found({ sort: [{ field: 'serial' }], page }))
    const isSought = (sql: string) => /offset/i.test(sql)
    const first = await deep()
    assert.isNotEmpty(first.filter(isSought))
    await createRecord(as, two, { name: unique('x'), type: 'A', content: '192.0.2.1' })
    const known = await version()
    const second = await deep()
    assert.isAbove(await version(), known)
    assert.isEmpty(second.filter(isSought))
  }).tags(['@sql'])

  test('rows are read from an index, completely and within a subtree', async ({
    assert,
    cleanup,
  }) => {
    await manyZones(word, 4_000)
    cleanup(() => removeMany(word))
    await found({ sort: [{ field: 'serial' }] })
    for (const sort of ORDERS) {
      for (const tree of [undefined, 'forward'] as const) {
        const page = { number: 1, size: 2, offset: 0 }
        const query = { sort, filters: tree ? { tree } : {}, page }
        const plans = await plansOf(() => found(query))
        assert.isNotEmpty(plans)
        for (const plan of plans) {
          assert.match(plan, /zw_zone_sort_keys_(tree_)?(records|serial|changed|owners|dnssec)/)
          // A descending order sorts the few rows before the last value of the page.
          if (!sort[0].descending) assert.notMatch(plan, /filesort|temp b-tree|Sort Key/i)
        }
      }
    }
  }).tags(['@sql'])
})

/** Creates zones with values of fifty kinds, and updates the statistics of their table. */
async function manyZones(word: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    name: `m${i}.${word}.many`,
    type: 'NATIVE',
  }))
  for (const part of chunks(rows)) await db.table('domains').multiInsert(part)
  await importNewZones(await backendUnderTest())
  const orders = await ordersOf()
  while (await orders.updateStale());
  const text = db.raw("concat('1k', zone_id % 50)")
  const number = db.raw('zone_id % 50')
  const values = { records: number, serial: number, changed: text, owners: text, dnssec: text }
  await db.from('zw_zone_sort_keys').update(values)
  await refreshStatistics(db.connection(), ['zw_zone_sort_keys', 'zw_zones'])
}

async function removeMany(word: string): Promise<void> {
  await db.from('domains').where('name', 'like', `%.${word}.many`).delete()
  await adoptAllZones(await backendUnderTest())
}

/** Returns the query plans of the ordered reads of the table in `work`. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const client = db.connection().getWriteClient()
  const queries: { sql: string; bindings: unknown[] }[] = []
  const recordQuery = (query: { sql: string; bindings: unknown[] }) => {
    if (/from .?zw_zone_sort_keys.*order by.*limit/is.test(query.sql)) queries.push(query)
  }
  client.on('query', recordQuery)
  await work()
  client.off('query', recordQuery)
  const { name } = db.connection().dialect
  return Promise.all(
    queries.map(async ({ sql, bindings }) => {
      const explain = name === 'better-sqlite3' ? 'explain query plan' : 'explain'
      // Knex numbers the placeholders on PostgreSQL.
      const text = sql.replace(/\$\d+/g, '?')
      const plan: unknown = await db.rawQuery(`${explain} ${text}`, bindings as string[])
      return JSON.stringify(name === 'postgres' ? (plan as { rows: unknown }).rows : plan)
    })
  )
}
