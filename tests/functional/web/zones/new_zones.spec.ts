import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { approval } from '#access/approval'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { createChangeRequest, owner } from '#tests/support/app/review'
import { statementsOf } from '#tests/support/app/database/statements'
import { signedIn, type WebClient } from '#tests/support/web/client'
import { fieldOf } from '#tests/support/web/review'

let admin: Person
let as: Caller
let client: WebClient
let word: string

const zoneOf = (name: string): Promise<Record<string, unknown> | null> =>
  db.from('zw_zones').where('name', name).whereNotNull('kind').first()

const named = (label: string) => `${label}.${word}.test`

test.group('New zones in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    client = await signedIn(admin)
  })

  const make = (fields: Record<string, string | string[]>, visitor = client) =>
    visitor.post('/zones/new', { kind: 'MASTER', ...fields })

  test('a zone is created and shown', async ({ assert }) => {
    const page = await make({ names: ` ${named('One')} `, kind: 'NATIVE', description: '<b>x' })
    const row = await zoneOf(named('one'))
    assert.deepEqual([page.status, page.location], [303, `/zones/${Number(row?.id)}`])
    assert.deepEqual([row?.kind, row?.description], ['NATIVE', '<b>x'])
  })

  test('many zones are created separately, and refused names stay in the form', async ({
    assert,
  }) => {
    await createZone(as, { name: named('there') })
    const octet = Math.floor(Math.random() * 250)
    const second = Math.floor(Math.random() * 250)
    const network = `10.${octet}.${second}.0/24`
    const names = [
      named('a'),
      named('there'),
      network,
      `10.${octet}.${second}.1/24`,
      '<i>bad',
      named('b'),
      named('a'),
    ]
    const page = await make({ names: names.join('\n') })
    assert.equal(page.status, 422)
    assert.include(page.html, '3 zones created')
    assert.include(page.html, 'Domain already exists')
    assert.include(page.html, 'has bits set beyond its prefix')
    assert.notInclude(page.html, '<i>bad')
    const left = /<textarea[^>]*>([^<]*)</.exec(page.html)?.[1] ?? ''
    assert.deepEqual(left.trim().split('\n'), [
      named('there'),
      `10.${octet}.${second}.1/24`,
      '&lt;i&gt;bad',
    ])
    for (const name of [named('a'), named('b'), `${second}.${octet}.10.in-addr.arpa`]) {
      assert.isNotNull(await zoneOf(name), name)
    }
  })

  test('a secondary zone gets its primaries', async ({ assert }) => {
    const without = await make({ names: named('s'), kind: 'SLAVE' })
    assert.equal(without.status, 422)
    assert.include(without.html, 'requires at least one master')
    assert.isNull(await zoneOf(named('s')))
    await make({ names: named('s'), kind: 'SLAVE', masters: '192.0.2.1, 2001:db8::1' })
    const row = await zoneOf(named('s'))
    const shown = await as.get(`/zones/${Number(row?.id)}`)
    assert.include(JSON.stringify(shown.body()), '2001:db8::1')
  })

  test("owners are the selected ones, limited by the user's rights", async ({ assert }) => {
    const newOwner = await person()
    const { id: teamId } = await createTeam(['zone_content_view_own'])
    await make({ 'names': named('g'), 'owner': newOwner.username, 'groups[]': String(teamId) })
    const row = await zoneOf(named('g'))
    const users = await db.from('zw_zone_owners').where('zone_id', Number(row?.id))
    const groups = await db.from('zw_zone_groups').where('zone_id', Number(row?.id))
    assert.deepEqual([users[0].user_id, groups[0].group_id], [newOwner.id, teamId])
    const maker = await signedIn(
      await person({ permissions: ['zone_master_add', 'zone_content_view_own'] })
    )
    const form = await maker.get('/zones/new')
    assert.notInclude(form.html, 'name="owner"')
    assert.notInclude(form.html, 'value="SLAVE"')
    const foreign: Record<string, string>[] = [
      { owner: newOwner.username },
      { 'groups[]': String(teamId) },
      { kind: 'SLAVE', masters: '192.0.2.1' },
    ]
    for (const more of foreign) {
      const refused = await make({ names: named('no'), ...more }, maker)
      assert.equal(refused.status, 403, JSON.stringify(more))
      assert.isNull(await zoneOf(named('no')))
    }
    const unknown = await make({ names: named('no'), owner: 'nobody-of-that-name' })
    assert.equal(unknown.status, 422)
  })

  test('a user who may not create zones is redirected', async ({ assert }) => {
    const viewer = await signedIn(await person({ permissions: ['zone_content_view_own'] }))
    assert.equal(await viewer.statusOf('/zones/new'), 403)
    const refused = await viewer.post(
      '/zones/new',
      { kind: 'MASTER', names: named('x') },
      { from: '/zones' }
    )
    assert.equal(refused.status, 403)
    assert.isNull(await zoneOf(named('x')))
    const list = await viewer.get('/zones')
    assert.notInclude(list.html, '/zones/new')
  })

  test('errors are shown at their field', async ({ assert }) => {
    for (const fields of [
      { names: '' },
      { names: ' \n ' },
      { names: Array.from({ length: 201 }, (_, index) => `n${index}.${word}.test`).join('\n') },
      { names: named('x'), kind: 'PRODUCER' },
      { names: named('x'), template: '999999' },
      { names: named('x'), template: 'x' },
      { names: '192.0.2.0/33' },
      { names: '2001:db8::/33' },
      { names: '..' },
    ] as Record<string, string>[]) {
      const page = await make(fields)
      assert.equal(page.status, 422, JSON.stringify(fields).slice(0, 80))
    }
    const page = await make({ 'names': named('x'), 'groups[]': '999999' })
    assert.equal(page.status, 404)
    assert.include(page.html, named('x'))
    assert.isNull(await zoneOf(named('x')))
  })
})

