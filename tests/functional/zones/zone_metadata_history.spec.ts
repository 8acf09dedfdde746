// @databases @api-backend(all)
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { newest, undo } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { lastEntryOf, serialOf, stateOf } from '#tests/support/app/zones/zones'

test.group('Metadata in the history of a zone', (tests) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  let at: string
  tests.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    at = `/zones/${zone.id}/metadata`
  })
  const put = (kind: string, ...values: string[]) => as.put(`${at}/${kind}`, { values })
  const stored = async () => {
    const kinds: { kind: string; values: string[] }[] = await dataOf(as.get(at), 'metadata')
    return Object.fromEntries(kinds.map(({ kind, values }) => [kind, values]))
  }

  test('a change creates an entry with its reason and an event, and equal values do not', async ({
    assert,
  }) => {
    const values = ['192.0.2.1', '192.0.2.2']
    const first = await as
      .put(`${at}/ALSO-NOTIFY`, { values })
      .header('X-Change-Reason', 'new replicas')
    first.assertStatus(200)
    const entry = await lastEntryOf(zone.id)
    assert.containsSubset(entry, {
      reason: 'new replicas',
      username: admin.username,
      zone_before: { metadata: { 'ALSO-NOTIFY': [] } },
      zone_after: { metadata: { 'ALSO-NOTIFY': values } },
      changes: [],
    })
    const event = await db
      .from('zw_audit')
      .where({ action: 'zone.changed', object_id: zone.id })
      .orderBy('id', 'desc')
      .first()
    assert.deepEqual(JSON.parse(event.detail), { entry: entry.entry, properties: true })

    const before = await stateOf(zone.id)
    await expectStatus(put('ALSO-NOTIFY', ' 192.0.2.2 ', '192.0.2.1'), 200)
    await expectStatus(as.delete(`${at}/IXFR`), 200)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('history and difference include metadata for users who may read it', async ({
    client,
    assert,
  }) => {
    await expectStatus(put('IXFR', '0'), 200)
    await expectStatus(put('IXFR', '1'), 200)
    await expectStatus(put('SOA-EDIT', 'EPOCH'), 200)
    await expectStatus(as.delete(`${at}/SOA-EDIT`), 200)
    const history = `/zones/${zone.id}/history`
    const entries = await dataOf(as.get(history), 'entries')
    const changedProperties = entries.map(({ properties }: { properties: object }) => properties)
    assert.deepEqual(changedProperties[0], {
      before: { metadata: { 'SOA-EDIT': ['EPOCH'] } },
      after: { metadata: { 'SOA-EDIT': [] } },
    })
    assert.deepEqual(changedProperties[2], {
      before: { metadata: { IXFR: ['0'] } },
      after: { metadata: { IXFR: ['1'] } },
    })
    const diff = `/zones/${zone.id}/diff`
    assert.deepEqual(await dataOf(as.get(`${diff}?from=1`), 'properties'), {
      before: { metadata: { IXFR: [] } },
      after: { metadata: { IXFR: ['1'] } },
    })
    assert.deepEqual(await dataOf(as.get(`${diff}?from=3&to=4`), 'properties'), {
      before: { metadata: { 'SOA-EDIT': [] } },
      after: { metadata: { 'SOA-EDIT': ['EPOCH'] } },
    })
    assert.deepEqual(await dataOf(as.get(`${diff}?from=3&to=5`), 'properties'), {
      before: {},
      after: {},
    })
    await expectStatus(as.get(`/zones/${zone.id}/at?entry=2`), 200)

    const reader = await person({ permissions: ['zone_logs_view_own', 'zone_content_view_own'] })
    await expectStatus(as.post(`/zones/${zone.id}/owners`, { user_id: reader.id }), 201)
    const asUser = caller(client, reader)
    for (const path of [history, `${history}/3`, `${diff}?from=1`]) {
      const response = await asUser.get(path)
      response.assertStatus(200)
      assert.notInclude(response.text(), 'IXFR')
    }
  })

  test('undo restores earlier values, and can be undone', async ({ assert }) => {
    await expectStatus(put('ALLOW-AXFR-FROM', '192.0.2.0/24', 'AUTO-NS'), 200)
    await expectStatus(put('ALLOW-AXFR-FROM', '192.0.2.1'), 200)
    await expectStatus(as.delete(`${at}/ALLOW-AXFR-FROM`), 200)
    const states: object[] = [
      {},
      { 'ALLOW-AXFR-FROM': ['192.0.2.0/24', 'AUTO-NS'] },
      { 'ALLOW-AXFR-FROM': ['192.0.2.1'] },
    ]
    for (const entry of [4, 3, 2]) {
      const response = await undo(as, zone, entry)
      response.assertStatus(200)
      assert.deepEqual(await stored(), states[entry - 2])
    }
    await expectStatus(undo(as, zone, await newest(zone)), 200)
    assert.deepEqual(await stored(), states[1])
  })

  test('later changes are conflicts, listed by kind', async ({ assert }) => {
    await expectStatus(put('IXFR', '0'), 200)
    await expectStatus(put('SOA-EDIT', 'EPOCH'), 200)
    await expectStatus(put('IXFR', '1'), 200)
    const before = await stateOf(zone.id)
    const response = await undo(as, zone, 2)
    response.assertStatus(409)
    assert.include(response.body().message, 'later changes of metadata IXFR')
    assert.deepEqual(response.body().data.conflicts, [
      { name: zone.name, type: '', property: 'metadata', kind: 'IXFR', entry: 4 },
    ])
    assert.deepEqual(await stateOf(zone.id), before)
    await expectStatus(undo(as, zone, 3), 200)
    assert.deepEqual(await stored(), { IXFR: ['1'] })
  })

  test('undo keeps a change written between its check and its lock', async ({ assert }) => {
    await expectStatus(put('IXFR', '1'), 200)
    const manager = await app.container.make(BackendManager)
    const backend = manager.use()
    const metadataOf = backend.metadataOf
    backend.metadataOf = async (of) => {
      backend.metadataOf = metadataOf
      const seen = await backend.metadataOf(of)
      await expectStatus(put('IXFR', '0'), 200)
      return seen
    }
    const response = await undo(as, zone, 2)
    response.assertStatus(409)
    assert.deepEqual(response.body().data.conflicts, [
      { name: zone.name, type: '', property: 'metadata', kind: 'IXFR', entry: 3 },
    ])
    assert.deepEqual(await stored(), { IXFR: ['0'] })
    assert.equal(await newest(zone), 3)
  })

  test('undo requires the permission on the kind, and is refused if the values become invalid', async ({
    client,
    assert,
  }) => {
    const manager = await person({ template: 'Zone Manager' })
    await expectStatus(as.post(`/zones/${zone.id}/owners`, { user_id: manager.id }), 201)
    await expectStatus(put('ENABLE-LUA-RECORDS', '1'), 200)
    const asUser = caller(client, manager)
    await expectStatus(undo(asUser, zone, 2), 403)
    await expectStatus(undo(as, zone, 2), 200)
    await expectStatus(put('NSEC3PARAM', '1 0 0 -'), 200)
    await expectStatus(put('NSEC3NARROW', '1'), 200)
    const before = await stateOf(zone.id)
    await expectStatus(undo(asUser, zone, 4), 422)
    assert.deepEqual(await stateOf(zone.id), before)
  }).tags(['@sql'])

  test('a dry run returns the plan and changes nothing', async ({ assert }) => {
    const before = await stateOf(zone.id)
    const planned = await as.put(`${at}/NSEC3PARAM?dry_run=true`, { values: ['1 0 0 -'] })
    planned.assertStatus(200)
    const [plan] = planned.body().data.plan.zones
    assert.deepEqual(plan.properties, {
      before: { metadata: { NSEC3PARAM: [] } },
      after: { metadata: { NSEC3PARAM: ['1 0 0 -'] } },
    })
    assert.isAbove(plan.serial_after, await serialOf(zone.id))
    await expectStatus(as.delete(`${at}/NSEC3PARAM?dry_run=true`), 200)
    await expectStatus(as.put(`${at}/IXFR?dry_run=true`, { values: ['2'] }), 422)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('equal values have equal tags, and a stale tag writes nothing', async ({ assert }) => {
    const path = `${at}/ALSO-NOTIFY`
    const written = await put('ALSO-NOTIFY', '192.0.2.1', '192.0.2.2')
    const tag = written.header('etag')!
    const read = await as.get(path)
    assert.equal(read.header('etag'), tag)
    await expectStatus(as.get(path).header('If-None-Match', tag), 304)
    await expectStatus(put('ALSO-NOTIFY', '192.0.2.3'), 200)
    const before = await stateOf(zone.id)
    const staleResponse = await put('ALSO-NOTIFY', '192.0.2.4').header('If-Match', tag)
    staleResponse.assertStatus(412)
    const current = { kind: 'ALSO-NOTIFY', values: ['192.0.2.3'] }
    assert.deepEqual(staleResponse.body().data, { current })
    const now = staleResponse.header('etag')!
    await expectStatus(put('ALSO-NOTIFY', '192.0.2.4').header('If-None-Match', '*'), 412)
    await expectStatus(put('IXFR', '1').header('If-Match', '*'), 412)
    await expectStatus(as.delete(path).header('If-Match', tag), 412)
    assert.deepEqual(await stateOf(zone.id), before)
    await expectStatus(put('IXFR', '1').header('If-None-Match', '*'), 200)
    await expectStatus(as.delete(path).header('If-Match', now), 200)
    assert.deepEqual(await stored(), { IXFR: ['1'] })
  })

  test('of concurrent writers of one kind one succeeds with all of its values', async ({
    assert,
  }) => {
    const lists = Array.from({ length: 6 }, (_, i) => [`192.0.2.${i}`, `198.51.100.${i}`])
    const answers = await Promise.all(lists.map((values) => put('ALSO-NOTIFY', ...values)))
    answers.forEach((answer) => answer.assertStatus(200))
    const { 'ALSO-NOTIFY': values } = await stored()
    assert.includeDeepMembers(lists, [values])
    assert.equal(await newest(zone), 1 + lists.length)
  })

  test('a restored zone has its metadata', async ({ assert }) => {
    await expectStatus(put('ALSO-NOTIFY', '192.0.2.1', '192.0.2.2'), 200)
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    const trash = await dataOf(as.get('/trash'), 'zones')
    const { id } = trash.find((item: { zone_name: string }) => item.zone_name === zone.name)
    await expectStatus(as.post(`/trash/${id}/restore`, {}), 201)
    assert.deepEqual(await stored(), { 'ALSO-NOTIFY': ['192.0.2.1', '192.0.2.2'] })
  })
})
