import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import type { Permission } from '#access/permissions'
import {
  caller,
  type Caller,
  expectStatus,
  createRecord,
  createZone,
  dataOf,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  person,
  type Person,
  type PersonOptions,
} from '#tests/support/app/people/people'
import { rowCounts, stateOf } from '#tests/support/app/zones/zones'

let admin: Person

/** Creates a user who owns a zone that an administrator created. */
async function ownerOf(client: ApiClient, options: PersonOptions) {
  const owner = await person(options)
  const root = caller(client, admin)
  const zone = await createZone(root, { name: zoneNamed(), owner_user_id: owner.id })
  const record = await createRecord(root, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
  const soa = await dataOf(root.get(`/zones/${zone.id}/records?type=SOA`), 'records.0')
  return { owner, zone, record, soa, as: caller(client, owner), root }
}

const NS = { name: '@', type: 'NS', content: 'ns1.example.net' }
const SUBZONE_NS = { name: 'sub', type: 'NS', content: 'ns1.example.net' }
const ADDRESS = { name: 'b', type: 'A', content: '192.0.2.2' }

interface Step {
  allowed: boolean
  what: string
  call: (as: Caller, at: string, recordId: number, soaId: number) => ReturnType<Caller['get']>
}

/** Requests on a zone. The deletion comes last. */
const STEPS: Omit<Step, 'allowed'>[] = [
  { what: 'view', call: (as, at) => as.get(at) },
  { what: 'view', call: (as, at) => as.get(`${at}/records`) },
  { what: 'view', call: (as, at, id) => as.get(`${at}/records/${id}`) },
  { what: 'description', call: (as, at) => as.put(at, { description: 'mine' }) },
  { what: 'records', call: (as, at) => as.post(`${at}/records`, ADDRESS) },
  { what: 'records', call: (as, at, id) => as.put(`${at}/records/${id}`, { ttl: 60 }) },
  { what: 'subzone', call: (as, at) => as.post(`${at}/records`, SUBZONE_NS) },
  { what: 'zone records', call: (as, at) => as.post(`${at}/records`, NS) },
  {
    what: 'zone records',
    call: (as, at, _, soa) => as.put(`${at}/records/${soa}`, { ttl: 120 }),
  },
  { what: 'records', call: (as, at, id) => as.delete(`${at}/records/${id}`) },
  { what: 'properties', call: (as, at) => as.put(at, { account: 'mine' }) },
  { what: 'properties', call: (as, at) => as.put(at, { name: zoneNamed('renamed') }) },
  { what: 'type', call: (as, at) => as.put(at, { type: 'NATIVE' }) },
  { what: 'deletion', call: (as, at) => as.delete(at) },
]

const ROLES: [role: string, options: PersonOptions, may: string[]][] = [
  ['A viewer', { template: 'Viewer' }, ['view']],
  ['An editor', { template: 'Editor' }, ['view', 'description', 'records']],
  [
    'An editor who may delegate',
    {
      permissions: [
        'zone_content_view_own',
        'zone_content_edit_own_as_client',
        'zone_content_edit_ns_subzone',
      ],
    },
    ['view', 'description', 'records', 'subzone'],
  ],
  [
    'A full editor',
    { permissions: ['zone_content_view_own', 'zone_content_edit_own'] },
    ['view', 'description', 'records', 'subzone', 'zone records'],
  ],
  [
    'Who may only change settings',
    { permissions: ['zone_content_view_own', 'zone_meta_edit_own'] },
    ['view', 'properties'],
  ],
  ['A zone manager', { template: 'Zone Manager' }, STEPS.map(({ what }) => what)],
  [
    'Who may only delete',
    { permissions: ['zone_content_view_own', 'zone_delete_own'] },
    ['view', 'deletion'],
  ],
]

test.group('Permissions of an owner', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  for (const [role, options, may] of ROLES) {
    test(`${role} may only ${[...new Set(may)].join(', ')}`, async ({ client, assert }) => {
      const { zone, record, soa, as } = await ownerOf(client, options)
      for (const { what, call } of STEPS) {
        const before = await stateOf(zone.id)
        const response = await call(as, `/zones/${zone.id}`, record.id, soa.id)
        const story = `${what}: ${response.text()}`
        if (may.includes(what)) {
          assert.isBelow(response.status(), 300, story)
        } else {
          assert.equal(response.status(), 403, story)
          assert.deepEqual(await stateOf(zone.id), before)
        }
      }
    })
  }

  test('a client-level editor can neither change a record to NS nor delete an NS record', async ({
    client,
  }) => {
    const { zone, record, as, root } = await ownerOf(client, { template: 'Editor' })
    const ns = await createRecord(root, zone, NS)
    const at = `/zones/${zone.id}/records`
    const attempts = [
      await as.put(`${at}/${record.id}`, { type: 'NS', content: 'ns1.example.net' }),
      await as.put(`${at}/${ns.id}`, { type: 'A', content: '192.0.2.1' }),
      await as.put(`${at}/${ns.id}`, { disabled: true }),
      await as.delete(`${at}/${ns.id}`),
    ]
    attempts.forEach((response) => response.assertStatus(403))
  })

  test('the permission is checked before the record is validated', async ({ client }) => {
    const { zone, soa, as } = await ownerOf(client, { template: 'Editor' })
    const at = `/zones/${zone.id}/records`
    const attempts = [
      await as.delete(`${at}/${soa.id}`),
      await as.put(`${at}/${soa.id}`, { type: 'A', content: '192.0.2.1' }),
      await as.post(at, { name: '@', type: 'SOA', content: 'no SOA content' }),
      await as.post(at, { name: '@', type: 'NS', content: '192.0.2.1' }),
    ]
    attempts.forEach((response) => response.assertStatus(403))
  })

  test('a change of the zone type requires the permission to create zones of the new type', async ({
    client,
  }) => {
    const permissions: Permission[] = [
      'zone_content_view_own',
      'zone_meta_edit_own',
      'zone_master_add',
    ]
    const { zone, as } = await ownerOf(client, { permissions })
    const secondary = await as.put(`/zones/${zone.id}`, { type: 'SLAVE', master: '192.0.2.1' })
    secondary.assertStatus(403)
    await expectStatus(as.put(`/zones/${zone.id}`, { type: 'NATIVE' }), 200)
  })
})

