import type { ApiClient } from '@japa/api-client'
import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { createStage, requestOf, type Staged } from '#tests/support/access/fixtures'
import { TABLE, type Row } from '#tests/support/access/matrix_row'
import {
  ACCESS_MEMBERS,
  METADATA_WIDENING,
  WIDENING,
  ZONE_MEMBERS,
} from '#tests/support/access/key_widening'
import { caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Restrictions } from '#tests/support/app/people/people'

import { cloneZoneValidator, createZoneValidator, updateZoneValidator } from '#validators/zone'

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']
const YEAR_MS = 365 * 86_400_000

/** Each kind of restriction, with operations that allow the requests. */
const RESTRICTIONS: Record<string, Restrictions> = {
  'some operations': { operations: ['create', 'update', 'delete'] },
  'a network': { networks: ['127.0.0.0/8', '::1/128'] },
  'an end': { expiresAt: new Date(Date.now() + YEAR_MS).toISOString() },
  'idle days': { idleDays: 30 },
}

/** The same restrictions with operations that allow dry runs, which read. */
const READING = {
  ...RESTRICTIONS,
  'some operations': { operations: ['view', 'create', 'update'] },
} satisfies Record<string, Restrictions>

const refusedRows = TABLE.filter(({ route }) => WIDENING[route] === 'refused')
const titleOf = ({ route, about }: Row) => (about ? `${route} (${about})` : route)

