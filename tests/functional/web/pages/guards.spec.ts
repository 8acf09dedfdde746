import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { secondFactor } from '#tests/support/web/second_factor'
import { signedIn, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let client: WebClient

const userRow = (id: number) => db.from('zw_users').where('id', id).firstOrFail()

/** Returns the response of a form without values that differ for each page and without the given names. */
function comparableResponse({ status, html }: Page, ...names: string[]): string {
  const words = html.replaceAll(/(value|nonce|content)=(["'])[^"']*\2/g, '')
  return `${status} ${names.reduce((text, name) => text.replaceAll(name, 'NAME'), words)}`
}

test.group("The user's own account on the page of a user", (group) => {
  group.setup(async () => {
    admin = await administrator()
    client = await signedIn(admin)
  })

  test('a new password requires the old one', async ({ assert }) => {
    const at = `/users/${admin.id}`
    const page = await client.get(at)
    const before = await userRow(admin.id)
    const input = { tag: page.hidden('tag'), password: 'Another 1 word', fullname: 'Kept words' }
    const refused = await client.post(at, input)
    assert.equal(refused.status, 422)
    assert.include(refused.html, 'href="/account/password"')
    assert.include(refused.html, 'Change your own password under')
    assert.include(refused.html, 'Kept words')
    assert.deepEqual(await userRow(admin.id), before)
  })

  test('a new mail address requires the password', async ({ assert }) => {
    const user = await person({ permissions: ['user_edit_own'] })
    const ownVisitor = await signedIn(user)
    const at = `/users/${user.id}`
    const page = await ownVisitor.get(at)
    assert.include(page.html, 'name="current"')
    const email = `${unique('mine')}@example.test`
    const input = { tag: page.hidden('tag'), fullname: 'Kept words', email }
    const wrong: Record<string, string>[] = [{}, { current: '' }, { current: 'not that' }]
    for (const more of wrong) {
      const refused = await ownVisitor.post(at, { ...input, ...more })
      assert.equal(refused.status, 422)
      assert.include(refused.html, 'The current password is wrong')
      assert.include(refused.html, email)
      assert.include(refused.html, 'Kept words')
      const row = await userRow(user.id)
      assert.deepEqual([row.email, row.fullname], [null, ''])
    }
    const saved = await ownVisitor.post(at, { ...input, current: user.password })
    assert.equal(saved.status, 303)
    const row = await userRow(user.id)
    assert.equal(row.email, email)
    // Unchanged values require no password.
    const secondPage = await ownVisitor.get(at)
    const same = { ...input, tag: secondPage.hidden('tag'), fullname: 'Other words' }
    const response = await ownVisitor.post(at, same)
    assert.equal(response.status, 303)
    const theirs = await client.get(at)
    assert.notInclude(theirs.html, 'name="current"')
  })

  test('disabling the second factor requires a code', async ({ assert }) => {
    const root = await administrator()
    const ownVisitor = await signedIn(root)
    await secondFactor(ownVisitor, root.password)
    const at = `/users/${root.id}/sessions`
    const page = await ownVisitor.get(at)
    assert.notInclude(page.html, '/second-factor/off')
    assert.include(page.html, 'href="/account/second-factor"')
    const refused = await ownVisitor.post(`/users/${root.id}/second-factor/off`, {}, { from: at })
    assert.equal(refused.status, 403)
    assert.include(refused.html, '/account/second-factor')
    assert.lengthOf(await db.from('zw_second_factors').where('user_id', root.id), 1)
  })
})

test.group('Forms do not reveal names', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
  })

  /** Compares the responses of a form with an existing name and with a missing name. */
  async function alike(
    visitor: WebClient,
    path: string,
    form: (name: string) => Record<string, string>,
    { known, from = path }: { known: string; from?: string }
  ): Promise<{ status: number; same: boolean }> {
    const nobody = unique('nobody')
    const existing = await visitor.post(path, form(known), { from })
    const missing = await visitor.post(path, form(nobody), { from })
    const same = comparableResponse(existing, known) === comparableResponse(missing, nobody)
    return { status: existing.status, same }
  }

  test('owners of keys and host tokens are not revealed', async ({ assert }) => {
    const { username: known } = await person()
    const zone = await createZone(as, { name: zoneNamed() })
    const holder = await signedIn(await person({ permissions: ['api_manage_keys'] }))
    const key = { name: 'a key', access: 'all', zone_scope: 'all', name_scope: 'all' }
    assert.deepEqual(
      await alike(holder, '/settings/api-keys/new', (name) => ({ ...key, owner: name }), { known }),
      { status: 404, same: true }
    )
    const hosts = { hostnames: `home.${zone.name}` }
    const tokens = '/dyndns/tokens/new'
    assert.deepEqual(
      await alike(holder, tokens, (name) => ({ ...hosts, owner: name }), { known }),
      { status: 404, same: true }
    )
  })

  test("groups as new owners of a deleted user's zones are not revealed", async ({ assert }) => {
    const user = await person()
    const { name: known } = await createTeam([])
    const clerk = await signedIn(
      await person({ permissions: ['user_view_others', 'user_edit_others'] })
    )
    const form = (name: string) => ({ zones: '', heir: `group: ${name}`, sure: '1' })
    assert.deepEqual(await alike(clerk, `/users/${user.id}/delete`, form, { known }), {
      status: 403,
      same: true,
    })
    assert.lengthOf(await db.from('zw_users').where('id', user.id), 1)
  })

  test('new owners of one or many zones are not revealed', async ({ assert }) => {
    const { username: known } = await person()
    const zone = await createZone(as, { name: zoneNamed() })
    const reader = await signedIn(await owner(zone, ['zone_content_view_own', 'zone_master_add']))
    const input = { action: 'owner', owner_kind: 'user', keeps_others: 'yes' }
    const plan = (name: string) => ({ ...input, 'ids[]': String(zone.id), 'owner': name })
    const apply = (name: string) => ({ ...input, items: `${zone.id}:-`, owner: name })
    const hidden = (name: string) => ({ ...input, 'ids[]': '999999999', 'owner': name })
    const names = zoneNamed()
    const make = (name: string) => ({ kind: 'MASTER', names, owner: name })
    const from = '/zones'
    const refused = { status: 403, same: true }
    assert.deepEqual(await alike(reader, '/zones/bulk', plan, { known, from }), refused)
    assert.deepEqual(await alike(reader, '/zones/bulk/apply', apply, { known, from }), refused)
    const unseen = await alike(reader, '/zones/bulk', hidden, { known, from })
    assert.isTrue(unseen.same)
    assert.deepEqual(await alike(reader, '/zones/new', make, { known }), refused)
  })
})

test.group('Audit log of pages', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    client = await signedIn(admin)
  })

  test('requesting the rights on a hidden zone creates an event', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const stranger = await person()
    const visitor = await signedIn(stranger)
    assert.equal(await visitor.statusOf(`/account/rights?zone=${zone.name}`), 404)
    const events = await eventsWith({ username: stranger.username, action: 'access.denied' })
    assert.deepEqual(
      events.map(({ object_kind: kind, object_id: id, detail }) => [kind, id, detail.hidden]),
      [['zone', zone.id, true]]
    )
  })

  test('a reader of the user log sees no zones of a deleted user', async ({
    client: api,
    assert,
  }) => {
    const [who, newOwner] = [await person(), await person()]
    const team = await createTeam([])
    const zones: { id: number; name: string }[] = []
    for (let created = 0; created < 2; created++) {
      zones.push(await createZone(as, { name: zoneNamed(), owner_user_id: who.id }))
    }
    const single = [{ zone_id: zones[1].id, user_id: newOwner.id }]
    const body = { transfer_to_group_id: team.id, zone_transfers: single }
    await expectStatus(as.delete(`/users/${who.id}`, body), 200)
    const reader = await person({ permissions: ['user_logs_view'] })
    interface Entry {
      id: number
      detail: Record<string, unknown>
    }
    const path = `/audit?action=user.deleted&object=user:${who.id}`
    const [entry]: Entry[] = await dataOf(caller(api, reader).get(path), 'entries')
    const heirs = [
      { transferred_to: { group_id: team.id, name: team.name } },
      { transferred_to: { user_id: newOwner.id, username: newOwner.username } },
    ]
    assert.sameDeepMembers(entry.detail.transfers as object[], heirs)
    assert.deepEqual(Object.keys(entry.detail), ['transfers'])
    const visitor = await signedIn(reader)
    const page = await visitor.get(`/audit/${entry.id}`)
    assert.equal(page.status, 200)
    assert.include(page.html, newOwner.username)
    assert.notInclude(page.html, '<dt>zones</dt>')
    const full = await client.get(`/audit/${entry.id}`)
    assert.include(full.html, '<dt>zones</dt>')
    const ids = zones.map(({ id }) => `[${id}]`)
    assert.isTrue(ids.every((id) => full.html.includes(id) && !page.html.includes(id)))
    const [whole]: Entry[] = await dataOf(as.get(path), 'entries')
    assert.sameMembers(
      (whole.detail.zones as number[][]).flat(),
      zones.map(({ id }) => id)
    )
  })

  test('a group that changed since the form was shown is not deleted', async ({ assert }) => {
    const team = await createTeam([])
    const at = `/groups/${team.id}/delete`
    const gets = async () => {
      const zone = await createZone(as, { name: zoneNamed() })
      await expectStatus(as.post(`/groups/${team.id}/zones`, { zone_id: zone.id }), 201)
      return zone
    }
    const one = await gets()
    const page = await client.get(at)
    const two = await gets()
    await expectStatus(as.delete(`/groups/${team.id}/zones/${one.id}`), 200)
    // The same number of zones, but not the same zones.
    const lateSubmission = await client.post(at, { sure: '1', tag: page.hidden('tag') })
    assert.equal(lateSubmission.status, 412)
    assert.lengthOf(await db.from('zw_zone_groups').where('zone_id', two.id), 1)
    const removed = await client.post(at, { sure: '1', tag: lateSubmission.hidden('tag') })
    assert.deepEqual([removed.status, removed.location], [303, '/groups'])
  })
})
