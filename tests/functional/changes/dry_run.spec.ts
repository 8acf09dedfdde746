// @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, dataOf, type Caller } from '#tests/support/app/api'
import { isApiMode } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { rowCounts, stateOf } from '#tests/support/app/zones/zones'

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A write and its expected planned changes, as `type name operations`. */
interface Write {
  method: Method
  path: string
  body?: object
  /** Expected plan of the dry run, by zone name. */
  plans: Record<string, string[]>
}

const RECORD = { name: 'new', type: 'A', content: '192.0.2.2' }

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let record: { id: number }

async function setUp(client: ApiClient, owner: Record<string, unknown> = {}) {
  as = caller(client, admin)
  zone = await createZone(as, { name: zoneNamed(), ...owner })
  record = await createRecord(as, zone, { name: 'a', type: 'A', content: '192.0.2.1', ttl: 300 })
}

/** Some backends do not support renaming zones. */
function renaming(path: string, name: string): Write {
  return { method: 'PUT', path, body: { name: zoneNamed('moved') }, plans: { [name]: [] } }
}

/** Returns every writing route. */
function writes(): Write[] {
  const at = `/zones/${zone.id}`
  const { name } = zone
  const fresh = zoneNamed('fresh')
  const set = { name: 's', type: 'A', records: [{ content: '192.0.2.3' }] }
  const created = { [name]: [`A s.${name} create`] }
  return [
    {
      method: 'POST',
      path: '/zones',
      body: { name: fresh },
      plans: { [fresh]: [`SOA ${fresh} create`] },
    },
    { method: 'PUT', path: at, body: { description: 'x' }, plans: { [name]: [] } },
    ...(isApiMode ? [] : [renaming(at, name)]),
    {
      method: 'DELETE',
      path: at,
      plans: { [name]: [`A a.${name} delete`, `SOA ${name} delete`] },
    },
    {
      method: 'POST',
      path: `${at}/records`,
      body: RECORD,
      plans: { [name]: [`A new.${name} create`] },
    },
    {
      method: 'PUT',
      path: `${at}/records/${record.id}`,
      body: { content: '192.0.2.9' },
      plans: { [name]: [`A a.${name} update`] },
    },
    {
      method: 'DELETE',
      path: `${at}/records/${record.id}`,
      plans: { [name]: [`A a.${name} delete`] },
    },
    {
      method: 'POST',
      path: `${at}/records/bulk`,
      body: {
        operations: [
          { action: 'create', ...RECORD },
          { action: 'delete', id: record.id },
        ],
      },
      plans: { [name]: [`A a.${name} delete`, `A new.${name} create`] },
    },
    ...(['PUT', 'POST', 'PATCH'] as const).map((method) => ({
      method,
      path: `${at}/rrsets`,
      body: set,
      plans: created,
    })),
    { method: 'DELETE', path: `${at}/rrsets/a/A`, plans: { [name]: [`A a.${name} delete`] } },
    {
      method: 'POST',
      path: '/changes',
      body: { actions: [{ op: 'add', ...set, name: `s.${name}` }] },
      plans: created,
    },
  ]
}

function send(
  client: ApiClient,
  key: string,
  { method, path, body }: Write,
  overrides: object,
  query = ''
) {
  const request = client.request(`/api/v2${path}${query}`, method).header('x-api-key', key)
  const members = { ...body, ...overrides }
  return Object.keys(members).length > 0 ? request.json(members) : request
}

const seen = async () => ({ state: await stateOf(zone.id), counts: await rowCounts() })

