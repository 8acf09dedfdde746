// @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
  type Team,
} from '#tests/support/app/people/people'

interface Reason {
  rule: string
  message: string
  source: string
}

let admin: Person
let asAdmin: Caller
let zone: { id: number; name: string }
let editors: Team
let viewers: Team
let member: Person

/** Creates a zone of a group of viewers. Its member may edit through another group. */
async function setUp(client: ApiClient) {
  admin = await administrator()
  asAdmin = caller(client, admin)
  editors = await createTeam(['zone_content_edit_own', 'zone_content_view_own'])
  viewers = await createTeam(['zone_content_view_own'])
  member = await person({ groups: [editors.name, viewers.name] })
  zone = await createZone(asAdmin, { name: zoneNamed(), group_ids: [viewers.id] })
}

/** Sources of rights. Another reason says that the key allows the operation. */
const grants = (reasons: Reason[]) =>
  reasons.filter(({ rule }) => rule === 'permission').map(({ source }) => source)
const sources = (reasons: Reason[]) => reasons.map(({ source }) => source)

test.group('Explain', (group) => {
  group.each.setup((t) => setUp(t.context.client))

  const ask = (as: Caller, query: string) => as.get(`/explain?${query}`)

  test('GET /explain names the template or group of a right', async ({ client, assert }) => {
    const as = caller(client, member)
    const view = await dataOf(ask(as, `action=zone.view&zone_id=${zone.id}`))
    assert.equal(view.decision, 'allow')
    assert.deepEqual(grants(view.reasons), [`zone_content_view_own from group '${viewers.name}'`])

    await db.table('zw_zone_groups').insert({
      zone_id: zone.id,
      group_id: editors.id,
      created_at: new Date().toISOString(),
    })
    const both = await dataOf(ask(as, `action=zone.view&zone_id=${zone.id}`))
    assert.sameMembers(grants(both.reasons), [
      `zone_content_view_own from group '${viewers.name}'`,
      `zone_content_view_own from group '${editors.name}'`,
    ])
    const all = await dataOf(ask(asAdmin, `action=zone.delete&zone_id=${zone.id}`))
    assert.include(grants(all.reasons), "user_is_ueberuser from template 'Administrator'")
  })

  test('a right of one group does not apply to the zone of another group', async ({
    client,
    assert,
  }) => {
    const as = caller(client, member)
    const query = `action=rrset.write&zone_id=${zone.id}&name=www&type=A`
    const { decision, reasons } = await dataOf(ask(as, query))
    assert.equal(decision, 'deny')
    const reach = reasons.find(({ rule }: Reason) => rule === 'ownership')
    assert.equal(reach.source, `zone_content_edit_own from group '${editors.name}'`)
    assert.include(reach.message, 'the group does not own it')
    const write = { name: 'www', type: 'A', content: '192.0.2.1' }
    await expectStatus(as.post(`/zones/${zone.id}/records`, write), 403)
  })

  test('the explanation matches the decision of every channel', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const ownZone = await createZone(caller(client, manager), { name: zoneNamed() })
    const patterns = [{ name: `*.dyn.${ownZone.name}`, types: ['A'] }]
    const callers = [
      await keyFor(manager),
      await keyFor(manager, { readOnly: true }),
      await keyFor(manager, { zones: [ownZone] }),
      await keyFor(manager, { patterns }),
      { key: member.key },
    ]
    const record = (name: string, type: string, content: string) => (as: Caller) =>
      as.post(`/zones/${ownZone.id}/records?dry_run=true`, { name, type, content })
    const channels: [string, (as: Caller) => ReturnType<Caller['get']>][] = [
      [`zone.view&zone_id=${ownZone.id}`, (as) => as.get(`/zones/${ownZone.id}`)],
      [`zone.view_history&zone_id=${ownZone.id}`, (as) => as.get(`/zones/${ownZone.id}/history`)],
      [`rrset.write&zone_id=${ownZone.id}&name=a.dyn&type=A`, record('a.dyn', 'A', '192.0.2.1')],
      [`rrset.write&zone_id=${ownZone.id}&name=a&type=txt`, record('a', 'TXT', 'x')],
      [`rrset.write&zone_id=${ownZone.id}&name=a&type=LUA`, record('a', 'LUA', 'A "ifportup(1)"')],
      [
        `zone.edit_description&zone_id=${ownZone.id}`,
        (as) => as.put(`/zones/${ownZone.id}?dry_run=true`, { description: 'x' }),
      ],
      [
        'zone.create',
        (as) => as.post('/zones?dry_run=true', { name: zoneNamed(), type: 'MASTER' }),
      ],
      ['api_key.list', (as) => as.get('/api-keys')],
      ['zone.delete&zone_id=' + ownZone.id, (as) => as.delete(`/zones/${ownZone.id}?dry_run=true`)],
    ]
    for (const [index, key] of callers.entries()) {
      const as = caller(client, key)
      for (const [question, channel] of channels) {
        const explanation = await ask(as, `action=${question}`)
        const answer = await channel(as)
        const status = answer.status()
        if (explanation.status() !== 200) {
          assert.deepEqual([explanation.status(), status], [404, 404], question)
          continue
        }
        const { decision, reasons } = explanation.body().data
        const what = `caller ${index}: ${question}: ${JSON.stringify(reasons)}`
        assert.equal(decision, status < 300 ? 'allow' : 'deny', what)
        assert.isAbove(reasons.length, 0)
      }
    }
  })

  test('users who see other users may explain them, and nobody may explain hidden zones', async ({
    client,
    assert,
  }) => {
    const { id } = member
    const query = `action=zone.view&zone_id=${zone.id}&user_id=${id}`
    const stranger = caller(client, await person())
    await expectStatus(ask(stranger, `action=zone.create&user_id=${id}`), 403)
    await expectStatus(ask(stranger, 'action=zone.create&user_id=2147483646'), 403)

    const clerk = caller(client, await person({ permissions: ['user_view_others'] }))
    await expectStatus(ask(clerk, `action=zone.create&user_id=${id}`), 200)
    const hidden = await ask(clerk, query)
    const missing = await ask(clerk, query.replace(`zone_id=${zone.id}`, 'zone_id=2147483646'))
    hidden.assertStatus(404)
    assert.deepEqual(hidden.body(), missing.body())
    const deleted = await ask(clerk, 'action=zone.create&user_id=2147483646')
    deleted.assertStatus(404)

    const answer = await dataOf(ask(asAdmin, query))
    assert.equal(answer.decision, 'allow')
    assert.deepEqual(answer.user, { id, username: member.username })
    const outsider = await person()
    const denied = await dataOf(
      ask(asAdmin, `action=zone.view&zone_id=${zone.id}&user_id=${outsider.id}`)
    )
    assert.equal(denied.decision, 'deny')
    assert.include(
      denied.reasons.map(({ rule }: Reason) => rule),
      'hidden'
    )
    await db.from('zw_users').where('id', id).update({ active: false })
    const inactive = await dataOf(ask(asAdmin, query))
    assert.equal(inactive.decision, 'deny')
    assert.equal(inactive.reasons[0].rule, 'account')
  })

  test('owners and administrators may explain keys', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const as = caller(client, manager)
    const ownZone = await createZone(as, { name: zoneNamed() })
    const { id } = await keyFor(manager, { readOnly: true })
    const query = `action=zone.delete&zone_id=${ownZone.id}&api_key_id=${id}`
    for (const asUser of [as, asAdmin]) {
      const { decision, reasons, api_key_id: keyId } = await dataOf(ask(asUser, query))
      assert.equal(decision, 'deny')
      assert.equal(keyId, id)
      assert.deepEqual(sources(reasons), [`API key ${id}`])
    }
    const allowed = await dataOf(
      ask(as, `action=zone.delete&zone_id=${ownZone.id}&user_id=${manager.id}`)
    )
    assert.equal(allowed.decision, 'allow')
    const asOther = caller(client, await person({ template: 'Zone Manager' }))
    const foreign = await ask(asOther, `action=zone.create&api_key_id=${id}`)
    const missing = await ask(asOther, 'action=zone.create&api_key_id=2147483646')
    foreign.assertStatus(404)
    assert.deepEqual(foreign.body(), missing.body())
    await expectStatus(ask(as, `${query}&user_id=${admin.id}`), 403)
    await expectStatus(ask(asAdmin, `${query}&user_id=${admin.id}`), 404)
    await db.from('zw_api_keys').where('id', id).update({ enabled: false })
    const state = await dataOf(ask(as, `action=zone.view&zone_id=${ownZone.id}&api_key_id=${id}`))
    assert.equal(state.decision, 'deny')
    assert.equal(state.reasons[0].rule, 'key-state')
  })

  for (const [query, told] of [
    ['', 'zone.view, zone.view_history'],
    ['action=zone.explode', 'zone.view, zone.view_history'],
    ['action=constructor', 'zone.view, zone.view_history'],
    ['action=zone.view', 'zone_id'],
    ['action=rrset.write&zone_id=1', 'name'],
    ['action=zone.create&type=FOREST', 'MASTER'],
    ['action=zone.create&user_id=me', 'user_id'],
    ['action=zone.view&zone_id=-1', 'zone_id'],
  ]) {
    test(`'${query}' gets 400 with the allowed values`, async ({ assert }) => {
      const response = await ask(asAdmin, query)
      response.assertStatus(400)
      assert.include(response.body().message, told)
    })
  }
})