test.group('Permission to create zones', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  for (const [permissions, kinds] of [
    [['zone_master_add'], ['MASTER', 'NATIVE']],
    [['zone_slave_add'], ['SLAVE']],
    [[], []],
  ] as [Permission[], string[]][]) {
    test(`'${permissions.join()}' allows ${kinds.join(' and ') || 'no zone type'}`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, await person({ permissions }))
      for (const type of ['MASTER', 'NATIVE', 'SLAVE']) {
        const before = await rowCounts()
        const response = await as.post('/zones', { name: zoneNamed(), type, master: '192.0.2.1' })
        response.assertStatus(kinds.includes(type) ? 201 : 403)
        if (!kinds.includes(type)) {
          assert.deepEqual(await rowCounts(), before)
        }
      }
    })
  }

  test('an invalid type gets 403 without any create permission, and 400 with one', async ({
    client,
  }) => {
    const guest = await caller(client, await person()).post('/zones', { name: 'x', type: 'FOO' })
    guest.assertStatus(403)
    const root = await caller(client, admin).post('/zones', { name: zoneNamed(), type: 'FOO' })
    root.assertStatus(400)
  })

  test('creating a zone for another user requires a permission on other zones', async ({
    client,
  }) => {
    const otherUser = await person()
    const manager = caller(client, await person({ template: 'Zone Manager' }))
    const input = { name: zoneNamed(), owner_user_id: otherUser.id }
    await expectStatus(manager.post('/zones', input), 403)
    const permissions: Permission[] = ['zone_master_add', 'zone_content_edit_others']
    const editor = caller(client, await person({ permissions }))
    await expectStatus(editor.post('/zones', input), 201)
  })
})

test.group('Repeating stored values', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('stored values require no permission on settings and write no entry', async ({
    client,
    assert,
  }) => {
    const root = caller(client, admin)
    for (const template of ['Viewer', 'Editor']) {
      const owner = await person({ template })
      const as = caller(client, owner)
      const name = zoneNamed()
      const zone = await createZone(root, {
        name,
        type: 'SLAVE',
        master: '192.0.2.1,[2001:db8::1]:5300',
        owner_user_id: owner.id,
      })
      const before = await stateOf(zone.id)
      for (const body of [
        { name },
        { name: `${name}.` },
        { name: name.toUpperCase() },
        { type: 'SLAVE' },
        { type: 'slave' },
        { master: '192.0.2.1,[2001:db8::1]:5300' },
        { master: ' 192.0.2.1 , [2001:DB8:0::1]:5300 ' },
        { masters: ['192.0.2.1', '[2001:db8::1]:5300'] },
        { name, type: 'Slave', master: '192.0.2.1, [2001:db8::1]:5300', account: '' },
      ]) {
        const response = await as.put(`/zones/${zone.id}`, body)
        assert.equal(response.status(), 200, `${template} ${JSON.stringify(body)}`)
        assert.equal(response.body().data.zone.name, name)
      }
      assert.deepEqual(await stateOf(zone.id), before)
    }
  })
})