test.group('Dry runs', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  for (const [how, more, query] of [
    ['in the body', { dry_run: true }, ''],
    ['as 1 in the body', { dry_run: 1 }, ''],
    ['in the query', {}, '?dry_run=true'],
    ['as 1 in the query', {}, '?dry_run=1'],
    ['in both', { dry_run: true }, '?dry_run=true'],
    ['in the query against the body', { dry_run: false }, '?dry_run=true'],
    ['in the body against the query', { dry_run: true }, '?dry_run=false'],
  ] as const) {
    test(`every write with a dry run by ${how} returns a plan and writes nothing`, async ({
      client,
      assert,
    }) => {
      const before = await seen()
      for (const write of writes()) {
        const response = await send(client, admin.key, write, more, query)
        const story = `${write.method} ${write.path}: ${response.text()}`
        assert.equal(response.status(), 200, story)
        assert.isUndefined(response.header('etag'), story)
        const { plan } = response.body().data
        assert.deepEqual(Object.keys(response.body().data), ['plan'])
        assert.match(plan.plan_hash, /^sha256:[0-9a-f]{64}$/)
        const plannedChanges = plan.zones.map((item: Record<string, any>) => [
          item.zone_name,
          item.changes.map(
            (change: Record<string, any>) =>
              `${change.type} ${change.name} ${change.operations.join('+')}`
          ),
        ])
        assert.deepEqual(Object.fromEntries(plannedChanges), write.plans, story)
        assert.isTrue(plan.zones.every((item: Record<string, any>) => item.review === 'direct'))
        assert.deepEqual(await seen(), before, story)
      }
    })
  }

  for (const [word, overrides, query] of [
    ['perhaps', { dry_run: 'perhaps' }, ''],
    ['2', { dry_run: 2 }, ''],
    ['a list', { dry_run: [true] }, ''],
    ['nothing', {}, '?dry_run'],
    ['an empty word', {}, '?dry_run='],
    ['TRUE', {}, '?dry_run=TRUE'],
    ['yes', {}, '?dry_run=yes'],
    ['a member of all objects', {}, '?dry_run=constructor'],
    ['the parameter dryRun', {}, '?dryRun=true'],
    ['the parameter dry-run', {}, '?dry-run=1'],
    ['the parameter dry_rum', {}, '?dry_rum=true'],
    ['the field dryrun', { dryrun: true }, ''],
    ['the field DRY_RUN', { DRY_RUN: true }, ''],
  ] as [string, object, string][]) {
    test(`${word} as dry_run gets 400 and writes nothing`, async ({ client, assert }) => {
      const before = await seen()
      for (const write of writes()) {
        const response = await send(client, admin.key, write, overrides, query)
        assert.equal(response.status(), 400, `${write.method} ${write.path}`)
        assert.match(response.body().message, /dry_run/)
        assert.deepEqual(await seen(), before)
      }
    })
  }

  test('a deletion with an invalid body gets 400 and deletes nothing', async ({
    client,
    assert,
  }) => {
    const before = await seen()
    for (const { path } of writes().filter(({ method }) => method === 'DELETE')) {
      for (const body of ['{dry_run:true}', 'dry_run', '[1]', '5']) {
        const response = await client
          .request(`/api/v2${path}`, 'DELETE')
          .header('x-api-key', admin.key)
          .header('content-type', 'application/json')
          .setup((request) => void request.request.send(body))
        assert.equal(response.status(), 400, `${path} ${body}`)
      }
    }
    assert.deepEqual(await seen(), before)
  })

  test('a deletion with an empty body, null, {} or [] is carried out', async ({ client }) => {
    for (const body of ['', 'null', '{}', '[]', ' { } ']) {
      const { id } = await createRecord(as, zone, { name: 'd', type: 'A', content: '192.0.2.1' })
      const response = await client
        .request(`/api/v2/zones/${zone.id}/records/${id}`, 'DELETE')
        .header('x-api-key', admin.key)
        .header('content-type', 'application/json')
        .setup((request) => void request.request.send(body))
      response.assertStatus(204)
    }
  })

  test('dry_run=false is no dry run', async ({ client, assert }) => {
    const write = writes().find(({ path }) => path.endsWith('/records'))!
    const response = await send(client, admin.key, write, { dry_run: false }, '?dry_run=0')
    response.assertStatus(201)
    assert.equal(response.body().data.record.name, 'new')
  })

  test('the plan has the state before and after, with the serials', async ({ assert }) => {
    const path = `/zones/${zone.id}/records/${record.id}?dry_run=1`
    const { plan } = await dataOf(as.put(path, { content: '192.0.2.9', ttl: 60 }))
    const soa = await dataOf(as.get(`/zones/${zone.id}/records?type=SOA`), 'records.0.content')
    const serial = Number(soa.split(' ')[2])
    const item = (content: string) => [{ content, priority: 0, disabled: false }]
    assert.deepEqual(plan.zones, [
      {
        zone_id: zone.id,
        zone_name: zone.name,
        serial_before: serial,
        serial_after: serial + 1,
        review: 'direct',
        changes: [
          {
            name: `a.${zone.name}`,
            type: 'A',
            before: { ttl: 300, records: item('192.0.2.1') },
            after: { ttl: 60, records: item('192.0.2.9') },
            operations: ['update'],
          },
        ],
        warnings: [],
      },
    ])
  })

  test('the plan has changed properties, and the zone to create', async ({ assert }) => {
    const { plan } = await dataOf(
      as.put(`/zones/${zone.id}?dry_run=1`, { account: 'x', type: 'MASTER' })
    )
    assert.deepEqual(plan.zones[0].properties, {
      before: { account: null },
      after: { account: 'x' },
    })
    const fresh = await dataOf(as.post('/zones?dry_run=1', { name: zoneNamed() }), 'plan.zones.0')
    assert.isNull(fresh.zone_id)
    assert.isNull(fresh.serial_before)
    assert.isNumber(fresh.serial_after)
    assert.isNull(fresh.properties.before)
  })

  test('a dry run refuses what the write refuses, with the same response', async ({
    client,
    assert,
  }) => {
    const at = `/zones/${zone.id}`
    const bad: Omit<Write, 'plans'>[] = [
      { method: 'POST', path: '/zones', body: { name: zone.name } },
      { method: 'POST', path: '/zones', body: { name: 'a b' } },
      { method: 'PUT', path: at, body: { name: '-' } },
      { method: 'PUT', path: at, body: { type: 'X' } },
      { method: 'DELETE', path: '/zones/999999999' },
      { method: 'POST', path: `${at}/records`, body: { ...RECORD, content: 'bad' } },
      {
        method: 'POST',
        path: `${at}/records`,
        body: { name: 'a', type: 'A', content: '192.0.2.1' },
      },
      { method: 'PUT', path: `${at}/records/999999999`, body: { ttl: 5 } },
      { method: 'DELETE', path: `${at}/records/999999999` },
      {
        method: 'POST',
        path: `${at}/records/bulk`,
        body: { operations: [{ action: 'delete', id: 1e9 }] },
      },
      {
        method: 'PUT',
        path: `${at}/rrsets`,
        body: { name: '@', type: 'CNAME', records: [{ content: 'x.test' }] },
      },
      { method: 'DELETE', path: `${at}/rrsets/none/A` },
      { method: 'DELETE', path: `${at}/rrsets/@/SOA` },
    ]
    for (const write of bad) {
      const real = await send(client, admin.key, { ...write, plans: {} }, {})
      const before = await seen()
      const dry = await send(client, admin.key, { ...write, plans: {} }, {}, '?dry_run=true')
      const story = `${write.method} ${write.path}`
      assert.isAtLeast(real.status(), 400, story)
      assert.equal(dry.status(), real.status(), story)
      // Some errors contain the time.
      const [dryRunBody, writeBody] = [dry, real].map((answer) => ({
        ...answer.body(),
        meta: null,
      }))
      assert.deepEqual(dryRunBody, writeBody, story)
      assert.deepEqual(await seen(), before)
    }
  })

  test('a dry run requires the same permissions as the write', async ({ client, assert }) => {
    const viewer = await person({ permissions: ['zone_content_view_others'] })
    const stranger = await person()
    const reader = await keyFor(admin, { readOnly: true })
    const view = await keyFor(admin, { operations: ['view'] })
    const otherZone = await createZone(as, { name: zoneNamed() })
    const elsewhere = await keyFor(admin, { zones: [otherZone] })
    const before = await seen()
    for (const { key } of [viewer, stranger, reader, view, elsewhere]) {
      for (const write of writes()) {
        const real = await send(client, key, write, {})
        const dry = await send(client, key, write, { dry_run: true })
        assert.include([403, 404], real.status(), `${write.method} ${write.path}`)
        assert.equal(dry.status(), real.status())
        assert.deepEqual(dry.body(), { ...real.body() })
      }
    }
    assert.deepEqual(await seen(), before)
  })

  test('a dry run checks preconditions as the write does', async ({ assert }) => {
    const before = await seen()
    const path = `/zones/${zone.id}?dry_run=true`
    const failed = await as.put(path, { description: 'x' }).header('If-Match', '"x"')
    failed.assertStatus(412)
    const tag = failed.header('etag')!
    const held = await as.put(path, { description: 'x' }).header('If-Match', tag)
    held.assertStatus(200)
    assert.deepEqual(await seen(), before)
  })

  test('the plan includes the linked PTR record', async ({ assert }) => {
    const [x, y] = [1, 2].map(() => Math.floor(Math.random() * 256))
    const reverse = await createZone(as, { name: `${y}.${x}.10.in-addr.arpa` })
    const body = { ...RECORD, content: `10.${x}.${y}.7`, create_ptr: true }
    const planned = await dataOf(as.post(`/zones/${zone.id}/records?dry_run=1`, body), 'plan.zones')
    assert.deepEqual(
      planned.map((item: { zone_id: number }) => item.zone_id),
      [zone.id, reverse.id]
    )
    const { records } = await stateOf(reverse.id)
    assert.lengthOf(records, 1)
  })
})
