// @databases @api-backend
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, dataOf, expectStatus } from '#tests/support/app/api'
import { add, records, changeScene, type Scene } from '#tests/support/app/changes'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { lastEntryOf, rowCounts, serialOf, stateOf } from '#tests/support/app/zones/zones'

let admin: Person
let as: Scene['as']
let alpha: Scene['alpha']
let beta: Scene['beta']
let change: Scene['change']
let rrset: Scene['rrset']
let bothStates: Scene['bothStates']
let plan: Scene['plan']

async function setUp(client: ApiClient) {
  ;({ as, alpha, beta, change, rrset, bothStates, plan } = await changeScene(client, admin))
}

test.group('Change sets', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  test('a removed record stays removed if an earlier action added it again', async ({ assert }) => {
    await createRecord(as, alpha, { name: 'twice', type: 'A', content: '192.0.2.1' })
    await createRecord(as, alpha, { name: 'twice', type: 'A', content: '192.0.2.2' })
    const name = `twice.${alpha.name}`
    const again = [{ content: '192.0.2.1', priority: 0, disabled: true }]
    const response = await change([
      { op: 'add', name, type: 'A', ttl: 300, records: again },
      { op: 'remove', name, type: 'A', records: [{ content: '192.0.2.1', priority: 0 }] },
    ])
    response.assertStatus(201)
    const left = await rrset(alpha, 'twice', 'A')
    assert.deepEqual(
      left.records.map(({ content }: { content: string }) => content),
      ['192.0.2.2']
    )
  })

  test('every refused action is listed, in any zone', async ({ assert }) => {
    const before = await bothStates()
    const errorsOf = async (actions: object[], status: number): Promise<string[]> => {
      const response = await change(actions)
      response.assertStatus(status)
      const { data, message } = response.body()
      assert.equal(data.errors[0], message)
      return data.errors
    }
    const errorFields = await errorsOf(
      [add('@', '192.0.2.1'), add(`ok.${alpha.name}`, '192.0.2.1'), add('a..b', '192.0.2.1')],
      400
    )
    assert.lengthOf(errorFields, 2)
    const nowhere = await errorsOf(
      [add('a.nowhere.test', '192.0.2.1'), add('b.nowhere.test', '192.0.2.1')],
      404
    )
    assert.deepEqual(
      nowhere.map((text) => /^Action (\d) \(add \w\.nowhere\.test A\): /.exec(text)?.[1]),
      ['0', '1']
    )
    const contents = await errorsOf(
      [
        add(`x.${alpha.name}`, 'bad'),
        add(`ok.${alpha.name}`, '192.0.2.1'),
        add(`y.${alpha.name}`, 'worse'),
      ],
      400
    )
    assert.deepEqual(
      contents.map((text) => /^Action (\d)/.exec(text)?.[1]),
      ['0', '2']
    )
    assert.deepEqual(await bothStates(), before)
  })

  test('actions on several zones are one change, with one serial and one entry per zone', async ({
    assert,
  }) => {
    await createRecord(as, alpha, { name: 'old', type: 'A', content: '192.0.2.9' })
    await createRecord(as, alpha, { name: 'old', type: 'A', content: '192.0.2.8' })
    await createRecord(as, beta, { name: 'gone', type: 'TXT', content: 'x' })
    const before = await bothStates()
    const serials = [await serialOf(alpha.id), await serialOf(beta.id)]
    const response = await change(
      [
        add(`www.${alpha.name}`, '192.0.2.7', { ttl: 300, expect: 'absent' }),
        {
          op: 'set',
          name: `${alpha.name}.`,
          type: 'mx',
          ttl: 3600,
          records: [{ content: 'mx1.test', priority: 10 }],
        },
        { op: 'remove', name: `OLD.${alpha.name}`, type: 'A', records: records('192.0.2.9') },
        { op: 'clear', name: `gone.${beta.name}`, type: 'TXT', expect: 'present' },
      ],
      { reason: 'ticket 12' }
    )
    response.assertStatus(201)
    const { zones } = response.body().data.change
    assert.deepEqual(
      zones.map((zone: Record<string, unknown>) => [
        zone.zone_id,
        zone.zone_name,
        zone.serial_before,
        zone.serial_after,
      ]),
      [
        [alpha.id, alpha.name, serials[0], serials[0] + 1],
        [beta.id, beta.name, serials[1], serials[1] + 1],
      ]
    )
    assert.deepEqual(zones[1].changes, [
      {
        name: `gone.${beta.name}`,
        type: 'TXT',
        before: { ttl: 86400, records: [{ content: 'x', priority: 0, disabled: false }] },
        after: null,
        operations: ['delete'],
      },
    ])
    for (const [index, zone] of [alpha, beta].entries()) {
      const { journal } = await stateOf(zone.id)
      assert.lengthOf(journal, before[index].journal.length + 1)
      assert.containsSubset(await lastEntryOf(zone.id), {
        entry: zones[index].entry,
        reason: 'ticket 12',
      })
    }
    assert.deepEqual(await rrset(alpha, 'old', 'A', 'records.0.content'), '192.0.2.8')
    assert.deepEqual(await rrset(alpha, '@', 'MX', 'records.0.priority'), 10)
  })

  for (const [what, status, bad, expectedMessage] of [
    ['a content that is none', 400, () => add(`x.${beta.name}`, 'bad'), /Action 1 .*content/],
    ['a name in no zone', 404, () => add('www.nowhere.invalid', '192.0.2.1'), /Action 1 .*no zone/],
    [
      'a missing zone',
      404,
      () => add(`x.${beta.name}`, '192.0.2.1', { zone_id: 999999999 }),
      /Action 1/,
    ],
    [
      'a zone that does not hold the name',
      400,
      () => add(`x.${beta.name}`, '192.0.2.1', { zone_id: alpha.id }),
      /Action 1 .*must be in the zone/,
    ],
    ['a record that is there', 409, () => add(`a.${alpha.name}`, '192.0.2.1'), /Action 1 .*twice/],
    [
      'the same record twice',
      409,
      () => add(`b.${beta.name}`, '192.0.2.1', { records: records('192.0.2.1', '192.0.2.1') }),
      /Action 1 .*twice/,
    ],
    [
      'a CNAME beside an A',
      400,
      () => ({ ...add(`a.${alpha.name}`, 'x.test'), type: 'CNAME' }),
      /Action 1 .*CNAME/,
    ],
    [
      'the end of the SOA record',
      400,
      () => ({ op: 'clear', name: beta.name, type: 'SOA' }),
      /Action 1 .*SOA/,
    ],
    [
      'an unknown type',
      400,
      () => ({ ...add(`x.${beta.name}`, 'x'), type: 'NOPE' }),
      /Action 1 .*type/,
    ],
    ['@ as a name', 400, () => add('@', '192.0.2.1'), /Action 1 .*name/],
    [
      'a zone id of nothing',
      404,
      () => add(`x.${beta.name}`, '192.0.2.1', { zone_id: -1 }),
      /Action 1/,
    ],
  ] as [string, number, () => object, RegExp][]) {
    test(`${what} refuses the whole change set with ${status} and names the action`, async ({
      assert,
    }) => {
      await createRecord(as, alpha, { name: 'a', type: 'A', content: '192.0.2.1' })
      const before = await bothStates()
      const good = add(`fine.${alpha.name}`, '192.0.2.1')
      for (const more of [{}, { dry_run: true }]) {
        const response = await change([good, bad(), add(`f.${beta.name}`, '192.0.2.1')], more)
        response.assertStatus(status)
        assert.match(response.body().message, expectedMessage)
        assert.deepEqual(response.body().data, { errors: [response.body().message] })
        assert.deepEqual(await bothStates(), before)
      }
    })
  }

  for (const [what, body] of [
    ['no actions', { reason: 'x' }],
    ['an empty list', { actions: [] }],
    ['an object', { actions: {} }],
    ['texts', { actions: ['add'] }],
    ['an unknown op', { actions: [{ op: 'replace', name: 'a.test', type: 'A' }] }],
    ['an op in upper case', { actions: [{ op: 'CLEAR', name: 'a.test', type: 'A' }] }],
    ['no name', { actions: [{ op: 'clear', type: 'A' }] }],
    ['no type', { actions: [{ op: 'clear', name: 'a.test' }] }],
    ['add without records', { actions: [{ op: 'add', name: 'a.test', type: 'A' }] }],
    ['set with no content', { actions: [{ op: 'set', name: 'a.test', type: 'A', records: [{}] }] }],
    [
      'an unknown expectation',
      { actions: [{ op: 'clear', name: 'a.test', type: 'A', expect: 'x' }] },
    ],
    [
      'too many actions',
      { actions: Array(10_001).fill({ op: 'clear', name: 'a.test', type: 'A' }) },
    ],
    [
      'a zone id that is a list',
      { actions: [{ op: 'clear', name: 'a.test', type: 'A', zone_id: [1] }] },
    ],
    [
      'a plan hash that is a number',
      { actions: [{ op: 'clear', name: 'a.test', type: 'A' }], plan_hash: 5 },
    ],
    [
      'a dry run of perhaps',
      { actions: [{ op: 'clear', name: 'a.test', type: 'A' }], dry_run: 'x' },
    ],
  ] as [string, object][]) {
    test(`${what} is not a change set: 400`, async ({ assert }) => {
      const before = await rowCounts()
      const response = await as.post('/changes', body)
      response.assertStatus(400)
      assert.match(response.body().message, /^Field '/)
      assert.deepEqual(await rowCounts(), before)
    })
  }

  test('removing and clearing missing records changes nothing', async ({ assert }) => {
    await createRecord(as, alpha, { name: 'a', type: 'MX', content: 'mx.test', priority: 5 })
    const before = await bothStates()
    const response = await change([
      { op: 'remove', name: `none.${alpha.name}`, type: 'A', records: records('192.0.2.1') },
      {
        op: 'remove',
        name: `a.${alpha.name}`,
        type: 'MX',
        records: [{ content: 'mx.test', priority: 6 }],
      },
      { op: 'remove', name: `a.${alpha.name}`, type: 'MX', records: records('not a host') },
      { op: 'clear', name: `none.${beta.name}`, type: 'A' },
    ])
    response.assertStatus(201)
    for (const zone of response.body().data.change.zones) {
      assert.deepEqual(zone.changes, [])
      assert.isNull(zone.entry)
      assert.equal(zone.serial_before, zone.serial_after)
    }
    assert.deepEqual(await bothStates(), before)
  })

  test('a removal without a priority matches any priority', async ({ assert }) => {
    const { name } = alpha
    const of = (type: string, ...items: object[]) => ({ name, type, records: items })
    const mail = (priority: number) => ({ content: 'mx.test', priority })
    const host = { content: 'svc.test' }
    const created = await change([
      { op: 'add', ...of('MX', mail(10), mail(20), { content: 'other.test', priority: 10 }) },
      { op: 'add', ...of('NS', host) },
    ])
    created.assertStatus(201)
    const planned = await plan([
      { op: 'remove', ...of('MX', { ...mail(20) }) },
      { op: 'remove', ...of('NS', { content: 'SVC.test.' }) },
    ])
    const [mx, ns] = planned.zones[0].changes
    assert.isNull(ns.after)
    assert.lengthOf(mx.after.records, 2)
    await expectStatus(change([{ op: 'remove', ...of('MX', { content: 'MX.test.' }) }]), 201)
    const left = await rrset(alpha, '@', 'MX', 'records')
    assert.deepEqual(
      left.map(({ content }: { content: string }) => content),
      ['other.test']
    )
  })

  test('actions are applied in order', async ({ assert }) => {
    const name = `x.${alpha.name}`
    const response = await change([
      add(name, '192.0.2.1'),
      { op: 'clear', name, type: 'A' },
      { ...add(name, 'y.test'), type: 'CNAME' },
    ])
    response.assertStatus(201)
    assert.equal(await rrset(alpha, 'x', 'CNAME', 'records.0.content'), 'y.test')
    await expectStatus(as.get(`/zones/${alpha.id}/rrsets/x/A`), 404)
  })

  test('an action without a TTL keeps the TTL of the RRset; an action with a TTL sets it', async ({
    assert,
  }) => {
    await createRecord(as, alpha, { name: 't', type: 'A', content: '192.0.2.1', ttl: 77 })
    const name = `t.${alpha.name}`
    await expectStatus(change([add(name, '192.0.2.2')]), 201)
    assert.equal(await rrset(alpha, 't', 'A', 'ttl'), 77)
    await expectStatus(change([{ ...add(name, '192.0.2.3'), op: 'set' }]), 201)
    assert.equal(await rrset(alpha, 't', 'A', 'ttl'), 77)
    await expectStatus(change([add(name, '192.0.2.4', { ttl: 5 })]), 201)
    assert.equal(await rrset(alpha, 't', 'A', 'ttl'), 5)
  })

  test('a record goes to the closest zone that the caller sees', async ({ client, assert }) => {
    const owner = await person({ template: 'Zone Manager' })
    const parent = await createZone(as, { name: zoneNamed('parent'), owner_user_id: owner.id })
    const child = await createZone(as, { name: `child.${parent.name}`, owner_user_id: owner.id })
    const hidden = await createZone(as, { name: `hidden.${parent.name}` })
    const asMember = caller(client, owner)
    const zonesOf = async (name: string, overrides: object = {}, asUser = asMember) => {
      const zones = await dataOf(
        change([add(name, '192.0.2.1', overrides)], { dry_run: true }, asUser),
        'plan.zones'
      )
      return zones.map(({ zone_id: id }: { zone_id: number }) => id)
    }
    assert.deepEqual(await zonesOf(`www.${parent.name}`), [parent.id])
    assert.deepEqual(await zonesOf(`www.child.${parent.name}`), [child.id])
    assert.deepEqual(await zonesOf(`WWW.Child.${parent.name}.`), [child.id])
    assert.deepEqual(await zonesOf(`www.hidden.${parent.name}`), [parent.id])
    assert.deepEqual(await zonesOf(`www.hidden.${parent.name}`, {}, as), [hidden.id])
    assert.deepEqual(await zonesOf(`www.child.${parent.name}`, { zone_id: parent.id }), [parent.id])
    const refused = await change(
      [add(`w.${hidden.name}`, '192.0.2.1', { zone_id: hidden.id })],
      {},
      asMember
    )
    const missing = await change(
      [add(`w.${hidden.name}`, '192.0.2.1', { zone_id: 999999999 })],
      {},
      asMember
    )
    refused.assertStatus(404)
    assert.deepEqual(refused.body(), missing.body())
  })

  test('a DS record belongs to the parent zone', async ({ assert }) => {
    const child = await createZone(as, { name: `child.${alpha.name}` })
    const ds = {
      op: 'add',
      name: child.name,
      type: 'ds',
      records: records(`12345 13 2 ${'ab'.repeat(32)}`),
    }
    await expectStatus(
      change([
        { op: 'add', name: child.name, type: 'NS', zone_id: alpha.id, records: records('ns.test') },
        ds,
      ]),
      201
    )
    assert.equal(await rrset(alpha, 'child', 'DS', 'name'), 'child')
    await expectStatus(as.get(`/zones/${child.id}/rrsets/@/DS`), 404)
  })

  test('names in Unicode, wildcards and full stops of other scripts are accepted', async ({
    assert,
  }) => {
    await expectStatus(
      change([
        add(`bücher.${alpha.name}`, '192.0.2.1'),
        add(`*.${alpha.name}`, '192.0.2.1'),
        add(`ideo。${alpha.name}。`, '192.0.2.1'),
      ]),
      201
    )
    for (const name of ['xn--bcher-kva', '*', 'ideo']) {
      assert.equal(await rrset(alpha, name, 'A', 'name'), name)
    }
  })

  test('other methods get 405', async ({ client }) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await client.request('/api/v2/changes', method)
      response.assertStatus(405)
    }
  })

  test('4000 actions over two zones take seconds', async ({ assert }) => {
    const actions = Array.from({ length: 4_000 }, (_, i) =>
      add(`h${i}.${i % 2 ? alpha.name : beta.name}`, '192.0.2.1', { expect: 'absent' })
    )
    const started = performance.now()
    const response = await change(actions).timeout(120_000)
    response.assertStatus(201)
    const seconds = (performance.now() - started) / 1000
    assert.isBelow(seconds, 60)
    console.log(`      4000 actions: ${seconds.toFixed(1)} s`)
  }).timeout(150_000)
})