test.group('Settings and deletion of a zone in the web interface', (group) => {
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    client = await signedIn(admin)
    zone = await createZone(as, { name: named('z') })
  })

  const path = (rest: string) => `/zones/${zone.id}${rest}`

  test('name, type and description are changed unless they changed meanwhile', async ({
    assert,
  }) => {
    const form = await client.get(path('/settings'))
    const fields = {
      name: named('y'),
      type: 'NATIVE',
      account: 'us',
      description: '"><b>',
      tag: fieldOf(form, 'tag'),
    }
    const resultPage = await client.post(path('/settings'), fields)
    assert.deepEqual([resultPage.status, resultPage.location], [303, path('/settings')])
    const shown = await client.get(path('/settings'))
    assert.include(shown.html, named('y'))
    assert.include(shown.html, '&quot;&gt;&lt;b&gt;')
    assert.notInclude(shown.html, '"><b>')
    const lateSubmission = await client.post(path('/settings'), { ...fields, name: named('x') })
    assert.equal(lateSubmission.status, 412)
    const mistakes: Record<string, string>[] = [
      { name: '..' },
      { type: 'SLAVE', masters: '' },
      { type: 'X' },
      { account: 'x'.repeat(60) },
    ]
    for (const wrong of mistakes) {
      const refused = await client.post(path('/settings'), wrong)
      assert.isTrue(refused.status >= 400 && refused.status < 500, JSON.stringify(wrong))
    }
    assert.isNull(await zoneOf(named('x')))
  })

  test('owners are added and removed, except the last one', async ({ assert }) => {
    const newOwner = await person()
    await client.post(path('/owners'), { owner: newOwner.username }, { from: path('/settings') })
    const shown = await client.get(path('/settings'))
    assert.include(shown.html, newOwner.username)
    await client.post(
      path('/owners/remove'),
      { user_id: String(admin.id) },
      { from: path('/settings') }
    )
    const last = await client.post(
      path('/owners/remove'),
      { user_id: String(newOwner.id) },
      { from: path('/settings') }
    )
    assert.equal(last.status, 422)
    assert.include(last.html, 'last owner')
    const rows = await db.from('zw_zone_owners').where('zone_id', zone.id)
    assert.deepEqual(
      rows.map(({ user_id: id }) => Number(id)),
      [newOwner.id]
    )
  })

  test('readers cannot change settings', async ({ assert }) => {
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const page = await viewer.get(path('/settings'))
    assert.equal(page.status, 200)
    assert.notInclude(page.html, 'name="description"')
    assert.notInclude(page.html, admin.username)
    const from = { from: path('/settings') }
    for (const [rest, fields] of [
      ['/settings', { name: named('x') }],
      ['/settings', { description: 'x' }],
      ['/owners', { owner: admin.username }],
      ['/owners/remove', { user_id: String(admin.id) }],
      ['/delete', {}],
    ] as [string, Record<string, string>][]) {
      const refused = await viewer.post(path(rest), fields, from)
      assert.equal(refused.status, 403, rest)
    }
    assert.equal(await viewer.statusOf(path('/delete')), 403)
    const stranger = await signedIn(await person())
    for (const rest of ['/settings', '/delete']) {
      assert.equal(await stranger.statusOf(path(rest)), 404)
    }
    assert.isNotNull(await zoneOf(zone.name))
  })

  test('a zone that changed since the form was shown is not deleted', async ({ assert }) => {
    const page = await client.get(path('/delete'))
    assert.include(page.html, '1 record will be deleted')
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const lateSubmission = await client.post(path('/delete'), { tag: fieldOf(page, 'tag') })
    assert.equal(lateSubmission.status, 412)
    assert.include(lateSubmission.html, '2 records will be deleted')
    assert.isNotNull(await zoneOf(zone.name))
    const resultPage = await client.post(
      path('/delete'),
      { tag: fieldOf(lateSubmission, 'tag'), reason: 'gone' },
      { from: path('/delete') }
    )
    assert.deepEqual([resultPage.status, resultPage.location], [303, '/zones'])
    assert.isNull(await zoneOf(zone.name))
  })
})

