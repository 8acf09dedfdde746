// @databases @api-backend(all)
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { caller, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'
import { wholeFile } from '#tests/support/app/zones/zone_files'

const FILE = wholeFile(
  '; the host of the shop',
  'www 300 A 192.0.2.1 ; first',
  'www 300 A 192.0.2.2',
  '@ 300 MX 10 mail.example.net. ; Größe "und" (mehr)',
  ';disabled off 60 IN A 192.0.2.3 ; later'
)

test.group('Comments of zone files', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const response = await put(FILE)
    response.assertStatus(200)
  })

  const put = (text: string, overrides: object = {}) =>
    as.post(`/zones/${zone.id}/import`, { zone_file: text, ...overrides })
  const comments = async (id = zone.id) => {
    const response = await as.get(`/zones/${id}/export`)
    const lines = (response.body().data.zone_file as string).split('\n')
    return lines.filter((line) => line.includes(' ; ') || line.startsWith('; '))
  }
  const count = async () => {
    const [row] = await db.from('zw_record_comments').where('zone_id', zone.id).count('* as total')
    return Number(row.total)
  }
  const inTrash = () => db.from('zw_trash').where('zone_name', zone.name).firstOrFail()
  const restored = async () => {
    const { id } = await inTrash()
    const response = await as.post(`/trash/${id}/restore`, {})
    response.assertStatus(201)
    return Number(response.body().data.zone_id)
  }

  test('an export has comments at their places', async ({ assert }) => {
    const lines = await comments()
    assert.lengthOf(lines, 4)
    const all = lines.join('\n')
    assert.match(all, /^; the host of the shop\nwww .*192\.0\.2\.1 ; first$/m)
    assert.match(all, /mail\.example\.net\. ; Größe "und" \(mehr\)$/m)
    assert.match(all, /^;disabled.*192\.0\.2\.3 ; later$/m)
  })

  test('importing an export keeps the comments without a change', async ({ assert }) => {
    const before = await comments()
    const exported = await as.get(`/zones/${zone.id}/export`)
    const response = await put(exported.body().data.zone_file)
    assert.deepEqual(response.body().data.change.zones[0].changes, [])
    assert.deepEqual(await comments(), before)
  })

  test('comments follow a rename of the zone and enabled records', async ({ assert }) => {
    await as.put(`/zones/${zone.id}`, { name: zoneNamed() })
    await as.put(`/zones/${zone.id}/rrsets`, {
      name: 'off',
      type: 'A',
      ttl: 60,
      records: [{ content: '192.0.2.3' }],
    })
    const lines = await comments()
    assert.lengthOf(lines, 4)
    assert.match(lines.join('\n'), /^off .*192\.0\.2\.3 ; later$/m)
  })

  test('a merge replaces the comments of its RRsets and leaves others', async ({ assert }) => {
    await put('www 300 IN A 192.0.2.1 ; second\n', { mode: 'merge' })
    const lines = await comments()
    const all = lines.join('\n')
    assert.match(all, /192\.0\.2\.1 ; second/)
    assert.notMatch(all, /host of the shop|first/)
    assert.match(all, /Größe/)
    assert.match(all, /later/)
  })

  test('a replaced zone gets the new comments, and a dry run writes none', async ({ assert }) => {
    await put(wholeFile('a 300 A 192.0.2.9 ; new'), { dry_run: true })
    assert.equal(await count(), 3)
    await put(wholeFile('a 300 A 192.0.2.9 ; new'))
    assert.equal(await count(), 1)
  })

  test('a restored zone has its comments', async ({ assert }) => {
    const before = await comments()
    await as.delete(`/zones/${zone.id}`)
    assert.equal(await count(), 0)
    const id = await restored()
    assert.deepEqual(await comments(id), before)
  })

  test('comments larger than one database packet are restored from the trash', async ({
    assert,
  }) => {
    const above = JSON.stringify(['of many words '.repeat(40_000)])
    for (let owner = 0; owner < 40; owner += 1) {
      const comment = {
        owner: `old-${owner}`,
        type: 'A',
        record_hash: 'of one',
        above,
        inline: '',
      }
      await db.table('zw_record_comments').insert({ zone_id: zone.id, ...comment })
    }
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    const id = await restored()
    assert.lengthOf(await db.from('zw_record_comments').where({ zone_id: id, above }), 40)
    assert.lengthOf(await comments(id), 4)
  }).timeout(30_000)
})

