// @databases @api-backend
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import {
  caller,
  createRecord,
  createZone,
  dataOf,
  expectStatus,
  type Caller,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { rowCounts, stateOf } from '#tests/support/app/zones/zones'

const OTHER = '"0123456789abcdef0123456789abcdef"'
const TAG = /^"[0-9a-f]{32}"$/
const SET = { name: 'www', type: 'A', ttl: 300, records: [{ content: '192.0.2.1' }] }

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let at: string

async function setUp(client: ApiClient) {
  as = caller(client, admin)
  zone = await createZone(as, { name: zoneNamed() })
  at = `/zones/${zone.id}`
}

async function tagOf(path: string): Promise<string> {
  const response = await as.get(path)
  response.assertStatus(200)
  return response.header('etag')!
}

/** Returns the zone, a record and an RRset, each with the ways to write it. */
async function objects() {
  const record = await createRecord(as, zone, { name: 'r', type: 'A', content: '192.0.2.1' })
  await expectStatus(as.put(`${at}/rrsets`, SET), 200)
  const bulk = { operations: [{ action: 'create', name: 'b', type: 'A', content: '192.0.2.1' }] }
  return [
    [
      'record',
      `${at}/records/${record.id}`,
      'record',
      () => as.put(`${at}/records/${record.id}`, { ttl: 61 }),
    ],
    [
      'record',
      `${at}/records/${record.id}`,
      'record',
      () => as.delete(`${at}/records/${record.id}`),
    ],
    ['RRset', `${at}/rrsets/www/A`, 'rrset', () => as.put(`${at}/rrsets`, { ...SET, ttl: 61 })],
    ['RRset', `${at}/rrsets/www/A`, 'rrset', () => as.delete(`${at}/rrsets/www/A`)],
    ['zone', at, 'zone', () => as.post(`${at}/records/bulk`, bulk)],
    ['zone', at, 'zone', () => as.put(at, { description: 'x' })],
    ['zone', at, 'zone', () => as.delete(at)],
  ] as const
}

test.group('Preconditions', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  test('a write with a stale entity tag gets 412 with the current object', async ({ assert }) => {
    for (const [, path, member, write] of await objects()) {
      const shown = await as.get(path)
      const tag = shown.header('etag')!
      assert.match(tag, TAG)
      const before = await stateOf(zone.id)
      for (const bad of [OTHER, `W/${tag}`, `${OTHER}, W/${tag}`, '"a,b"', '""']) {
        const response = await write().header('If-Match', bad)
        response.assertStatus(412)
        assert.isFalse(response.body().success)
        assert.deepEqual(response.body().data, { current: shown.body().data[member] })
        assert.equal(response.header('etag'), tag)
      }
      assert.deepEqual(await stateOf(zone.id), before)
    }
  })

  test('a write with the current tag, a list with it, or * is carried out', async ({ assert }) => {
    const forms = [
      (tag: string) => tag,
      (tag: string) => `${OTHER}, ${tag}`,
      (tag: string) => `${OTHER} ,W/"x",,${tag} , `,
      () => '*',
      () => ' * ',
    ]
    for (const [index, form] of forms.entries()) {
      zone = await createZone(as, { name: zoneNamed() })
      at = `/zones/${zone.id}`
      for (const [, path, , write] of await objects()) {
        const response = await write().header('If-Match', form(await tagOf(path)))
        assert.include([200, 204], response.status(), `${index} ${path} ${response.text()}`)
      }
    }
  })

  test('a write without a precondition is carried out', async ({ assert }) => {
    for (const [, path, , write] of await objects()) {
      const response = await write()
      assert.include([200, 204], response.status(), path)
    }
  })

  test('an invalid precondition gets 400 and changes nothing', async ({ assert }) => {
    for (const [, path, , write] of await objects()) {
      const tag = await tagOf(path)
      const before = await stateOf(zone.id)
      for (const headers of [
        { 'If-Match': tag.slice(1, -1) },
        { 'If-Match': '' },
        { 'If-Match': `${tag} ${tag}` },
        { 'If-Match': `*, ${tag}` },
        { 'If-Match': `w/${tag}` },
        { 'If-Match': `"${tag}` },
        { 'If-None-Match': tag },
        { 'If-None-Match': '' },
        { 'If-Match': tag, 'If-None-Match': '*' },
      ] as Record<string, string>[]) {
        const request = write()
        for (const [name, value] of Object.entries(headers)) request.header(name, value)
        const response = await request
        assert.equal(response.status(), 400, `${path} ${JSON.stringify(headers)}`)
        assert.match(response.body().message, /If-(None-)?Match/)
      }
      assert.deepEqual(await stateOf(zone.id), before)
    }
  })

  test('the response of a write has the tag that the next read returns', async ({ assert }) => {
    for (const [, path, , write] of await objects()) {
      const response = await write()
      if (response.status() === 200) {
        assert.equal(response.header('etag'), await tagOf(path))
      } else {
        response.assertStatus(204)
        await expectStatus(as.get(path), 404)
      }
    }
  })

  test('responses of created objects have a tag', async ({ assert }) => {
    const created = await as.post('/zones', { name: zoneNamed() })
    assert.equal(created.header('etag'), await tagOf(`/zones/${created.body().data.zone_id}`))
    const added = await as.post(`${at}/records`, { name: 'n', type: 'A', content: '192.0.2.1' })
    assert.equal(added.header('etag'), await tagOf(`${at}/records/${added.body().data.record.id}`))
    const set = await as.put(`${at}/rrsets`, SET)
    assert.equal(set.header('etag'), await tagOf(`${at}/rrsets/www/A`))
  })

  test('a read with the current tag gets 304 without a body', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { name: 'r', type: 'A', content: '192.0.2.1' })
    for (const path of [at, `${at}/records/${id}`, `${at}/rrsets/r/A`]) {
      const tag = await tagOf(path)
      for (const known of [tag, `W/${tag}`, `${OTHER}, ${tag}`, '*']) {
        const response = await as.get(path).header('If-None-Match', known)
        response.assertStatus(304)
        assert.equal(response.text() ?? '', '')
        assert.equal(response.header('etag'), tag)
      }
      for (const other of [OTHER, tag.slice(1, -1), '', 'nonsense']) {
        await expectStatus(as.get(path).header('If-None-Match', other), 200)
      }
    }
  })

  test('If-None-Match: * only creates missing objects', async ({ assert }) => {
    const record = { name: 'n', type: 'A', content: '192.0.2.1' }
    await expectStatus(as.post(`${at}/records`, record).header('If-None-Match', '*'), 201)
    await expectStatus(as.put(`${at}/rrsets`, SET).header('If-None-Match', '*'), 200)
    const before = await stateOf(zone.id)
    const secondResponse = await as
      .post(`${at}/records`, { ...record, content: '192.0.2.2' })
      .header('If-None-Match', '*')
    secondResponse.assertStatus(412)
    assert.deepEqual(
      secondResponse.body().data.current,
      await dataOf(as.get(`${at}/rrsets/n/A`), 'rrset')
    )
    assert.equal(secondResponse.header('etag'), await tagOf(`${at}/rrsets/n/A`))
    const set = await as.put(`${at}/rrsets`, SET).header('If-None-Match', '*')
    set.assertStatus(412)
    assert.equal(set.header('etag'), await tagOf(`${at}/rrsets/www/A`))
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('If-Match on a missing object gets 412 without an object', async ({ assert }) => {
    const before = await stateOf(zone.id)
    for (const match of [OTHER, '*']) {
      for (const call of [
        as.put(`${at}/rrsets`, SET),
        as.delete(`${at}/rrsets/www/A`),
        as.post(`${at}/records`, { name: 'www', type: 'A', content: '192.0.2.1' }),
      ]) {
        const response = await call.header('If-Match', match)
        response.assertStatus(412)
        assert.deepEqual(response.body().data, { current: null })
        assert.isUndefined(response.header('etag'))
      }
      await expectStatus(
        as.put(`${at}/records/999999999`, { ttl: 5 }).header('If-Match', match),
        404
      )
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('If-Match on the creation of a zone gets 400', async ({ assert }) => {
    const before = await rowCounts()
    for (const match of [OTHER, '*']) {
      const response = await as.post('/zones', { name: zoneNamed() }).header('If-Match', match)
      response.assertStatus(400)
    }
    assert.deepEqual(await rowCounts(), before)
  })

  test('a caller without permission gets 403 with any precondition', async ({ client }) => {
    const { id } = await createRecord(as, zone, { name: 'r', type: 'A', content: '192.0.2.1' })
    const viewer = caller(client, await person({ permissions: ['zone_content_view_others'] }))
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    for (const [asUser, status] of [
      [viewer, 403],
      [stranger, 404],
      [reader, 403],
    ] as const) {
      for (const call of [
        asUser.put(at, { description: 'x' }),
        asUser.put(at, { account: 'x' }),
        asUser.delete(at),
        asUser.put(`${at}/records/${id}`, { ttl: 5 }),
        asUser.delete(`${at}/records/${id}`),
        asUser.put(`${at}/rrsets`, SET),
        asUser.delete(`${at}/rrsets/r/A`),
        asUser.post(`${at}/records/bulk`, { operations: [{ action: 'delete', id }] }),
      ]) {
        await expectStatus(call.header('If-Match', OTHER), status)
      }
    }
  })
})

test.group('Entity tags', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  const setTag = async (ttl: number, ...records: object[]) => {
    await expectStatus(as.put(`${at}/rrsets`, { name: 't', type: 'MX', ttl, records }), 200)
    return tagOf(`${at}/rrsets/t/MX`)
  }
  const [one, two] = [
    { content: 'a.test', priority: 1 },
    { content: 'b.test', priority: 2 },
  ]

  test('tags of the same content are equal, in any order and after a deletion', async ({
    assert,
  }) => {
    const tag = await setTag(60, one, two)
    await expectStatus(as.delete(`${at}/rrsets/t/MX`), 204)
    assert.equal(await setTag(60, two, one), tag)
    const record = { name: 'r', type: 'A', content: '192.0.2.1', ttl: 60 }
    const first = await createRecord(as, zone, record)
    const path = `${at}/records/${first.id}`
    const recordTag = await tagOf(path)
    await expectStatus(as.delete(path), 204)
    const second = await createRecord(as, zone, record)
    assert.equal(await tagOf(`${at}/records/${second.id}`), recordTag)
  })

  test('tags of RRsets differ for each member', async ({ assert }) => {
    const tags = [
      await setTag(60, one, two),
      await setTag(61, one, two),
      await setTag(60, one),
      await setTag(60, one, { ...two, priority: 3 }),
      await setTag(60, one, { ...two, content: 'c.test' }),
      await setTag(60, one, { ...two, disabled: true }),
      await setTag(60, { ...one, disabled: true }, two),
    ]
    assert.lengthOf(new Set(tags), tags.length)
  })

  test('tags of records differ for each member', async ({ assert }) => {
    const { id } = await createRecord(as, zone, {
      name: 'r',
      type: 'MX',
      content: 'a.test',
      ttl: 60,
    })
    const path = `${at}/records/${id}`
    const tags = [await tagOf(path)]
    for (const patch of [
      { ttl: 61 },
      { priority: 5 },
      { content: 'b.test' },
      { disabled: true },
      { name: 's' },
    ]) {
      await expectStatus(as.put(path, patch), 200)
      tags.push(await tagOf(path))
    }
    assert.lengthOf(new Set(tags), tags.length)
  })

  test('tags of zones differ for each property and each change of records', async ({ assert }) => {
    const tags = [await tagOf(at)]
    for (const patch of [
      { description: 'x' },
      { account: 'y' },
      { type: 'NATIVE' },
      { name: zoneNamed() },
    ]) {
      await expectStatus(as.put(at, patch), 200)
      tags.push(await tagOf(at))
    }
    const { id } = await createRecord(as, zone, { name: 'r', type: 'A', content: '192.0.2.1' })
    tags.push(await tagOf(at))
    await expectStatus(as.delete(`${at}/records/${id}`), 204)
    tags.push(await tagOf(at))
    assert.lengthOf(new Set(tags), tags.length)
    assert.equal(await tagOf(at), tags.at(-1))
  }).tags(['@sql'])

  test('the tag of a zone of another tool is valid for the first write', async ({ assert }) => {
    const name = zoneNamed('foreign')
    await db.table('domains').insert({ name, type: 'NATIVE' })
    const { id } = await db.from('domains').where('name', name).firstOrFail()
    const path = `/zones/${id}`
    const tag = await tagOf(path)
    await expectStatus(as.put(path, { description: 'x' }).header('If-Match', OTHER), 412)
    assert.equal(await tagOf(path), tag)
    await expectStatus(as.put(path, { description: 'x' }).header('If-Match', tag), 200)
  }).tags(['@sql'])

  test('exactly one of many writers with the same tag succeeds', async ({ assert }) => {
    const tag = await setTag(60, one)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        as
          .put(`${at}/rrsets`, { name: 't', type: 'MX', ttl: 100 + i, records: [one] })
          .header('If-Match', tag)
      )
    )
    const statuses = answers.map((answer) => answer.status())
    assert.sameMembers(statuses, [200, ...Array.from({ length: 11 }, () => 412)])
    const winner = answers.find((answer) => answer.status() === 200)!
    const current = await dataOf(as.get(`${at}/rrsets/t/MX`), 'rrset')
    assert.deepEqual(winner.body().data.rrset, current)
    for (const loser of answers.filter((answer) => answer.status() === 412)) {
      assert.deepEqual(loser.body().data, { current })
    }
    const { journal } = await stateOf(zone.id)
    assert.lengthOf(journal, 3)
  })
})
