import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { ownersOf } from '#tests/support/app/zones/zones'
import { secondFactor } from '#tests/support/web/second_factor'
import { wordsOf } from '#tests/support/web/review'
import { signedIn, type WebClient } from '#tests/support/web/client'

let admin: Person
let client: WebClient

const XSS = '<script>alert(1)</script>'

/** Creates a user who owns zones directly. */
async function landlord(api: ApiClient, count: number) {
  const user = await person()
  const zones: { id: number; name: string }[] = []
  for (let created = 0; created < count; created++) {
    zones.push(await createZone(caller(api, admin), { name: zoneNamed(), owner_user_id: user.id }))
  }
  return { ...user, zones, at: `/users/${user.id}` }
}

const userRow = (id: number) => db.from('zw_users').where('id', id).first()

/** Returns the text of a page. */
async function shownAt(path: string, visitor = client): Promise<string> {
  const { html } = await visitor.get(path)
  return html
}

test.group('Users in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
    client = await signedIn(admin)
  })

  test('a user is created, found, changed and escaped', async ({ assert }) => {
    const username = unique('new')
    const fields = {
      username,
      'password': 'A long enough 1 password',
      'fullname': XSS,
      'email': `${username}@example.com`,
      'active': '1',
      'groups[]': ['4'],
    }
    const created = await client.post('/users/new', fields)
    assert.match(created.location ?? '', /^\/users\/\d+$/)
    const list = await client.get(`/users?q=${username}`)
    assert.include(list.html, username)
    assert.include(list.html, '&lt;script&gt;')
    assert.notInclude(list.html, XSS)
    const page = await client.get(created.location!)
    assert.notInclude(page.html, XSS)
    const tag = page.hidden('tag')
    const inputs = { tag, username, fullname: 'Ann Other', email: '', description: '' }
    const saved = await client.post(created.location!, inputs)
    assert.equal(saved.status, 303)
    const row = await userRow(Number(created.location!.slice(7)))
    // The form did not contain the checkbox.
    assert.deepEqual([row.fullname, row.email, Boolean(row.active)], ['Ann Other', null, true])
    const lateSubmission = await client.post(created.location!, {
      ...inputs,
      fullname: 'Somebody else',
    })
    assert.equal(lateSubmission.status, 412)
    assert.include(lateSubmission.html, 'Somebody else')
    assert.include(wordsOf(lateSubmission), 'Full name: Ann Other')
    const kept = await userRow(row.id)
    assert.equal(kept.fullname, 'Ann Other')
  })

  test('taken and invalid names return the form with its values', async ({ assert }) => {
    for (const [username, status] of [
      [admin.username, 409],
      ['', 422],
    ] as const) {
      const fields = { username, password: 'A long enough 1 password', fullname: 'Kept words' }
      const page = await client.post('/users/new', fields)
      assert.equal(page.status, status)
      assert.include(page.html, 'Kept words')
    }
  })

  test('values that databases cannot store are refused with an error', async ({ assert }) => {
    const user = await person()
    const at = `/users/${user.id}`
    const tag = await client.tagAt(at)
    for (const [fields, status] of [
      [{ fullname: 'x'.repeat(256) }, 422],
      [{ email: 'a\u0007b' }, 422],
      [{ description: 'x'.repeat(1025) }, 422],
      [{ fullname: 'nul\0' }, 400],
    ] as const) {
      assert.equal(await client.sent(at, { tag, ...fields }), status)
    }
    const team = await createTeam([])
    const nul = { 'add[]': ['1\0'] }
    assert.oneOf(await client.sent(`/groups/${team.id}/members`, nul), [400, 404, 422])
    for (const id of ['1.5', 'x', '-1', '99999999']) {
      assert.equal(await client.sent(`/groups/${team.id}/zones`, { 'add[]': [id] }), 404)
    }
    const newOwner = { zones: '', heir: 'group: a\0b', sure: '1' }
    assert.oneOf(await client.sent(`${at}/delete`, newOwner), [400, 422])
    assert.equal(await client.sent(`${at}/template`, { tag, template: '1e99' }, at), 422)
  })

  test('groups and the template of a user are changed', async ({ assert }) => {
    const user = await person()
    const [{ id: groupId }] = [await createTeam([])]
    const at = `/users/${user.id}`
    await client.post(`${at}/groups`, { add: String(groupId) }, { from: at })
    const member = { group_id: groupId, user_id: user.id }
    assert.isNotNull(await db.from('zw_group_members').where(member).first())
    await client.post(`${at}/groups`, { remove: String(groupId) }, { from: at })
    assert.isNull(await db.from('zw_group_members').where(member).first())
    const tag = await client.tagAt(at)
    await client.post(`${at}/template`, { tag, template: '4' }, { from: at })
    const row = await userRow(user.id)
    assert.equal(row.permission_template_id, 4)
  })

  test('losing own rights requires a checkbox', async ({ assert }) => {
    const self = await administrator()
    const ownVisitor = await signedIn(self)
    const at = `/users/${self.id}`
    const before = await userRow(self.id)
    const page = await ownVisitor.get(at)
    assert.include(page.html, 'data-confirm')
    const input = { tag: page.hidden('tag'), template: '4' }
    const unconfirmedPage = await ownVisitor.post(`${at}/template`, input, { from: at })
    assert.equal(unconfirmedPage.status, 422)
    assert.include(unconfirmedPage.html, 'has fewer permissions')
    const kept = await userRow(self.id)
    assert.equal(kept.permission_template_id, before.permission_template_id)
    const resultPage = await ownVisitor.post(
      `${at}/template`,
      { ...input, sure: '1' },
      { from: at }
    )
    assert.equal(resultPage.status, 303)
    const row = await userRow(self.id)
    assert.equal(row.permission_template_id, 4)
  })

  test('a caller who may not change a user sees the missing permission', async ({ assert }) => {
    const user = await person()
    const clerk = await signedIn(await person({ permissions: ['user_view_others'] }))
    const page = await clerk.get(`/users/${user.id}`)
    assert.equal(page.status, 200)
    assert.include(page.html, 'You do not have permission to edit other users')
    assert.include(page.html, 'user_edit_others')
    assert.notInclude(page.html, 'name="fullname"')
    const refused = await clerk.post(`/users/${user.id}`, { fullname: 'x' }, { from: '/users' })
    assert.equal(refused.status, 403)
    const stranger = await signedIn(await person())
    for (const path of ['/users', `/users/${user.id}`, '/users/new', '/permission-templates']) {
      assert.equal(await stranger.statusOf(path), 403, path)
    }
    const { html } = await stranger.get('/')
    assert.notInclude(html, 'href="/users"')
  })

  test('zones of a deleted user are transferred as selected, in one change', async ({
    client: api,
    assert,
  }) => {
    const who = await landlord(api, 3)
    const newOwner = await person()
    const team = await createTeam(['zone_content_view_own'])
    const [first, second, third] = who.zones
    const otherUser = await owner(third, [])
    const page = await client.get(`${who.at}/delete`)
    for (const zone of who.zones) assert.include(page.html, zone.name)
    const fields = {
      zones: page.hidden('zones'),
      heir: newOwner.username,
      [`zone_${second.id}`]: `group: ${team.name}`,
      [`zone_${third.id}`]: '-',
    }
    const from = { from: `${who.at}/delete` }
    const unconfirmedPage = await client.post(`${who.at}/delete`, fields, from)
    assert.equal(unconfirmedPage.status, 422)
    assert.include(unconfirmedPage.html, newOwner.username)
    const wrong = { ...fields, [`zone_${first.id}`]: '-', sure: '1' }
    const singlePage = await client.post(`${who.at}/delete`, wrong, from)
    assert.equal(singlePage.status, 422)
    assert.include(singlePage.html, `${first.name} has no other owner: enter a new one.`)
    const nobody = await client.post(`${who.at}/delete`, { ...fields, heir: '', sure: '1' }, from)
    assert.equal(nobody.status, 422)
    assert.include(nobody.html, 'The user owns zones: enter a new owner')
    assert.isNotNull(await userRow(who.id))
    const resultPage = await client.post(`${who.at}/delete`, { ...fields, sure: '1' }, from)
    assert.deepEqual([resultPage.status, resultPage.location], [303, '/users'])
    assert.deepEqual(await Promise.all(who.zones.map(({ id }) => ownersOf(id))), [
      { users: [newOwner.id], groups: [] },
      { users: [], groups: [team.id] },
      { users: [otherUser.id], groups: [] },
    ])
    assert.isNull(await userRow(who.id))
  })

  test('an administrator ends foreign sessions, and removes a second factor', async ({
    assert,
  }) => {
    const who = await person()
    const theirs = await signedIn(who)
    await secondFactor(theirs, who.password)
    const at = `/users/${who.id}/sessions`
    const page = await client.get(at)
    const session = page.hidden('session')
    const clerk = await signedIn(
      await person({ permissions: ['user_view_others', 'user_edit_others'] })
    )
    assert.equal(await clerk.statusOf(at), 403)
    assert.equal(await clerk.sent(`${at}/end`, { session }, '/users'), 403)
    const off = `/users/${who.id}/second-factor/off`
    assert.equal(await clerk.sent(off, {}, '/users'), 403)
    await client.post(`${at}/end`, { session }, { from: at })
    assert.equal(await theirs.statusOf('/'), 303)
    const endedPage = await client.post(off, {}, { from: at })
    assert.equal(endedPage.status, 303)
    assert.isNull(await db.from('zw_second_factors').where('user_id', who.id).first())
    const told: { action: string }[] = await db
      .from('zw_audit')
      .where({ object_kind: 'user', object_id: who.id })
      .whereIn('action', ['login.ended', 'user.mfa'])
    assert.includeMembers(
      told.map(({ action }) => action),
      ['login.ended', 'user.mfa']
    )
  })

  test('the matrix shows the rights of a user and their sources', async ({
    client: api,
    assert,
  }) => {
    const zone = await createZone(caller(api, admin), { name: zoneNamed() })
    const team = await createTeam(['zone_content_edit_own'])
    const who = await person({ permissions: ['zone_content_view_own'], groups: [team.name] })
    await db
      .table('zw_zone_groups')
      .insert({ zone_id: zone.id, group_id: team.id, created_at: new Date().toISOString() })
    const page = await client.get(`/users/${who.id}/rights?zone=${zone.name}`)
    assert.equal(page.status, 200)
    assert.include(page.html, `from group ${team.name}`)
    assert.include(page.html, `Granted by zone_content_edit_own`)
    assert.include(page.html, 'You do not have permission to delete this zone')
    const ownVisitor = await signedIn(who)
    assert.include(wordsOf(page), 'Reason (in English)')
    const mine = await ownVisitor.get(`/account/rights?zone=${zone.name}`)
    assert.equal(mine.status, 200)
    assert.notInclude(wordsOf(mine), 'Reason (in English)')
    const stranger = await signedIn(await person())
    for (const name of [zone.name, zoneNamed('missing')]) {
      const hidden = await stranger.get(`/account/rights?zone=${name}`)
      assert.equal(hidden.status, 404)
      assert.include(hidden.html, 'Zone not found')
    }
    assert.equal(await client.statusOf('/account/rights?zone=a..b'), 422)
    // One RRset, by one of the user's keys.
    const { keyId: key } = who
    const narrowed = await caller(api, admin).put(`/api-keys/${key}`, { read_only: true })
    narrowed.assertStatus(200)
    const at = `/users/${who.id}/rights?zone=${zone.name}&name=www`
    const record = wordsOf(await client.get(`${at}&type=A`))
    assert.match(record, /Edit this record set www A allowed/)
    const byKey = wordsOf(await client.get(`${at}&type=A&key=${key}`))
    assert.match(byKey, /Edit this record set www A denied/)
    assert.equal(await client.statusOf(`${at}&type=NONSENSE`), 422)
    assert.equal(await client.statusOf(at), 422)
    assert.equal(await client.statusOf(`/account/rights?key=${key}`), 404)
  })
})