test.group('Comments of records in change sets', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  const write = async (op: 'add' | 'set', records: object[], overrides: object = {}) => {
    const action = { op, name: `www.${zone.name}`, type: 'TXT', ttl: 300, records }
    const response = await as.post('/changes', { actions: [action], ...overrides })
    response.assertStatus('dry_run' in overrides ? 200 : 201)
    return response.body().data.change
  }
  const lines = async () => {
    const response = await as.get(`/zones/${zone.id}/export`)
    const all = (response.body().data.zone_file as string).split('\n')
    return all.filter((line) => /^(; |www )/.test(line)).map((line) => line.replace(/\s+/g, ' '))
  }

  const text = async () => {
    const all = await lines()
    return all.join('\n')
  }

  test('change sets set, find, change and delete comments of records', async ({ assert }) => {
    await write('add', [{ content: '"a"', comment: ' for  Ärger\n2 ' }, { content: '"b"' }])
    const [first, second] = await lines()
    assert.match(first, /"a" ; for Ärger 2$/)
    assert.notMatch(second, /;/)
    const same = { content: '"a"', comment: 'other' }
    const change = await write('set', [same, { content: '"b"' }])
    assert.deepEqual(change.zones[0].changes[0].operations, ['update'])
    assert.match(await text(), /"a" ; other$/m)
    await write('set', [{ content: '"a"' }, { content: '"b"' }])
    assert.match(await text(), /"a" ; other$/m)
    await write('set', [{ content: '"a"', comment: '' }, { content: '"b"' }])
    assert.notMatch(await text(), /;/)
    const [row] = await db.from('zw_record_comments').where('zone_id', zone.id).count('* as total')
    assert.equal(Number(row.total), 0)
  })

  test('comments above a record stay unchanged', async ({ assert }) => {
    const file = wholeFile('; above', 'www 300 TXT "a" ; beside')
    await as.post(`/zones/${zone.id}/import`, { zone_file: file })
    await write('set', [{ content: '"a"', comment: '' }])
    assert.deepEqual(await lines(), ['; above', 'www 300 IN TXT "a"'])
  })

  test('a comment without a change of records requires a key with the update operation', async ({
    assert,
    client,
  }) => {
    await write('add', [{ content: '"a"', comment: 'mine' }])
    const name = `www.${zone.name}`
    const records = [{ content: '"a"', comment: 'theirs' }]
    const input = { actions: [{ op: 'set', name, type: 'TXT', ttl: 300, records }] }
    const exported = await as.get(`/zones/${zone.id}/export`)
    const bare = (exported.body().data.zone_file as string).replaceAll(/ ;.*$/gm, '')
    const restricted: Restrictions[] = [{ readOnly: true }, { operations: ['create'] }]
    for (const restrictions of restricted) {
      const reader = caller(client, await keyFor(admin, restrictions))
      const denied = await reader.post('/changes', input)
      const imported = await reader.post(`/zones/${zone.id}/import`, { zone_file: bare })
      assert.deepEqual([denied.status(), imported.status()], [403, 403])
    }
    assert.match(await text(), /"a" ; mine$/)
    const editor = caller(client, await keyFor(admin, { operations: ['update'] }))
    const allowed = await editor.post('/changes', input)
    allowed.assertStatus(201)
    assert.match(await text(), /"a" ; theirs$/)
  })

  test('a comment with another new record of the RRset requires such a key too', async ({
    assert,
    client,
  }) => {
    await write('add', [{ content: '"a"', comment: 'mine' }])
    const name = `www.${zone.name}`
    const input = (comment: string) => {
      const records = [{ content: '"a"', comment }, { content: '"b"' }]
      return { actions: [{ op: 'set', name, type: 'TXT', ttl: 300, records }] }
    }
    const creator = caller(client, await keyFor(admin, { operations: ['create'] }))
    const refused = await creator.post('/changes', input('theirs'))
    refused.assertStatus(403)
    const planned = await as.post('/changes', { ...input('theirs'), dry_run: true })
    const [change] = planned.body().data.plan.zones[0].changes
    assert.deepEqual(change.operations, ['create', 'update'])
    const allowed = await creator.post('/changes', input('mine'))
    allowed.assertStatus(201)
    assert.deepEqual(allowed.body().data.change.zones[0].changes[0].operations, ['create'])
  })

  test('a dry run writes no comment', async ({ assert }) => {
    await write('add', [{ content: '"a"', comment: 'never' }], { dry_run: true })
    assert.isEmpty(await db.from('zw_record_comments').where('zone_id', zone.id))
  })

  test('a comment above the maximum length is refused', async () => {
    const records = [{ content: '"a"', comment: 'x'.repeat(2001) }]
    const action = { op: 'add', name: `www.${zone.name}`, type: 'TXT', records }
    const response = await as.post('/changes', { actions: [action] })
    response.assertStatus(400)
  })
})
