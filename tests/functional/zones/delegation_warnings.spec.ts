// @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { withSettings } from '#tests/support/app/settings'

interface Told {
  rule: string
  name: string
  message: string
}

test.group('HTTP API: delegation warnings', (group) => {
  let admin: Person
  let as: Caller
  let name: string
  let parent: { id: number }

  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    name = zoneNamed()
    parent = await createZone(as, { name })
  })

  /** Creates a zone and returns the warnings of a rule. */
  async function warningsOf(input: object, rule: string, asUser = as): Promise<Told[]> {
    const created = await asUser.post('/zones', input)
    created.assertStatus(201)
    const warnings: Told[] = created.body().data.warnings ?? []
    return warnings.filter((one) => one.rule === rule)
  }

  test('a child zone without delegation in its parent gets a warning', async ({ assert }) => {
    const [warning] = await warningsOf({ name: `a.b.${name}` }, 'parent-delegation')
    assert.include(warning.message, `the zone ${name} above has no NS records for it`)
    assert.include(warning.message, 'at "a.b"')
  })

  test('a dry run has the warning too', async ({ assert }) => {
    const planned = await as.post('/zones?dry_run=true', { name: `dry.${name}` })
    planned.assertStatus(200)
    assert.include(JSON.stringify(planned.body().data), 'parent-delegation')
  })

  test('a clone below another zone gets a warning', async ({ assert }) => {
    const created = await as.post(`/zones/${parent.id}/clone`, { name: `copy.${name}` })
    created.assertStatus(201)
    const rules = created.body().data.warnings.map(({ rule }: Told) => rule)
    assert.include(rules, 'parent-delegation')
  })

  test('there is no warning if the parent has the NS records', async ({ assert }) => {
    const ns = { name: 'child', type: 'NS', content: 'ns1.example.net' }
    await createRecord(as, parent, ns)
    assert.deepEqual(await warningsOf({ name: `child.${name}` }, 'parent-delegation'), [])
  })

  test('disabled NS records do not count as a delegation', async ({ assert }) => {
    const ns = { name: 'off', type: 'NS', content: 'ns1.example.net', disabled: true }
    await createRecord(as, parent, ns)
    assert.lengthOf(await warningsOf({ name: `off.${name}` }, 'parent-delegation'), 1)
  })

  test('there is no warning without a parent zone', async ({ assert }) => {
    assert.deepEqual(await warningsOf({ name: zoneNamed() }, 'parent-delegation'), [])
  })

  test('no warning reveals a hidden parent zone', async ({ client, assert }) => {
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    await withSettings({ dns: { parent_zone_ownership_check: false } }, async () => {
      assert.deepEqual(await warningsOf({ name: `x.${name}` }, 'parent-delegation', stranger), [])
    })
  })

  test('a secondary zone without a transfer gets a warning when it becomes primary', async ({
    assert,
  }) => {
    for (const kind of ['MASTER', 'NATIVE']) {
      const replica = await createZone(as, {
        ...{ name: zoneNamed(), type: 'SLAVE', master: '192.0.2.53' },
      })
      const changed = await as.put(`/zones/${replica.id}`, { type: kind })
      changed.assertStatus(200)
      const rules = changed.body().data.warnings?.map(({ rule }: Told) => rule) ?? []
      assert.deepEqual(rules, ['soa-missing'], kind)
      const { type } = await dataOf(as.get(`/zones/${replica.id}`), 'zone')
      assert.equal(type, kind)
    }
  })

  test('other changes of the type get no warning', async ({ assert }) => {
    const changed = await as.put(`/zones/${parent.id}`, { type: 'NATIVE' })
    changed.assertStatus(200)
    assert.notProperty(changed.body().data, 'warnings')
  })
})