test.group('The overview', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    client = await signedIn(admin)
  })

  test('the overview only shows visible objects', async ({ assert }) => {
    const zone = await createZone(as, { name: named('<z').replace('<', 'x') })
    const { html } = await client.get('/')
    assert.include(html, zone.name)
    assert.match(html, /<svg class="plot"/)
    const stranger = await signedIn(await person())
    const nothing = await stranger.get('/')
    assert.equal(nothing.status, 200)
    assert.notInclude(nothing.html, word)
    assert.match(nothing.html, />No zones</)
    assert.include(nothing.html, 'Nothing to do. All good.')
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const without = await viewer.get('/')
    assert.match(without.html, />1 zone</)
    assert.notInclude(without.html, admin.username)
    const reader = await signedIn(
      await owner(zone, ['zone_content_view_own', 'zone_logs_view_own'])
    )
    const ownPage = await reader.get('/')
    assert.include(ownPage.html, zone.name)
    assert.include(ownPage.html, admin.username)
    assert.match(ownPage.html, /<td class="number">1<\/td>/)
  })

  test('owners see zones that no name server serves', async ({ assert }) => {
    const zone = await createZone(as, { name: named('broken') })
    const mine = await owner(zone, ['zone_content_view_own'])
    const visitor = await signedIn(mine)
    const sound = await visitor.get('/')
    assert.include(sound.html, 'Nothing to do. All good.')
    await db.from('records').where({ domain_id: zone.id, type: 'SOA' }).update({ disabled: true })
    const overview = await visitor.get('/')
    assert.include(overview.html, 'no SOA record')
    assert.include(overview.html, `href="/zones/${zone.id}"`)
  }).tags(['@sql'])

  test('reviewers see the number of pending requests', async ({ client: api, assert, cleanup }) => {
    cleanup(approval.fake({ enabled: true }))
    const zone = await createZone(as, { name: named('asked') })
    const asker = await owner(zone, ['zone_content_view_own', 'zone_change_request_own'])
    await createChangeRequest(caller(api, asker), zone, {
      op: 'set',
      name: `www.${zone.name}`,
      type: 'A',
      records: [{ content: '192.0.2.1' }],
    })
    const reviewer = await signedIn(
      await owner(zone, [
        'zone_content_view_own',
        'zone_content_edit_own',
        'zone_change_approve_own',
      ])
    )
    const page = await reviewer.get('/')
    assert.include(page.html, 'change request to review')
    assert.include(page.html, asker.username)
    const stranger = await signedIn(await person())
    const otherPage = await stranger.get('/')
    assert.notInclude(otherPage.html, asker.username)
  })

  test('the overview takes the same number of statements for many zones and for few', async ({
    assert,
  }) => {
    await createZone(as, { name: named('a') })
    await client.get('/')
    const few = await statementsOf(() => client.get('/'))
    for (let index = 0; index < 10; index++) await createZone(as, { name: named(`n${index}`) })
    const many = await statementsOf(() => client.get('/'))
    assert.isAtMost(many.length, few.length + 30)
    const again = await statementsOf(() => client.get('/'))
    assert.isAtMost(again.length, few.length + 2)
  })
})