test.group('Groups in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
    client = await signedIn(admin)
  })

  test('a group is created, changed and deleted, with members and zones', async ({
    client: api,
    assert,
  }) => {
    const [one, two] = [await person(), await person()]
    const zone = await createZone(caller(api, admin), { name: zoneNamed() })
    const name = unique('group')
    const created = await client.post('/groups/new', { name, description: XSS, template: '9' })
    const at = (created.location ?? '').replace('/members', '')
    assert.match(at, /^\/groups\/\d+$/)
    const id = Number(at.slice(8))
    const add = { 'add[]': [String(one.id), String(two.id)] }
    await client.post(`${at}/members`, add, { from: at })
    const members = await client.get(`${at}/members?other=${unique('nobody')}`)
    assert.include(members.html, one.username)
    await client.post(`${at}/members`, { 'remove[]': [String(one.id)] }, { from: at })
    const rows: { user_id: number }[] = await db.from('zw_group_members').where('group_id', id)
    assert.deepEqual(
      rows.map((row) => row.user_id),
      [two.id]
    )
    await client.post(`${at}/zones`, { 'add[]': [String(zone.id)] }, { from: at })
    assert.include(await shownAt(`${at}/zones`), zone.name)
    // The selection applies completely or not at all: the group already owns the second zone.
    const otherZone = await createZone(caller(api, admin), { name: zoneNamed() })
    const both = { 'add[]': [String(otherZone.id), String(zone.id)] }
    const refused = await client.post(`${at}/zones`, both, { from: at })
    assert.equal(refused.status, 422)
    assert.include(refused.html, 'Group already owns this zone')
    const owned = await db.from('zw_zone_groups').where('group_id', id).select('zone_id')
    assert.deepEqual(
      owned.map((row: { zone_id: number }) => row.zone_id),
      [zone.id]
    )
    const page = await client.get(at)
    assert.notInclude(page.html, XSS)
    const tag = page.hidden('tag')
    const input = { tag, name, description: 'Another', template: '9' }
    assert.equal(await client.sent(at, input), 303)
    const lateSubmission = await client.post(at, { ...input, description: 'A third' })
    assert.equal(lateSubmission.status, 412)
    assert.include(wordsOf(lateSubmission), 'saving replaces them: Description: Another')
    const taken = { name: 'Viewers', template: '9' }
    assert.equal(await client.sent('/groups/new', taken), 422)
    const last = await client.get(`${at}/delete`)
    const deleted = await client.post(`${at}/delete`, { sure: '1', tag: last.hidden('tag') })
    assert.equal(deleted.location, '/groups')
    assert.deepEqual(await ownersOf(zone.id), { users: [admin.id], groups: [] })
  })

  test('members see their group and its zones, but cannot change them', async ({ assert }) => {
    const team = await createTeam([])
    const member = await signedIn(await person({ groups: [team.name] }))
    const at = `/groups/${team.id}`
    assert.include(await shownAt('/groups', member), team.name)
    const page = await member.get(at)
    assert.include(page.html, 'Only administrators can manage groups')
    assert.equal(await member.statusOf(`${at}/zones`), 200)
    assert.equal(await member.statusOf(`${at}/members`), 403)
    const stranger = await signedIn(await person())
    assert.equal(await stranger.statusOf(at), 403)
  })
})
