import { test } from '@japa/runner'
import { createGroup, createTemplate, idsOf } from '#tests/support/app/people/accounts'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith, eventsBy } from '#tests/support/app/audit'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'

let admin: Person
let as: Caller

const setUp = (tests: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup((t) => {
    as = caller(t.context.client, admin)
  })
}

/** Returns the events of `work`, which the administrator does, in order. */
const eventsOf = (work: () => PromiseLike<unknown>) => eventsBy(admin, work)

const byName = (kind: string, { id, name }: { id: number; name: string }) => `${kind}:${id}:${name}`

test.group('Audit events of groups and templates', (tests) => {
  setUp(tests)

  test('creations and changes of a group create events, unchanged values do not', async ({
    assert,
  }) => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => createTemplate(as, [], { template_type: 'group' }))
    )
    const name = unique('group')
    let id = 0
    const created = await eventsOf(async () => {
      const body = { name, description: 'ours', perm_templ_id: one }
      id = await dataOf(as.post('/groups', body), 'group.id')
    })
    assert.deepEqual(created, [
      ['group.created', `group:${id}:${name}`, { description: 'ours', template_id: one }],
    ])
    const members = { name: `${name}-2`, description: 'ours', perm_templ_id: other }
    const put = () => eventsOf(() => expectStatus(as.put(`/groups/${id}`, members), 200))
    assert.deepEqual(await put(), [
      [
        'group.updated',
        `group:${id}:${name}-2`,
        { before: { name, template_id: one }, after: { name: `${name}-2`, template_id: other } },
      ],
    ])
    assert.deepEqual(await put(), [])
  })

  test('added and removed members create events', async ({ assert }) => {
    const [group, user] = [await createGroup(as), await person()]
    const at = `/groups/${group.id}/members`
    const events = await eventsOf(async () => {
      await expectStatus(as.post(at, { user_id: user.id }), 201)
      await expectStatus(as.post(at, { user_id: user.id }), 400)
      await expectStatus(as.delete(`${at}/${user.id}`), 200)
      await expectStatus(as.delete(`${at}/${user.id}`), 404)
    })
    const member = { user_id: user.id, username: user.username }
    assert.deepEqual(events, [
      ['group.member_added', byName('group', group), member],
      ['group.member_removed', byName('group', group), member],
    ])
  })

  test('deleting a group creates events for members, zones, and last the group', async ({
    client,
    assert,
  }) => {
    const group = await createGroup(as, ['zone_content_view_own'])
    const user = await person({ groups: [group.name] })
    const zone = await createZone(as, { name: zoneNamed(), group_ids: [group.id] })
    const events = await eventsOf(async () => {
      await expectStatus(as.delete(`/groups/${group.id}`), 409)
      await expectStatus(as.delete(`/groups/${group.id}?confirm=true`), 200)
    })
    assert.deepEqual(events, [
      [
        'group.member_removed',
        byName('group', group),
        { user_id: user.id, username: user.username },
      ],
      ['zone.owner_removed', byName('zone', zone), { group_id: group.id }],
      ['group.deleted', byName('group', group), { zones: [zone.id] }],
    ])
    const reader = caller(
      client,
      await person({ permissions: ['group_logs_view', 'user_logs_view'] })
    )
    const seen = await reader.get(`/audit?user=${admin.username}`)
    seen.assertStatus(200)
    const entries: { action: string; detail: object }[] = seen.body().data.entries
    assert.deepEqual(entries.find(({ action }) => action === 'group.deleted')?.detail, {})
    assert.notInclude(seen.text(), zone.name)
    assert.notInclude(seen.text(), 'zone.owner')
  })

  test('events of templates list the granted permissions by name', async ({ assert }) => {
    const name = unique('template')
    const permissions = idsOf('zone_content_view_own', 'user_view_others')
    let id = 0
    const created = await eventsOf(async () => {
      const body = { name, descr: 'first', permissions }
      id = await dataOf(as.post('/permission-templates', body), 'id')
    })
    assert.deepEqual(created, [
      [
        'template.created',
        `template:${id}:${name}`,
        {
          template_type: 'user',
          description: 'first',
          permissions: ['user_view_others', 'zone_content_view_own'],
        },
      ],
    ])
    const at = `/permission-templates/${id}`
    const wanted = { permissions: idsOf('user_view_others', 'group_logs_view'), descr: 'second' }
    const put = (body: object) => eventsOf(() => expectStatus(as.put(at, body), 200))
    assert.deepEqual(await put({ ...wanted, name }), [
      [
        'template.updated',
        `template:${id}:${name}`,
        {
          before: { description: 'first' },
          after: { description: 'second' },
          permissions_added: ['group_logs_view'],
          permissions_removed: ['zone_content_view_own'],
        },
      ],
    ])
    assert.deepEqual(await put({ ...wanted, name }), [])
    const deleted = await eventsOf(() => expectStatus(as.delete(at), 200))
    assert.deepEqual(deleted, [
      [
        'template.deleted',
        `template:${id}:${name}`,
        { template_type: 'user', permissions: ['group_logs_view', 'user_view_others'] },
      ],
    ])
  })
})