test.group('Restricted API keys', (group) => {
  let staged: Staged
  const keys = new Map<string, string>()
  let ready: Promise<void> | undefined

  const setUp = async (client: ApiClient) => {
    staged = await createStage(client)
    const admin = await administrator()
    for (const [name, restrictions] of Object.entries(RESTRICTIONS)) {
      const { key } = await keyFor(admin, restrictions)
      keys.set(name, key)
    }
  }
  group.each.setup((t) => (ready ??= setUp(t.context.client)))

  test('every writing route has an entry in the widening table', ({ assert }) => {
    const routes = Object.values(router.toJSON())
      .flat()
      .filter(({ pattern }) => pattern.startsWith('/api/v2/'))
      .flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern}`))
      .filter((route) => WRITES.includes(route.split(' ')[0]))
    assert.deepEqual(Object.keys(WIDENING).sort(), [...new Set(routes)].sort())
  })

  for (const row of refusedRows) {
    test(`a restricted key cannot widen itself by ${titleOf(row)}`, async ({ client, assert }) => {
      for (const [name, key] of keys) {
        const response = await requestOf(client, row, staged.props, key)
        assert.equal(response.status(), 403, name)
        assert.match(response.body().message, /this API key|an API key with restrictions/, name)
      }
    })
  }

  for (const [member, value] of Object.entries(ACCESS_MEMBERS)) {
    test(`a restricted key cannot change '${member}' of a user or an administrator`, async ({
      client,
      assert,
    }) => {
      const owner = await person({ permissions: ['user_edit_own', 'user_edit_others'] })
      const admin = await administrator()
      for (const [name, restrictions] of Object.entries(RESTRICTIONS)) {
        for (const user of [owner, admin]) {
          const { key } = await keyFor(user, restrictions)
          const as = caller(client, { ...user, key })
          const response = await as.put(`/users/${owner.id}`, { [member]: value })
          assert.equal(response.status(), 403, `${user.username} with ${name}`)
        }
      }
      const unrestricted = await caller(client, admin).put(`/users/${owner.id}`, {
        [member]: value,
      })
      unrestricted.assertStatus(200)
    })
  }

  test('every member of a zone body has an entry in the widening table', ({ assert }) => {
    const validators = {
      'POST /zones': createZoneValidator,
      'POST /zones/:id/clone': cloneZoneValidator,
      'PUT /zones/:id': updateZoneValidator,
    }
    for (const [route, validator] of Object.entries(validators)) {
      const { schema } = validator.toJSON().schema
      const members = 'properties' in schema ? schema.properties : []
      assert.sameMembers(
        members.map(({ fieldName }) => fieldName),
        Object.keys(ZONE_MEMBERS[route])
      )
    }
  })

  for (const [route, members] of Object.entries(ZONE_MEMBERS)) {
    test(`a restricted key cannot grant others access to a zone by members of ${route}`, async ({
      client,
      assert,
    }) => {
      const owner = await person({ template: 'Zone Manager' })
      const admin = await administrator()
      const zone = await createZone(caller(client, admin), { name: zoneNamed('members') })
      const path = route.split(' ')[1].replace(':id', String(zone.id))
      const found: string[] = []
      for (const [name, restrictions] of Object.entries(READING)) {
        const { key } = await keyFor(admin, restrictions)
        const as = caller(client, { ...admin, key })
        for (const [member, { value, requires: beside }] of Object.entries(members)) {
          const needed = route.startsWith('POST') ? { name: zoneNamed('new') } : {}
          const body = { ...needed, ...beside, [member]: value, dry_run: true }
          const id = member === 'owner_user_id' ? { owner_user_id: owner.id } : {}
          const response = route.startsWith('POST')
            ? await as.post(path, { ...body, ...id })
            : await as.put(path, body)
          const isRefused = /this API key is restricted by/.test(String(response.body().message))
          found.push(`${name}: ${member} ${isRefused ? 'refused' : 'nothing'}`)
        }
      }
      const expected = Object.keys(READING).flatMap((name) =>
        Object.entries(members).map(([member, { gains }]) => `${name}: ${member} ${gains}`)
      )
      assert.deepEqual(found, expected)
    })
  }

  test('a restricted key cannot grant others access to a zone by writing or deleting metadata', async ({
    client,
    assert,
  }) => {
    const admin = await administrator()
    const zone = await createZone(caller(client, admin), { name: zoneNamed('kinds') })
    const { key } = await keyFor(admin, { networks: RESTRICTIONS['a network'].networks })
    const as = caller(client, { ...admin, key })
    for (const [kind, widening] of Object.entries(METADATA_WIDENING)) {
      const path = `/zones/${zone.id}/metadata/${kind}`
      const written = await as.put(path, { values: ['!'] })
      const deleted = await as.delete(path)
      for (const response of [written, deleted]) {
        const isRefused = /restricted by networks .* metadata/.test(String(response.body().message))
        assert.equal(isRefused, widening !== 'nothing', kind)
      }
    }
  })

  test('a restricted key cannot grant access or rename its zone by undo', async ({ client }) => {
    const admin = await administrator()
    const free = caller(client, admin)
    const zone = await createZone(free, { name: zoneNamed('undone') })
    const at = `/zones/${zone.id}`
    await free.put(`${at}/metadata/ALLOW-DNSUPDATE-FROM`, { values: ['192.0.2.0/24'] })
    await free.delete(`${at}/metadata/ALLOW-DNSUPDATE-FROM`)
    const history = await free.get(`${at}/history`)
    const [{ entry }] = history.body().data.entries as { entry: number }[]
    const { key } = await keyFor(admin, { idleDays: 30 })
    const undoResponse = await caller(client, { ...admin, key }).post(
      `${at}/history/${entry}/undo?dry_run=true`,
      {}
    )
    undoResponse.assertStatus(403)
    const scoped = await keyFor(admin, { zones: [zone] })
    const as = caller(client, { ...admin, key: scoped.key })
    const renamed = await as.put(at, { name: zoneNamed('other') })
    renamed.assertStatus(403)
    renamed.assertBodyContains({
      message:
        "Forbidden: this API key is restricted to specific zones and cannot change their 'name'",
    })
    const repeatedResponse = await as.put(at, { name: zone.name, description: 'of the zone' })
    repeatedResponse.assertStatus(200)
  })

  test('a restricted key changes harmless members of its user, and may repeat the others', async ({
    client,
    assert,
  }) => {
    const owner = await person({ permissions: ['user_edit_own'] })
    const email = `${owner.username}@example.net`
    await db.from('zw_users').where('id', owner.id).update({ email })
    for (const [name, restrictions] of Object.entries(RESTRICTIONS)) {
      const { key } = await keyFor(owner, restrictions)
      const as = caller(client, { ...owner, key })
      const body = { fullname: name, username: owner.username, email }
      const response = await as.put(`/users/${owner.id}`, body)
      assert.equal(response.status(), 200, name)
    }
  })
})
