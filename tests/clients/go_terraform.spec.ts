import { test } from '@japa/runner'
import { baseUrl } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, permissionTemplate } from '#tests/support/app/people/people'
import { SigningServer } from '#tests/support/app/zones/signing'
import { TerraformProvider } from '#tests/support/go_clients/terraform'
import { refusal } from '#tests/support/go_clients/http'

/*
 * The unmodified Terraform provider: each resource is applied, read without a difference, changed and destroyed. Of zone
 * templates only the ids are tested, because the provider reads the formats of versions before 4.3.0.
 */
test.group('Terraform provider', (group) => {
  let api: TerraformProvider
  group.setup(async () => {
    const { key } = await administrator()
    api = new TerraformProvider(baseUrl(), key)
  })

  const newZone = (overrides: object = {}) =>
    api.createZone({ name: zoneNamed(), type: 'MASTER', ...overrides })

  test('applied zones are read and survive changes', async ({ assert }) => {
    const kept = {
      name: zoneNamed('secondary'),
      type: 'SLAVE',
      masters: '192.0.2.5,192.0.2.6:5300',
      account: 'ops',
      description: 'mirror',
    }
    const made = await api.createZone({ ...kept, template: 'none', soa_edit_api: 'DEFAULT' })
    const { id } = made!
    assert.deepEqual(made, { id, ...kept })
    const changed = await api.updateZone(id, { masters: '192.0.2.7', account: 'web' })
    assert.deepEqual(changed, { id, ...kept, masters: '192.0.2.7', account: 'web' })
    assert.deepEqual(await api.updateZone(id, { description: '' }), { ...changed, description: '' })
    const listed = await api.zones()
    assert.deepInclude(listed, { id, name: kept.name, type: 'SLAVE' })
    const { status, bytes } = await api.deleteZone(id)
    assert.deepEqual([status, bytes], [204, 0])
    assert.isNull(await api.zone(id))
    const again = await refusal(api.deleteZone(id))
    assert.equal(again.status, 404)
  })

  test('zones have a template whose id is a text', async ({ assert }) => {
    const template = { name: unique('tf'), description: 'Plain', is_global: true }
    const id = await api.createZoneTemplate(template)
    assert.isNotNull(await newZone({ template: String(id) }))
    const unknown = await refusal(newZone({ template: '999999' }))
    assert.equal(unknown.status, 404)
    const duplicate = await refusal(api.createZoneTemplate(template))
    assert.equal(duplicate.status, 409)
  })

  test('records keep their names as written, their ids and their values', async ({ assert }) => {
    const zone = await newZone()
    for (const plan of [
      { name: 'www', type: 'A', content: '192.0.2.10', ttl: 300 },
      { name: '@', type: 'MX', content: 'mail.example.net', ttl: 3600, priority: 10 },
      { name: `txt.${zone!.name}`, type: 'TXT', content: 'v=spf1 -all', ttl: 60 },
    ]) {
      const made = await api.createRecord(zone!.id, plan)
      const name = plan.name.replace(`.${zone!.name}`, '')
      const { id, ...values } = made
      assert.deepEqual(values, {
        zone_id: zone!.id,
        disabled: false,
        ...plan,
        name,
        priority: plan.priority ?? 0,
      })
      assert.deepEqual(await api.record(zone!.id, id), made)
      const listed = await api.records(zone!.id, plan.type)
      const absolute = name === '@' ? zone!.name : `${name}.${zone!.name}`
      assert.deepEqual(
        listed.map((one) => [one.id, one.name]),
        [[id, absolute]]
      )
      const changed = await api.updateRecord(zone!.id, id, {
        ...{ name: plan.name, type: plan.type, content: plan.content },
        ...{ ttl: 120, priority: plan.priority ?? 0, disabled: true },
      })
      assert.deepEqual(changed, { ...made, id: changed.id, ttl: 120, disabled: true })
      const { status } = await api.deleteRecord(zone!.id, changed.id)
      assert.equal(status, 204)
      assert.isNull(await api.record(zone!.id, changed.id))
    }
  })

  test('RRsets are replaced as a whole', async ({ assert }) => {
    const zone = await newZone()
    const records = [
      { content: '192.0.2.1', priority: 0, disabled: false },
      { content: '192.0.2.2', priority: 0, disabled: true },
    ]
    const plan = { name: 'www', type: 'A', ttl: 300, records }
    assert.deepEqual(await api.putRRset(zone!.id, plan), plan)
    const smaller = { ...plan, ttl: 60, records: records.slice(1) }
    assert.deepEqual(await api.putRRset(zone!.id, smaller), smaller)
    assert.deepEqual(await api.rrsets(zone!.id, 'A'), [{ ...smaller, name: `www.${zone!.name}` }])
    const { status } = await api.deleteRRset(zone!.id, 'www', 'A')
    assert.equal(status, 204)
    assert.isNull(await api.rrset(zone!.id, 'www', 'A'))
  })

  test('users have no drift, and their zones are transferred to another user', async ({
    assert,
  }) => {
    const template = await permissionTemplate('user', ['zone_content_view_own'])
    const plan = {
      username: unique('tf'),
      fullname: 'Ann B',
      email: `${unique('ann')}@example.org`,
      description: 'On call',
      active: true,
      perm_templ: template.id,
      use_ldap: false,
    }
    const made = await api.createUser({ ...plan, password: 'correct horse battery' })
    assert.deepEqual(made, { user_id: made!.user_id, ...plan })
    const changed = await api.updateUser(made!.user_id, { fullname: 'Ann C', active: false })
    assert.deepEqual(changed, { ...made!, fullname: 'Ann C', active: false })
    const heir = await api.createUser({ username: unique('tf'), password: unique('password') })
    await newZone({ owner_user_id: made!.user_id })
    const { status } = await api.deleteUser(made!.user_id, heir!.user_id)
    assert.equal(status, 200)
    assert.isNull(await api.user(made!.user_id))
    const users = await api.users()
    assert.isTrue(users.some(({ user_id: id }) => id === heir!.user_id))
  })

  test('groups have members and zones; permissions have names', async ({ assert }) => {
    const template = await permissionTemplate('group', ['zone_content_view_own'])
    const plan = { name: unique('tf'), description: 'Shop', perm_templ_id: template.id }
    const made = await api.createGroup(plan)
    assert.deepEqual(made, { id: made!.id, ...plan })
    const user = await api.createUser({ username: unique('tf'), password: unique('password') })
    const zone = await newZone()
    const member = await api.addMember(made!.id, user!.user_id)
    assert.equal(member!.username, user!.username)
    const assigned = await api.assignZone(made!.id, zone!.id)
    assert.deepEqual([assigned!.zone_name, assigned!.zone_type], [zone!.name, 'MASTER'])
    const { status } = await api.deleteGroup(made!.id)
    assert.equal(status, 200)
    assert.isNull(await api.group(made!.id))
    const [first] = await api.permissions()
    assert.isNotEmpty(first.descr)
    assert.deepEqual(await api.permission(first.id), first)
  })

  test('DNSSEC keys are the value of "data" itself', async ({ assert, cleanup }) => {
    const server = await SigningServer.start()
    cleanup(() => server.stop())
    const { key } = await administrator()
    const signed = new TerraformProvider(server.url, key)
    const zone = await signed.createZone({ name: zoneNamed(), type: 'MASTER' })
    await signed.createRecord(zone!.id, {
      name: '@',
      type: 'NS',
      content: 'ns1.example.net',
      ttl: 60,
    })
    const path = `/zones/${zone!.id}/dnssec`
    await server.call(key, 'POST', path, { enabled: true })
    const keys = await signed.dnssecKeys(zone!.id)
    assert.deepEqual(
      keys.map(({ type, algorithm, bits, active }) => [type, algorithm, bits, active]),
      [['csk', 'ecdsa256', 256, true]]
    )
  }).timeout(60_000)
})