test.group('Audit events of owners', (tests) => {
  setUp(tests)

  test('assigning a zone to users and groups and removing it create events', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const [one, otherUser, group] = [await person(), await person(), await createGroup(as)]
    const object = byName('zone', zone)
    const owners = `/zones/${zone.id}/owners`
    const events = await eventsOf(async () => {
      await expectStatus(as.post(owners, { user_id: one.id }), 201)
      await expectStatus(as.post(owners, { user_id: one.id }), 409)
      await expectStatus(as.post(owners, { user_ids: [one.id, otherUser.id, otherUser.id] }), 201)
      await expectStatus(as.delete(`${owners}/${admin.id}`), 200)
      await expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }), 201)
      await expectStatus(as.delete(`/groups/${group.id}/zones/${zone.id}`), 200)
    })
    assert.deepEqual(events, [
      ['zone.owner_added', object, { user_id: one.id }],
      ['zone.owner_added', object, { user_id: otherUser.id }],
      ['zone.owner_removed', object, { user_id: admin.id }],
      ['zone.owner_added', object, { group_id: group.id }],
      ['zone.owner_removed', object, { group_id: group.id }],
    ])
  })

  test('a dry run of any of these writes creates no event', async ({ assert }) => {
    const [group, user, newOwner] = [await createGroup(as), await person(), await person()]
    const zone = await createZone(as, { name: zoneNamed(), owner_user_id: user.id })
    await expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }), 201)
    await expectStatus(as.post(`/groups/${group.id}/members`, { user_id: user.id }), 201)
    const template = await createTemplate(as, [])
    const writes: [string, string, object?][] = [
      ['POST', '/users', { username: unique('user'), password: 'Canary-1234', groups: [group.id] }],
      ['PUT', `/users/${user.id}`, { fullname: 'x', password: 'Canary-1234' }],
      ['PATCH', `/users/${user.id}`, { perm_templ: template }],
      ['DELETE', `/users/${user.id}`, { transfer_to_user_id: newOwner.id }],
      ['POST', '/groups', { name: unique('group'), perm_templ_id: group.template }],
      ['PUT', `/groups/${group.id}`, { name: unique('group') }],
      ['DELETE', `/groups/${group.id}?confirm=true`],
      ['POST', `/groups/${group.id}/members`, { user_id: newOwner.id }],
      ['DELETE', `/groups/${group.id}/members/${user.id}`],
      ['POST', '/permission-templates', { name: unique('t'), descr: '', permissions: [] }],
      [
        'PUT',
        `/permission-templates/${template}`,
        { name: unique('t'), permissions: idsOf('user_view_others') },
      ],
      ['DELETE', `/permission-templates/${template}`],
      ['POST', `/zones/${zone.id}/owners`, { user_id: newOwner.id }],
      ['DELETE', `/zones/${zone.id}/owners/${user.id}`],
      ['DELETE', `/groups/${group.id}/zones/${zone.id}`],
    ]
    const call = (method: string, path: string, body?: object) =>
      body || method !== 'DELETE' ? as.send(method, path, body ?? {}) : as.delete(path)
    const before = await eventsWith({})
    for (const [method, path, body] of writes) {
      const dry = `${path}${path.includes('?') ? '&' : '?'}dry_run=true`
      const response = await call(method, dry, body)
      assert.equal(response.status(), 200, `${method} ${dry}: ${response.text()}`)
    }
    assert.deepEqual(await eventsWith({}), before)
    // The same calls write events without the dry run.
    for (const [method, path, body] of writes.filter(([verb]) => verb !== 'DELETE')) {
      const events = await eventsOf(() => call(method, path, body))
      assert.isNotEmpty(events, `${method} ${path}`)
    }
  })
})
