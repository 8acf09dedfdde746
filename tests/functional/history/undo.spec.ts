// @databases @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import {
  contentsOf,
  newest,
  externalRows,
  restore,
  historyEntries,
  undo,
  writeExternally,
} from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { journalOf, serialOf, stateOf } from '#tests/support/app/zones/zones'
import { Random } from '#tests/support/random'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('POST /zones/:id/history/:entry/undo', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}`
  })

  const set = (name: string, type: string, ttl: number, ...contents: string[]) => {
    const records = contents.map((content) => ({ content }))
    return as.put(`${path}/rrsets`, { name, type, ttl, records })
  }

  test('undo reverses the creation, change, move, disabling and deletion of a record', async ({
    assert,
  }) => {
    const { id } = await createRecord(as, zone, A)
    const record = `${path}/records/${id}`
    const steps = [
      () => as.put(record, { content: '192.0.2.2', ttl: 60 }),
      () => as.put(record, { disabled: true }),
      () => as.put(record, { name: 'web' }),
      () => as.put(record, { name: 'txt', type: 'TXT', content: 'was an address' }),
      () => as.delete(record),
    ]
    const states = [await contentsOf(zone)]
    for (const step of steps) {
      const response = await step()
      assert.isBelow(response.status(), 300)
      states.push(await contentsOf(zone))
    }
    for (let entry = steps.length + 2; entry > 2; entry--) {
      const serial = await serialOf(zone.id)
      const response = await undo(as, zone, entry)
      response.assertStatus(200)
      assert.deepEqual(await contentsOf(zone), states[entry - 3], `entry ${entry}`)
      assert.isAbove(await serialOf(zone.id), serial)
    }
    const deleted = await undo(as, zone, 2)
    deleted.assertStatus(200)
    assert.lengthOf(await contentsOf(zone), states[0].length - 1)
  })

  test('undo reverses bulk changes, replaced RRsets and change sets', async ({ assert }) => {
    await set('www', 'A', 300, '192.0.2.1', '192.0.2.2')
    const { id } = await createRecord(as, zone, { name: 'old', type: 'TXT', content: 'x' })
    const steps = [
      () =>
        as.post(`${path}/records/bulk`, {
          operations: [
            { action: 'create', name: 'new', type: 'A', content: '192.0.2.9', ttl: 60 },
            { action: 'delete', id },
          ],
        }),
      () => set('www', 'A', 60, '192.0.2.2', '192.0.2.3'),
      () =>
        as.post('/changes', {
          actions: [
            { op: 'clear', name: `www.${zone.name}`, type: 'A' },
            {
              op: 'set',
              name: `www.${zone.name}`,
              type: 'CNAME',
              ttl: 60,
              records: [{ content: 'a.example' }],
            },
          ],
        }),
    ]
    for (const step of steps) {
      const before = await contentsOf(zone)
      const doneResponse = await step()
      assert.isBelow(doneResponse.status(), 300, JSON.stringify(doneResponse.body()))
      assert.notDeepEqual(await contentsOf(zone), before)
      const response = await undo(as, zone, await newest(zone))
      response.assertStatus(200)
      assert.deepEqual(await contentsOf(zone), before)
    }
  })

  test('undo reverses a rename and changes of type, primaries, account and description', async ({
    assert,
  }) => {
    await createRecord(as, zone, A)
    const name = zoneNamed('other')
    for (const patch of [
      { name },
      { type: 'NATIVE' },
      { type: 'SLAVE', masters: '192.0.2.53' },
      { account: 'somebody' },
      { description: 'text' },
    ]) {
      const before = await stateOf(zone.id)
      const contents = await contentsOf(zone)
      const changed = await as.put(path, patch)
      changed.assertStatus(200)
      const response = await undo(as, zone, await newest(zone))
      response.assertStatus(200)
      const after = await stateOf(zone.id)
      assert.deepEqual(after.domain, before.domain)
      assert.deepEqual(after.own, { ...before.own, last_entry: after.own.last_entry })
      assert.deepEqual(await contentsOf(zone), contents)
    }
  }).tags(['@sql'])

  test('undo of an undo repeats the change', async ({ assert }) => {
    await createRecord(as, zone, A)
    const done = await contentsOf(zone)
    await undo(as, zone, 2)
    const response = await undo(as, zone, 3)
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), done)
    const [again, back] = await historyEntries(as, zone)
    assert.deepEqual(
      [again.origin, back.origin],
      [
        { kind: 'undo', id: 3 },
        { kind: 'undo', id: 2 },
      ]
    )
  })

  test('undo is journaled with its reason, and a dry run changes nothing', async ({ assert }) => {
    await createRecord(as, zone, A)
    const before = await stateOf(zone.id)
    const planned = await undo(as, zone, 2, { dry_run: true })
    planned.assertStatus(200)
    assert.lengthOf(planned.body().data.plan.zones[0].changes, 1)
    assert.deepEqual(await stateOf(zone.id), before)
    const response = await undo(as, zone, 2, { reason: 'ticket 12' })
    response.assertStatus(200)
    assert.equal(response.body().data.change.zones[0].entry, 3)
    const [entry] = await historyEntries(as, zone)
    assert.equal(entry.reason, 'ticket 12')
    assert.equal(entry.changes[0].after, null)
  })

  test('undo checks If-Match', async ({ assert }) => {
    const read = await as.get(path)
    const tag = read.header('etag') ?? ''
    await createRecord(as, zone, A)
    const before = await stateOf(zone.id)
    const staleResponse = await undo(as, zone, 2).header('if-match', tag)
    staleResponse.assertStatus(412)
    assert.deepEqual(await stateOf(zone.id), before)
    const freshResponse = await undo(as, zone, 2).header(
      'if-match',
      staleResponse.header('etag') ?? ''
    )
    freshResponse.assertStatus(200)
  })

  test('undo restores the timers of the SOA record, and the serial goes up', async ({ assert }) => {
    const before = await contentsOf(zone)
    const [soa] = await dataOf(as.get(`${path}/records?type=SOA`), 'records')
    const fields = soa.content.split(' ')
    for (const [index, value] of [
      [3, '7200'],
      [6, '60'],
    ] as const) {
      fields[index] = value
      fields[2] = String((await serialOf(zone.id)) + 1)
      const doneResponse = await as.put(`${path}/records/${soa.id}`, { content: fields.join(' ') })
      doneResponse.assertStatus(200)
    }
    for (const entry of [3, 2]) {
      const serial = await serialOf(zone.id)
      const response = await undo(as, zone, entry)
      response.assertStatus(200)
      assert.equal(await serialOf(zone.id), serial + 1)
    }
    assert.deepEqual(await contentsOf(zone), before)
  })

  test('undo of thirty random changes in reverse order restores every byte', async ({ assert }) => {
    for (const seed of [1, 2, 3]) {
      const random = new Random(seed)
      const before = await contentsOf(zone)
      const first = await newest(zone)
      for (let i = 0; i < 30; i++) {
        await randomChange(random)
      }
      const last = await newest(zone)
      assert.isAbove(last, first + 10)
      for (let entry = last; entry > first; entry--) {
        const response = await undo(as, zone, entry)
        response.assertStatus(200)
      }
      assert.deepEqual(await contentsOf(zone), before, `seed ${seed}`)
    }
  }).timeout(120_000)

  async function randomChange(random: Random): Promise<void> {
    const records = await dataOf(as.get(`${path}/records`), 'records')
    const editable = records.filter(({ type }: { type: string }) => type !== 'SOA')
    const name = random.pick(['@', 'a', 'b', 'c.d', '*', 'x.y.z'])
    const address = `192.0.2.${random.below(6)}`
    const ttl = random.pick([60, 300])
    const { id } = editable.length > 0 ? random.pick<{ id: string }>(editable) : { id: '0' }
    const steps = [
      () => as.post(`${path}/records`, { name, type: 'A', content: address, ttl }),
      () => as.post(`${path}/records`, { name, type: 'TXT', content: `t${address}`, ttl }),
      () =>
        as.post(`${path}/records`, { name, type: 'MX', content: 'm.example', priority: 7, ttl }),
      () => as.put(`${path}/records/${id}`, { ttl, disabled: random.chance(0.3) }),
      () => as.put(`${path}/records/${id}`, { name }),
      () => as.delete(`${path}/records/${id}`),
      () => set(name, 'AAAA', ttl, '2001:db8::1', `2001:db8::${random.below(9)}2`),
      () => as.put(path, { description: `d${random.below(3)}` }),
    ]
    const response = await random.pick(steps)()
    if (response.status() >= 500) throw new Error(response.text())
  }

  test('a conflict lists later changes and their entries', async ({ assert }) => {
    await set('www', 'A', 300, '192.0.2.1')
    await set('www', 'A', 300, '192.0.2.2')
    await createRecord(as, zone, { ...A, name: 'beside' })
    await set('www', 'A', 300, '192.0.2.3')
    const before = await stateOf(zone.id)
    const response = await undo(as, zone, 3)
    response.assertStatus(409)
    assert.deepEqual(response.body().data.conflicts, [
      { name: `www.${zone.name}`, type: 'A', entry: 5 },
    ])
    assert.include(response.body().message, `www.${zone.name} A`)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a conflict lists changes across renames and of properties', async ({ assert }) => {
    await set('www', 'A', 300, '192.0.2.1')
    await as.put(path, { name: zoneNamed('b') })
    await set('www', 'A', 300, '192.0.2.2')
    const last = zoneNamed('c')
    await as.put(path, { name: last })
    const record = await undo(as, zone, 2)
    record.assertStatus(409)
    const conflict = { name: `www.${last}`, type: 'A', entry: 4 }
    assert.deepEqual(record.body().data.conflicts, [conflict])
    const rename = await undo(as, zone, 3)
    rename.assertStatus(409)
    assert.deepEqual(rename.body().data.conflicts, [
      { name: last, type: '', property: 'name', entry: 5 },
    ])
  }).tags(['@sql'])

  test('undo of a record uses the current name of the zone', async ({ assert }) => {
    await createRecord(as, zone, A)
    const name = zoneNamed('renamed')
    await as.put(path, { name })
    const response = await undo(as, zone, 2)
    response.assertStatus(200)
    const rows = await contentsOf(zone)
    assert.notInclude(rows.join(' '), `www.${name}`)
    assert.include(rows.join(' '), name)
  }).tags(['@sql'])

  test('undo of a rename is refused if the old name is taken', async () => {
    await as.put(path, { name: zoneNamed('moved') })
    await createZone(as, { name: zone.name })
    const response = await undo(as, zone, 2)
    response.assertStatus(409)
  }).tags(['@sql'])

  test('undo refuses the entries of creation and deletion, and missing entries', async ({
    assert,
  }) => {
    const creation = await undo(as, zone, 1)
    creation.assertStatus(409)
    assert.include(creation.body().message, 'delete the zone')
    const missing = await undo(as, zone, 7)
    missing.assertStatus(404)
    const zero = await undo(as, zone, 0)
    zero.assertStatus(404)
  })

  test('a second undo conflicts with the first', async ({ assert }) => {
    await createRecord(as, zone, A)
    await undo(as, zone, 2)
    const response = await undo(as, zone, 2)
    response.assertStatus(409)
    assert.equal(response.body().data.conflicts[0].entry, 3)
  })

  test('undo refuses a state that breaks a rule of the zone', async ({ assert }) => {
    const alias = await set('www', 'CNAME', 300, 'a.example')
    alias.assertStatus(200)
    await as.delete(`${path}/rrsets/www/CNAME`)
    await createRecord(as, zone, A)
    const before = await stateOf(zone.id)
    const response = await undo(as, zone, 3)
    response.assertStatus(400)
    assert.include(response.body().message, 'a CNAME must be the only record of its name')
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('undo of a change with a PTR record changes both zones, each with its own entry', async ({
    assert,
  }) => {
    const block = 100 + Math.floor(Math.random() * 100)
    const reverse = await createZone(as, { name: `${block}.${zone.id % 250}.10.in-addr.arpa` })
    const created = await as.post(`${path}/records`, {
      ...A,
      content: `10.${zone.id % 250}.${block}.5`,
      create_ptr: true,
    })
    created.assertStatus(201)
    const pointers = await contentsOf(reverse)
    const response = await undo(as, zone, 2)
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(reverse), pointers)
    const otherResponse = await undo(as, reverse, 2)
    otherResponse.assertStatus(200)
    assert.lengthOf(await contentsOf(reverse), pointers.length - 1)
  })

  test('undo of an external change restores invalid contents unchanged', async ({ assert }) => {
    await as.get(`${path}/history`)
    await writeExternally(
      zone,
      { name: 'odd', type: 'A', content: 'not an address', ttl: -5 },
      { name: 'odd', type: 'TYPE65400', content: 'what is this' },
      { name: 'sp ace', type: 'TXT', content: '"in quotes"' },
      { name: 'sig', type: 'RRSIG', content: 'A 8 2 300 x' },
      { name: 'odd', type: 'MX', content: 'Mail.Example.', prio: 9, disabled: true }
    )
    await historyEntries(as, zone)
    const odd = await contentsOf(zone)
    await externalRows(zone, 'odd').delete()
    await externalRows(zone, 'sp ace').delete()
    await externalRows(zone, 'sig').delete()
    const [deleted] = await historyEntries(as, zone)
    assert.equal(deleted.channel, 'external')
    const response = await undo(as, zone, deleted.entry)
    response.assertStatus(200)
    // The product writes host names in lower case and without a final dot.
    const expected = odd.map((row) => row.replace('Mail.Example.', 'mail.example'))
    assert.deepEqual(await contentsOf(zone), expected.sort())
    const secondResponse = await undo(as, zone, deleted.entry + 1)
    secondResponse.assertStatus(200)
    assert.lengthOf(await contentsOf(zone), odd.length - 5)
  }).tags(['@sql'])

  test('concurrent undo and external changes are both kept', async ({ assert }) => {
    await createRecord(as, zone, A)
    await externalRows(zone, 'www').update({ content: '192.0.2.99' })
    const before = await contentsOf(zone)
    const response = await undo(as, zone, 2)
    response.assertStatus(409)
    assert.deepEqual(response.body().data.conflicts, [
      { name: `www.${zone.name}`, type: 'A', entry: 3 },
    ])
    assert.deepEqual(await contentsOf(zone), before)
    const restoreResponse = await restore(as, zone, { entry: 2 })
    restoreResponse.assertStatus(200)
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ channel }) => channel),
      ['api', 'api', 'external', 'api']
    )
  })
})
