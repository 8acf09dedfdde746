// @databases @api-backend
import { test } from '@japa/runner'
import { serverZone } from '#tests/support/app/backend'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { externalRows, historyEntries, undo } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

test.group('External changes of properties', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}`
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
  })

  const tagOf = async () => {
    const response = await as.get(path)
    return response.header('etag') ?? ''
  }

  test('changes of type, primaries and account are journaled with the old values and can be undone', async ({
    assert,
  }) => {
    const row = async () => {
      const { type, master, account } = await server.zone().firstOrFail()
      return { type: type.toUpperCase(), master: master ?? '', account: account ?? '' }
    }
    const server = await serverZone(zone)
    const before = await row()
    const tag = await tagOf()
    await server.zone().update({ type: 'SLAVE', master: '192.0.2.53', account: 'others' })
    assert.notEqual(await tagOf(), tag)
    const [entry, ...older] = await historyEntries(as, zone)
    assert.lengthOf(older, 2)
    assert.containsSubset(entry, { entry: 3, channel: 'external', actor: { username: 'external' } })
    assert.containsSubset(entry.properties, {
      before: { kind: before.type, masters: [], account: null },
      after: { kind: 'SLAVE', masters: ['192.0.2.53'], account: 'others' },
    })
    assert.deepEqual(entry.changes, [])
    const undoResponse = await undo(as, zone, 3)
    undoResponse.assertStatus(200)
    assert.deepEqual(await row(), before)
    assert.lengthOf(await historyEntries(as, zone), 4)
    await server.zone().update({ account: 'others' })
    await externalRows(zone, 'www').update({ content: '192.0.2.2' })
    const [both] = await historyEntries(as, zone)
    assert.containsSubset(both, { entry: 5, properties: { after: { account: 'others' } } })
    assert.lengthOf(both.changes, 1)
    const takenResponse = await undo(as, zone, 5)
    takenResponse.assertStatus(200)
    assert.deepEqual(await row(), before)
  })

  test('changes of properties come before the entry of a write', async ({ assert }) => {
    const server = await serverZone(zone)
    await server.zone().update({ account: 'others' })
    await as.put(path, { account: 'mine' })
    const [own, outside, ...older] = await historyEntries(as, zone)
    assert.lengthOf(older, 2)
    assert.containsSubset(outside, {
      channel: 'external',
      properties: { before: { account: null }, after: { account: 'others' } },
    })
    assert.containsSubset(own, {
      channel: 'api',
      properties: { before: { account: 'others' }, after: { account: 'mine' } },
    })
  })

  test('changes of metadata are journaled and can be undone, except those of signing', async ({
    assert,
  }) => {
    const server = await serverZone(zone)
    const kinds = async () => {
      const rows: { kind: string; content: string }[] = await server.rows('domainmetadata')
      return rows.map(({ kind, content }) => `${kind} ${content}`).sort()
    }
    const putResponse = await as.put(`${path}/metadata/ALLOW-AXFR-FROM`, { values: ['192.0.2.1'] })
    putResponse.assertStatus(200)
    assert.lengthOf(await historyEntries(as, zone), 3)
    const before = await kinds()
    await server.rows('domainmetadata').where('kind', 'ALLOW-AXFR-FROM').delete()
    await server.add('domainmetadata', [
      { kind: 'ALSO-NOTIFY', content: '192.0.2.7' },
      { kind: 'PRESIGNED', content: '0' },
    ])
    const [entry, ...older] = await historyEntries(as, zone)
    assert.lengthOf(older, 3)
    assert.equal(entry.channel, 'external')
    assert.deepEqual(entry.properties.before.metadata, {
      'ALLOW-AXFR-FROM': ['192.0.2.1'],
      'ALSO-NOTIFY': [],
    })
    assert.deepEqual(entry.properties.after.metadata, {
      'ALLOW-AXFR-FROM': [],
      'ALSO-NOTIFY': ['192.0.2.7'],
    })
    const undoResponse = await undo(as, zone, entry.entry)
    undoResponse.assertStatus(200)
    assert.deepEqual(await kinds(), [...before, 'PRESIGNED 0'].sort())
    assert.lengthOf(await historyEntries(as, zone), 5)
  })

  test('changes of metadata are journaled from the first read of the zone on', async ({
    assert,
  }) => {
    await tagOf()
    const server = await serverZone(zone)
    await server.add('domainmetadata', { kind: 'ALSO-NOTIFY', content: '192.0.2.7' })
    const [entry, ...older] = await historyEntries(as, zone)
    assert.lengthOf(older, 2)
    assert.containsSubset(entry, {
      channel: 'external',
      properties: { after: { metadata: { 'ALSO-NOTIFY': ['192.0.2.7'] } } },
    })
  })

  test('changes of metadata come before the entry of a write', async ({ assert }) => {
    const server = await serverZone(zone)
    await historyEntries(as, zone)
    await server.add('domainmetadata', { kind: 'ALSO-NOTIFY', content: '192.0.2.7' })
    const putResponse = await as.put(`${path}/metadata/ALSO-NOTIFY`, { values: ['192.0.2.8'] })
    putResponse.assertStatus(200)
    const [own, outside, ...older] = await historyEntries(as, zone)
    assert.lengthOf(older, 2)
    const values = (entry: { properties: object }) => entry.properties
    assert.containsSubset(values(outside), {
      before: { metadata: { 'ALSO-NOTIFY': [] } },
      after: { metadata: { 'ALSO-NOTIFY': ['192.0.2.7'] } },
    })
    assert.containsSubset(values(own), {
      before: { metadata: { 'ALSO-NOTIFY': ['192.0.2.7'] } },
      after: { metadata: { 'ALSO-NOTIFY': ['192.0.2.8'] } },
    })
  })
})
