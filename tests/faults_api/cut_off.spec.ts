import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import env from '#support/env'
import { eventsWith } from '#tests/support/app/audit'
import { journalOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'
import { ApiScene, type SceneZone } from '#tests/support/faults/api_scene'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

let scene: ApiScene
let zone: SceneZone

/** What the audit log tells of the zone after its creation: who did what, and which entry has the rest. */
async function eventsOf({ id }: SceneZone) {
  const events = await eventsWith({ object_kind: 'zone', object_id: id })
  return events
    .filter(({ action }) => !['zone.created', 'zone.owner_added'].includes(action))
    .map(({ action, username, channel, detail }) => [action, username, channel, detail.entry])
}

/** What stands in the outbox for the zone, or stood there: replicas there are none. */
async function followsOf({ id }: SceneZone): Promise<string[]> {
  const rows = await db.from('zw_outbox').where('zone_id', id)
  return rows.map(({ kind }) => kind)
}

test.group('Writes that a name server made, and did not confirm', (group) => {
  group.each.timeout(120_000)
  group.setup(async () => {
    scene = await ApiScene.start({
      APPROVAL_ENABLED: 'true',
      DNSSEC_ENABLED: 'true',
      DNS_DEFAULT_NS: 'ns1.example.net,ns2.example.net',
    })
    return () => scene.stop()
  })
  group.each.setup(async () => {
    zone = await scene.zone({ type: 'MASTER' })
  })

  test('records get their event in the audit log, and replicas are told', async ({ assert }) => {
    scene.loseAfter('PATCH', zone)
    const lostAnswer = await scene.call('POST', `/zones/${zone.id}/records`, RECORD)
    assert.equal(lostAnswer.status, 502)
    await db.from('zw_outbox').delete()
    assert.deepEqual(await eventsOf(zone), [])

    scene.proxy.heal()
    scene.proxy.fate = ({ path }) => (path.endsWith('/notify') ? 'cut before' : 'pass')
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const { username } = scene.admin
    assert.deepEqual(await eventsOf(zone), [['zone.changed', username, 'api', 2]])
    assert.deepEqual(await followsOf(zone), ['notify'])
    assert.equal(await scene.pending(), 0)
  })

  test('comments and the link to a template are kept, once that is found out', async ({
    assert,
  }) => {
    const template = { name: `of ${zone.name}`, description: '' }
    const { body } = await scene.call('POST', '/zone-templates', template)
    const { id } = body.data
    const given = { name: 'given', type: 'A', content: '192.0.2.7', ttl: 300 }
    await scene.call('POST', `/zone-templates/${id}/records`, given)
    const { type, ttl, content } = RECORD
    const records = [{ content, comment: 'of the web server' }]

    scene.loseAfter('PATCH', zone)
    const add = { op: 'add', name: `www.${zone.name}`, type, ttl, records }
    const lostAnswer = await scene.call('POST', '/changes', { actions: [add] })
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
    scene.proxy.heal()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const { body: file } = await scene.until([200], 'GET', `/zones/${zone.id}/export`)
    assert.match(file.data.zone_file, /192\.0\.2\.1 ; of the web server$/m)

    scene.loseAfter('PATCH', zone)
    const sync = { zones: [zone.id], link: true }
    const cut = await scene.call('POST', `/zone-templates/${id}/sync`, sync)
    assert.equal(cut.status, 502, JSON.stringify(cut.body))
    const links = () => db.from('zw_zone_template_links').where('template_id', id)
    assert.isEmpty(await links())
    scene.proxy.heal()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const [link] = await links()
    assert.include(link.given, given.content)
    const events = await eventsOf(zone)
    assert.deepEqual(
      events.map(([action, username]) => [action, username]),
      [
        ['zone.changed', scene.admin.username],
        ['zone.template_linked', scene.admin.username],
        ['zone.changed', scene.admin.username],
      ]
    )
    assert.equal(await scene.pending(), 0)
  })

  test('a link to a template that is gone by then is left out', async ({ assert }) => {
    const template = { name: `of ${zone.name}`, description: '' }
    const { body } = await scene.call('POST', '/zone-templates', template)
    const { id } = body.data
    const given = { name: 'given', type: 'A', content: '192.0.2.7', ttl: 300 }
    await scene.call('POST', `/zone-templates/${id}/records`, given)
    scene.loseAfter('PATCH', zone)
    const sync = { zones: [zone.id], link: true }
    const cut = await scene.call('POST', `/zone-templates/${id}/sync`, sync)
    assert.equal(cut.status, 502, JSON.stringify(cut.body))
    const gone = await scene.call('DELETE', `/zone-templates/${id}`)
    assert.include([200, 204], gone.status, JSON.stringify(gone.body))
    scene.proxy.heal()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    assert.lengthOf(await journalOf(zone.id), 2)
    assert.equal(await scene.pending(), 0)
  })

  test('comments on zones whose records stay come with the others, and over none that came since', async ({
    assert,
  }) => {
    const [otherZone, third] = [await scene.zone(), await scene.zone()]
    for (const { id } of [otherZone, third]) {
      await scene.until([201], 'POST', `/zones/${id}/records`, RECORD)
    }
    const { type, ttl, content } = RECORD
    const noted = ({ name }: SceneZone, comment: string) => {
      return { op: 'set', name: `www.${name}`, type, ttl, records: [{ content, comment }] }
    }
    const actions = [zone, otherZone, third].map((one) => noted(one, 'of all'))
    scene.loseAfter('PATCH', zone)
    const lostAnswer = await scene.call('POST', '/changes', { actions })
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
    scene.proxy.heal()
    await scene.until([201], 'POST', '/changes', { actions: [noted(third, 'of one')] })
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    for (const { id } of [zone, otherZone, third]) {
      const { body: file } = await scene.until([200], 'GET', `/zones/${id}/export`)
      const said = id === third.id ? 'of one' : 'of all'
      assert.match(file.data.zone_file, new RegExp(`192\\.0\\.2\\.1 ; ${said}$`, 'm'))
      if (id === zone.id) continue
      const entries = await journalOf(id)
      assert.lengthOf(entries, 3)
      assert.include(JSON.stringify(entries[2].changes), said)
    }
    const events = await eventsOf(otherZone)
    assert.deepEqual(events.at(-1), ['zone.changed', scene.admin.username, 'api', 3])
    assert.equal(await scene.pending(), 0)
  })

  test('comments on records that are gone by then are left out, of the journal and of what is kept', async ({
    assert,
  }) => {
    const otherZone = await scene.zone()
    const text = { name: 'text', type: 'TXT', content: '"a"', ttl: 300 }
    for (const { id } of [zone, otherZone]) {
      await scene.until([201], 'POST', `/zones/${id}/records`, text)
    }
    const noted = (record: typeof RECORD, { name }: SceneZone) => {
      const { type, ttl, content } = record
      const records = [{ content, comment: 'too late' }]
      return { op: 'set', name: `${record.name}.${name}`, type, ttl, records }
    }
    const { type, ttl, content } = RECORD
    const add = { op: 'add', name: `www.${zone.name}`, type, ttl, records: [{ content }] }
    scene.loseAfter('PATCH', zone)
    const actions = [add, noted(text, zone), noted(text, otherZone)]
    const lostAnswer = await scene.call('POST', '/changes', { actions })
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
    for (const { name } of [zone, otherZone]) {
      await scene.clearOutside(name, { name: `text.${name}`, type: 'TXT' })
    }
    scene.proxy.heal()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    for (const { id } of [zone, otherZone]) {
      assert.notInclude(JSON.stringify(await journalOf(id)), 'too late')
      assert.isEmpty(await db.from('zw_record_comments').where('zone_id', id))
    }
    const [made] = await eventsOf(zone).then((events) => events.slice(-1))
    assert.deepEqual(made, ['zone.changed', scene.admin.username, 'api', 3])
    assert.equal(await scene.pending(), 0)
  })

  test('properties are told by the history, and stand in own tables', async ({ assert }) => {
    scene.loseAfter('PUT', zone)
    const wish = { type: 'NATIVE', account: 'somebody', description: 'Of many words' }
    const lostAnswer = await scene.call('PUT', `/zones/${zone.id}`, wish)
    assert.equal(lostAnswer.status, 502)

    scene.proxy.heal()
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    const [, found] = await journalOf(zone.id)
    const { username, zone_before: before, zone_after: after } = found
    assert.equal(username, scene.admin.username)
    assert.deepEqual(before, { kind: 'MASTER', account: null, description: null })
    assert.deepEqual(after, { kind: 'NATIVE', account: 'somebody', description: 'Of many words' })
    const row = await db.from('zw_zones').where('id', zone.id).firstOrFail()
    assert.deepInclude(row, { kind: 'NATIVE', description: 'Of many words' })
    const [event] = await eventsWith({ action: 'zone.changed', object_id: zone.id })
    assert.deepEqual(event.detail, { entry: 2, properties: true })
    assert.equal(await scene.pending(), 0)
  })

  test('metadata are told by the history', async ({ assert }) => {
    const path = `/zones/${zone.id}/metadata/ALSO-NOTIFY`
    scene.loseAfter('PUT', zone, '/metadata/ALSO-NOTIFY')
    const lostAnswer = await scene.call('PUT', path, { values: ['192.0.2.9'] })
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))

    scene.proxy.heal()
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    const entries = await journalOf(zone.id)
    assert.lengthOf(entries, 3)
    assert.deepEqual(entries[1].zone_before, { metadata: { 'ALSO-NOTIFY': [] } })
    assert.deepEqual(entries[1].zone_after, { metadata: { 'ALSO-NOTIFY': ['192.0.2.9'] } })
    assert.equal(await scene.pending(), 0)
  })

  test('of a change that was made in part, the history has that part', async ({ assert }) => {
    // Of a zone that nobody looked at since there are notes of it.
    await db.from('zw_zone_snapshots').where('zone_id', zone.id).update({ properties: null })
    scene.loseAfter('PUT', zone)
    const wish = { type: 'NATIVE', account: 'somebody' }
    const lostAnswer = await scene.call('PUT', `/zones/${zone.id}`, wish)
    assert.equal(lostAnswer.status, 502)
    scene.proxy.heal()
    const { write_id: write } = await db.from('zw_pending_steps').firstOrFail()
    const changes = JSON.stringify({ before: { 'X-A': [] }, after: { 'X-A': ['a'] } })
    const call = { write_id: write, zone_id: zone.id, zone_name: zone.name }
    await db.table('zw_pending_steps').insert({ ...call, kind: 'metadata', changes })
    await scene.makeWritesStale()

    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    const [, found] = await journalOf(zone.id)
    assert.deepEqual(found.zone_after, { kind: 'NATIVE', account: 'somebody' })
    const events = await eventsOf(zone)
    assert.deepEqual(
      events.map(([action, , , entry]) => [action, entry]),
      [
        ['zone.changed', 2],
        ['zone.changed', 3],
      ]
    )
  })

  test('of metadata that were written in part, the history has the kinds that arrived', async ({
    assert,
  }) => {
    scene.loseAfter('PUT', zone, '/metadata/ALSO-NOTIFY')
    const path = `/zones/${zone.id}/metadata/ALSO-NOTIFY`
    const lostAnswer = await scene.call('PUT', path, { values: ['192.0.2.9'] })
    assert.equal(lostAnswer.status, 502)
    scene.proxy.heal()
    // As if the process had ended between this kind and another one.
    const arrived = {
      before: { metadata: { 'ALSO-NOTIFY': [] } },
      after: { metadata: { 'ALSO-NOTIFY': ['192.0.2.9'] } },
    }
    const [before, after] = [arrived.before, arrived.after].map(({ metadata }) => metadata)
    const changes = JSON.stringify({
      before: { ...before, 'X-LATER': ['a'] },
      after: { ...after, 'X-LATER': ['b'] },
    })
    await db.from('zw_pending_steps').where('kind', 'metadata').update({ changes })
    await scene.makeWritesStale()

    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    const [, found, ...later] = await journalOf(zone.id)
    assert.equal(found.username, scene.admin.username)
    assert.deepEqual([found.zone_before, found.zone_after], [arrived.before, arrived.after])
    assert.lengthOf(later, 1)
    assert.equal(await scene.pending(), 0)
  })

  test('a deletion leaves the lists, and comes back from the trash with its keys', async ({
    assert,
  }) => {
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    const values = { values: ['192.0.2.9'] }
    await scene.until([200, 201], 'PUT', `/zones/${zone.id}/metadata/ALSO-NOTIFY`, values)
    await scene.until([200, 201], 'POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const signed = await scene.call('GET', `/zones/${zone.id}/dnssec`)
    const { id } = zone
    const before = await journalOf(id)

    scene.loseAfter('DELETE', zone)
    const lostAnswer = await scene.call('DELETE', `/zones/${id}`)
    assert.equal(lostAnswer.status, 502)
    assert.equal(await scene.pending(), 1)

    scene.proxy.heal()
    await scene.until([404], 'POST', `/zones/${id}/records`, { ...RECORD, name: 'late' })
    assert.equal(await scene.pending(), 0)
    const list = await scene.call('GET', `/zones?name=${zone.name}`)
    assert.deepEqual(list.body.data.zones, [])
    assert.isNull(await db.from('zw_zones').where('id', id).first())
    const entries = await journalOf(id)
    assert.lengthOf(entries, before.length + 1)
    const last = entries.at(-1)!
    assert.equal(last.username, scene.admin.username)
    assert.isNull(last.serial_after)
    assert.include(JSON.stringify(last.changes), '192.0.2.1')
    assert.isNotNull(last.zone_before)
    const events = await eventsOf(zone)
    assert.deepEqual(events.at(-1)!.slice(0, 2), ['zone.deleted', scene.admin.username])

    const trashed = await db.from('zw_trash').where('zone_name', zone.name).firstOrFail()
    const back = await scene.until([200, 201], 'POST', `/trash/${trashed.id}/restore`, {})
    assert.isNotNull(back.body)
    const secondAnswer = await scene.until([200], 'GET', `/zones/${id}/dnssec`)
    assert.deepEqual(secondAnswer.body.data.ds_records, signed.body.data.ds_records)
  })

  test('a change request that was not confirmed is applied, once that is found out', async ({
    assert,
  }) => {
    const { type, ttl, content } = RECORD
    const set = { op: 'set', name: `www.${zone.name}`, type, ttl, records: [{ content }] }
    const filed = await scene.call('POST', `/zones/${zone.id}/change-requests`, {
      actions: [set],
    })
    assert.equal(filed.status, 201, JSON.stringify(filed.body))
    const [{ id }] = filed.body.data.change_requests
    scene.loseAfter('PATCH', zone)
    const lostAnswer = await scene.call('POST', `/change-requests/${id}/approve`, {})
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
    const request = () => db.from('zw_change_requests').where('id', id).firstOrFail()
    const failed = await request()
    assert.equal(failed.status, 'failed')

    scene.proxy.heal()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const { status, error, applied_at: appliedAt } = await request()
    assert.deepEqual([status, error], ['approved', null])
    assert.isNotNull(appliedAt)
    const [, entry] = await journalOf(zone.id)
    assert.equal(entry.username, scene.admin.username)
    const { origin_id: origin } = await db
      .from('zw_journal')
      .where({ zone_id: zone.id, entry: 2 })
      .firstOrFail()
    assert.equal(origin, String(id))
    const applied = await eventsWith({ action: 'request.applied', object_id: zone.id })
    assert.lengthOf(applied, 1)
  })

  test('a name server that is slow for one zone keeps nobody from writing others', async ({
    assert,
  }) => {
    const otherZone = await scene.zone()
    const ended: string[] = []
    scene.proxy.fate = ({ method, path }) =>
      method === 'PATCH' && path === `/zones/${zone.name}.` ? { held: 4_000 } : 'pass'
    const slow = scene.call('POST', `/zones/${zone.id}/records`, RECORD)
    await eventually(
      async () => assert.isTrue(scene.proxy.calls.some(({ method }) => method === 'PATCH')),
      { within: 3_000, every: 20 }
    )
    const write = async (name: string, made: Promise<{ status: number }>) => {
      const { status } = await made
      assert.equal(status, 201)
      ended.push(name)
    }
    await Promise.all([
      write('slow', slow),
      write('other', scene.call('POST', `/zones/${otherZone.id}/records`, RECORD)),
    ])
    // SQLite has one writer at a time.
    const isOne = env.get('DB_CONNECTION') === 'sqlite'
    assert.deepEqual(ended, isOne ? ['slow', 'other'] : ['other', 'slow'])
  })

  test('who reads a zone that a change set has written waits for none of its other zones', async ({
    assert,
  }) => {
    const [first, second] = [zone, await scene.zone()]
    const read = () => scene.call('GET', `/zones/${first.id}/records?type=A`)
    const told = () => scene.call('GET', `/zones/${first.id}/history`)
    const records = [{ content: '192.0.2.1' }]
    const actions = [first, second].map(({ name }) => {
      return { op: 'set', name: `www.${name}`, type: 'A', ttl: 300, records }
    })
    const last = { method: 'PATCH', path: `/zones/${second.name}.` }
    const writing = await scene.startWrite(last, scene.call('POST', '/changes', { actions }))
    // SQLite's one connection is the writer's.
    const isOne = env.get('DB_CONNECTION') === 'sqlite'
    const reading = isOne ? null : await read()
    const telling = isOne ? null : await told()
    assert.isFalse(writing.isEnded())
    assert.deepEqual(reading?.body.data.records ?? [], [])
    assert.lengthOf(telling?.body.data.entries ?? [1], 1)
    scene.proxy.heal()
    const written = await writing.answer
    assert.equal(written.status, 201, JSON.stringify(written.body))
    const after = await read()
    assert.lengthOf(after.body.data.records, 1)
    assert.lengthOf(await journalOf(first.id), 2)
  })

  test('who reads the history while metadata is written neither waits nor takes it for others', async ({
    assert,
  }) => {
    const told = () => scene.call('GET', `/zones/${zone.id}/history`)
    await told()
    const [path, values] = ['metadata/ALSO-NOTIFY', ['192.0.2.7']]
    const writing = await scene.startWrite(
      { method: 'PUT', path: `/zones/${zone.name}./${path}` },
      scene.call('PUT', `/zones/${zone.id}/${path}`, { values })
    )
    const telling = env.get('DB_CONNECTION') === 'sqlite' ? null : await told()
    assert.isFalse(writing.isEnded())
    assert.lengthOf(telling?.body.data.entries ?? [1], 1)
    scene.proxy.heal()
    const written = await writing.answer
    assert.equal(written.status, 200, JSON.stringify(written.body))
    const { body } = await told()
    const channels = body.data.entries.map(({ channel }: { channel: string }) => channel)
    assert.deepEqual(channels, ['api', 'api'])
  })

  test('a step that takes longer than a silent connection lasts keeps its transaction', async ({
    assert,
  }) => {
    // Of a primary, replicas would be told meanwhile.
    zone = await scene.zone({ type: 'NATIVE' })
    let isSlow = false
    scene.proxy.fate = ({ method, path }) => {
      if (!path.startsWith(`/zones/${zone.name}.`)) return 'pass'
      isSlow ||= method === 'PATCH'
      return isSlow ? { held: 12_000 } : 'pass'
    }
    const createdAnswer = await scene.call('POST', `/zones/${zone.id}/records`, RECORD)
    assert.equal(createdAnswer.status, 201, JSON.stringify(createdAnswer.body))
    assert.lengthOf(await journalOf(zone.id), 2)
    assert.equal(await scene.pending(), 0)
  })
})
