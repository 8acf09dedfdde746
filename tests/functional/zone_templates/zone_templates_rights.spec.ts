// @api-backend(all)
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'

const NOTHING = 2_147_483_647

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

test.group('Permissions on zone templates', (tests) => {
  setUp(tests)

  test('users who create zones see own templates and global ones', async ({ client, assert }) => {
    const [mine, theirs] = [unique('mine'), unique('theirs')]
    const creator = await person({ permissions: ['zone_templ_add', 'zone_templ_edit'] })
    const own = await createZoneTemplate(caller(client, creator), { name: mine })
    const foreign = await createZoneTemplate(as, { name: theirs })
    const global = await createZoneTemplate(as, { is_global: true })
    const statuses = async (asUser: Caller, id: number) =>
      Promise.all(
        ['', '/records'].map(async (path) => {
          const response = await asUser.get(`/zone-templates/${id}${path}`)
          return response.status()
        })
      )
    for (const permission of [
      'zone_templ_add',
      'zone_templ_edit',
      'zone_master_add',
      'zone_slave_add',
    ] as const) {
      const asUser = caller(client, await person({ permissions: [permission] }))
      const templates: { id: number }[] = await dataOf(asUser.get('/zone-templates'), 'templates')
      const ids = templates.map(({ id }) => id)
      assert.include(ids, global)
      assert.notInclude(ids, own)
      assert.notInclude(ids, foreign)
      assert.deepEqual(await statuses(asUser, global), [200, 200])
      assert.deepEqual(await statuses(asUser, foreign), [403, 403])
      assert.deepEqual(await statuses(asUser, NOTHING), [404, 404])
    }
    const ids = (list: { id: number }[]) => list.map(({ id }) => id)
    const seen = ids(await dataOf(caller(client, creator).get('/zone-templates'), 'templates'))
    assert.includeMembers(seen, [own, global])
    assert.notInclude(seen, foreign)
    const all = ids(await dataOf(as.get('/zone-templates'), 'templates'))
    assert.includeMembers(all, [own, foreign, global])
    const nobody = caller(client, await person({ permissions: ['zone_content_view_others'] }))
    await expectStatus(nobody.get('/zone-templates'), 403)
    assert.deepEqual(await statuses(nobody, NOTHING), [403, 403])
  })

  test('users change own templates only, and administrators also global ones', async ({
    client,
  }) => {
    const asCreator = caller(
      client,
      await person({ permissions: ['zone_templ_add', 'zone_templ_edit'] })
    )
    const own = await createZoneTemplate(asCreator)
    const record = await addTemplateRecord(asCreator, own, 'www', 'A', '192.0.2.1')
    const foreign = await createZoneTemplate(as)
    const global = await createZoneTemplate(as, { is_global: true })
    const body = { name: 'www', type: 'A', content: '192.0.2.2' }
    await expectStatus(asCreator.put(`/zone-templates/${own}/records/${record}`, body), 200)
    for (const id of [foreign, global]) {
      await expectStatus(asCreator.put(`/zone-templates/${id}`, { description: 'x' }), 403)
      await expectStatus(asCreator.post(`/zone-templates/${id}/records`, body), 403)
      await expectStatus(asCreator.delete(`/zone-templates/${id}`), 403)
    }
    await expectStatus(asCreator.put(`/zone-templates/${own}`, { is_global: true }), 403)
    await expectStatus(
      asCreator.post('/zone-templates', { name: unique('x'), description: '', is_global: true }),
      403
    )
    // Creating and editing are separate permissions.
    const adder = caller(client, await person({ permissions: ['zone_templ_add'] }))
    const created = await createZoneTemplate(adder)
    await expectStatus(adder.post(`/zone-templates/${created}/records`, body), 403)
    await expectStatus(adder.delete(`/zone-templates/${created}`), 403)
    const withRecord = { name: unique('x'), description: '', records: [body] }
    await expectStatus(adder.post('/zone-templates', withRecord), 403)
    const editor = caller(client, await person({ permissions: ['zone_templ_edit'] }))
    await expectStatus(editor.post('/zone-templates', { name: unique('x'), description: '' }), 403)
  })

  test('a template does not bypass the permissions on record types', async ({ client }) => {
    const rights = ['zone_templ_add', 'zone_templ_edit'] as const
    const lua = { name: 'l', type: 'LUA', content: 'A "ifportup(443, {\'192.0.2.1\'})"' }
    const ns = { name: 'sub', type: 'ns', content: 'ns.example.net' }
    const a = { name: 'www', type: 'A', content: '192.0.2.1' }
    const clients = caller(
      client,
      await person({ permissions: [...rights, 'zone_content_edit_own_as_client'] })
    )
    const full = caller(client, await person({ permissions: [...rights, 'zone_content_edit_own'] }))
    for (const [asUser, statuses] of [
      [clients, [201, 403, 403]],
      [full, [201, 201, 403]],
      [as, [201, 201, 201]],
    ] as const) {
      const id = await createZoneTemplate(asUser)
      for (const [index, body] of [a, ns, lua].entries()) {
        await expectStatus(asUser.post(`/zone-templates/${id}/records`, body), statuses[index])
        const template = { name: unique('records'), description: '', records: [body] }
        await expectStatus(asUser.post('/zone-templates', template), statuses[index])
      }
    }
    const id = await createZoneTemplate(clients)
    const [soa] = await dataOf(clients.get(`/zone-templates/${id}/records`), 'records')
    await expectStatus(clients.delete(`/zone-templates/${id}/records/${soa.id}`), 403)
    await expectStatus(clients.put(`/zone-templates/${id}/records/${soa.id}`, a), 403)
  })

  test('templates of a deleted user belong to administrators', async ({ client, assert }) => {
    const creator = await person({ permissions: ['zone_templ_add', 'zone_templ_edit'] })
    const id = await createZoneTemplate(caller(client, creator))
    await expectStatus(as.delete(`/users/${creator.id}`), 200)
    const template = await dataOf(as.get(`/zone-templates/${id}`), 'template')
    assert.deepInclude(template, { owner: 0, is_global: false })
    const asOther = caller(client, await person({ permissions: ['zone_templ_edit'] }))
    await expectStatus(asOther.get(`/zone-templates/${id}`), 403)
  })
})
