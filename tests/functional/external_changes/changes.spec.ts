// @databases @api-backend
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import {
  contentsOf,
  externalRows,
  restore,
  historyEntries,
  undo,
  writeExternally,
} from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, type Person } from '#tests/support/app/people/people'
import { journalOf, serialOf, stateOf, type JournalSet } from '#tests/support/app/zones/zones'
import { PowerDns } from '#tests/support/powerdns'
import { Random } from '#tests/support/random'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('External changes', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}`
    await createRecord(as, zone, A)
  })

  const tagOf = async (url = path) => {
    const response = await as.get(url)
    return response.header('etag') ?? ''
  }

  test('external changes create one entry without a user at the next read of the history', async ({
    assert,
  }) => {
    const serial = await serialOf(zone.id)
    await externalRows(zone, 'www').update({ content: '192.0.2.2', ttl: 60 })
    await writeExternally(zone, { name: 'new', type: 'A', content: '192.0.2.3', disabled: true })
    const [entry, ...older] = await historyEntries(as, zone)
    assert.lengthOf(older, 2)
    const { time, ...rest } = entry
    assert.isString(time)
    const record = { content: '192.0.2.3', priority: 0, disabled: true }
    assert.deepEqual(rest, {
      entry: 3,
      zone_id: zone.id,
      zone_name: zone.name,
      actor: { user_id: null, username: 'external', api_key_id: null, address: null },
      channel: 'external',
      reason: null,
      serial_before: serial,
      serial_after: serial,
      origin: { kind: null, id: null },
      changes: [
        {
          name: `new.${zone.name}`,
          type: 'A',
          before: null,
          after: { ttl: 300, records: [record] },
          operations: ['create'],
        },
        {
          name: `www.${zone.name}`,
          type: 'A',
          before: { ttl: 300, records: [{ ...record, content: '192.0.2.1', disabled: false }] },
          after: { ttl: 60, records: [{ ...record, content: '192.0.2.2', disabled: false }] },
          operations: ['update'],
        },
      ],
    })
    assert.lengthOf(await historyEntries(as, zone), 3)
  })

  test('external changes appear in the history of every channel, for readers too', async ({
    client,
    assert,
  }) => {
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    for (const [index, channel] of [
      'history',
      'history/3',
      'at?entry=4',
      'diff?from=5',
    ].entries()) {
      await writeExternally(zone, { name: `n${index}`, type: 'A', content: '192.0.2.3' })
      const response = await reader.get(`${path}/${channel}`)
      response.assertStatus(200)
      assert.lengthOf(await journalOf(zone.id), 3 + index)
    }
  })

  test('external changes can be undone', async ({ assert }) => {
    const before = await contentsOf(zone)
    await externalRows(zone, 'www').delete()
    await writeExternally(zone, { name: 'new', type: 'A', content: '192.0.2.3' })
    await externalRows(zone, '', 'SOA').update({ content: 'evil.example. h.example. 5 1 1 1 1' })
    const [{ entry, serial_after: serial }] = await historyEntries(as, zone)
    assert.equal(serial, 5)
    const response = await undo(as, zone, entry)
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
    assert.isAbove(await serialOf(zone.id), 5)
  })

  test('external changes at the names of a write create an entry before its own', async ({
    assert,
  }) => {
    await externalRows(zone, 'www').update({ content: '192.0.2.2' })
    await writeExternally(zone, { name: 'elsewhere', type: 'A', content: '192.0.2.3' })
    await createRecord(as, zone, { ...A, content: '192.0.2.9' })
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ channel }) => channel),
      ['api', 'api', 'external', 'api']
    )
    assert.lengthOf(entries[2].changes, 1)
    const [own] = entries[3].changes
    assert.deepEqual(own.before, entries[2].changes[0].after)
    const [rest] = await historyEntries(as, zone)
    assert.equal(rest.changes[0].name, `elsewhere.${zone.name}`)
  })

  test('external changes change the tag of a zone, so that a stale write is refused', async ({
    assert,
  }) => {
    const tag = await tagOf()
    await writeExternally(zone, { name: 'new', type: 'A', content: '192.0.2.3' })
    const staleResponse = await as.put(path, { description: 'x' }).header('if-match', tag)
    staleResponse.assertStatus(412)
    const now = staleResponse.header('etag') ?? ''
    assert.notEqual(now, tag)
    assert.equal(await tagOf(), now)
    const entries = await journalOf(zone.id)
    assert.equal(entries[entries.length - 1].channel, 'external')
    const freshResponse = await as.put(path, { description: 'x' }).header('if-match', now)
    freshResponse.assertStatus(200)
    await externalRows(zone, 'new').delete()
    const deletion = await as.delete(path).header('if-match', freshResponse.header('etag') ?? '')
    deletion.assertStatus(412)
    assert.equal(await tagOf(), deletion.header('etag'))
  })

  test('external changes appear in the tag of a read zone', async ({ assert }) => {
    const tag = await tagOf()
    assert.equal(await tagOf(), tag)
    await externalRows(zone, 'www').delete()
    const changed = await as.get(path).header('if-none-match', tag)
    changed.assertStatus(200)
    const now = changed.header('etag') ?? ''
    assert.notEqual(now, tag)
    const repeatedResponse = await as.get(path).header('if-none-match', now)
    repeatedResponse.assertStatus(304)
  })

  test('external changes of a large zone appear in its tag after a check or a write with a tag', async ({
    assert,
  }) => {
    const rows = Array.from({ length: 1000 }, (_, i) => {
      return { name: `n${i}`, type: 'A', content: '192.0.2.1' }
    })
    await writeExternally(zone, ...rows)
    await historyEntries(as, zone)
    const tag = await tagOf()
    await externalRows(zone, 'www').delete()
    assert.equal(await tagOf(), tag)
    const staleResponse = await as.put(path, { description: 'x' }).header('if-match', tag)
    staleResponse.assertStatus(412)
    const now = await tagOf()
    assert.notEqual(now, tag)
    assert.equal(now, staleResponse.header('etag'))
    await externalRows(zone, 'n1').delete()
    await historyEntries(as, zone)
    assert.notEqual(await tagOf(), now)
  })

  test('changes of ids, spelling and bookkeeping only are no external changes', async ({
    assert,
  }) => {
    const before = await journalOf(zone.id)
    const [row] = await externalRows(zone, 'www')
    await externalRows(zone, 'www').delete()
    await writeExternally(zone, { name: 'www', type: 'A', content: row.content })
    await externalRows(zone, 'www').update({ auth: false, ordername: 'x' })
    await historyEntries(as, zone)
    await as.get(path)
    assert.deepEqual(await journalOf(zone.id), before)
  })

  test('external changes during a dry run leave no rows', async ({ assert }) => {
    await externalRows(zone, 'www').update({ content: '192.0.2.2' })
    const before = await stateOf(zone.id)
    const planned = await as.post(`${path}/records`, { ...A, content: '192.0.2.9', dry_run: true })
    planned.assertStatus(200)
    assert.lengthOf(planned.body().data.plan.zones[0].changes[0].before.records, 1)
    assert.deepEqual(await stateOf(zone.id), before)
  }).tags(['@sql'])

  test('external and own changes form a chain without gaps, and a replay gives the rows', async ({
    assert,
  }) => {
    for (const seed of [4, 5, 6]) {
      const random = new Random(seed)
      for (let i = 0; i < 40; i++) {
        await randomStep(random)
      }
      await historyEntries(as, zone)
      const state = new Map<string, JournalSet | null>()
      let apex = ''
      for (const { entry, zone_before: old, zone_name: name, changes } of await journalOf(
        zone.id
      )) {
        const previousName = (old?.name as string | undefined) ?? name
        moveAll(state, apex, previousName)
        apex = previousName
        for (const change of changes) {
          const key = `${change.name} ${change.type}`
          const known = state.get(key) ?? null
          const message = `seed ${seed}, entry ${entry}: ${key}`
          assert.deepEqual(canonical(change.before, change), canonical(known, change), message)
          state.set(key, change.after)
        }
        moveAll(state, apex, name)
        apex = name
      }
      const replayed = [...state]
        .flatMap(([key, set]) => (set ? [`${key} ${canonical(set, typeOf(key))}`] : []))
        .sort()
      const storedRRsets = await rrsetsThere()
      assert.deepEqual(replayed, storedRRsets, `seed ${seed}`)
    }
  })
    .timeout(120_000)
    // Rows that a server cannot read make its API refuse the whole zone.
    .tags(['@sql'])

  async function randomStep(random: Random): Promise<void> {
    const name = random.pick(['', 'a', 'b', 'c.d'])
    const content = `192.0.2.${random.below(5)}`
    const ttl = random.pick([60, 300])
    const label = name || '@'
    const strangers: (() => Promise<unknown>)[] = [
      () => externalRows(zone, name, 'A').delete(),
      () => externalRows(zone, name, 'A').update({ ttl }),
      () => writeExternally(zone, { name, type: 'A', content, ttl }),
      () => writeExternally(zone, { name, type: 'TXT', content: 'no quotes', ttl }),
    ]
    const calls = [
      () => as.put(`${path}/rrsets`, { name: label, type: 'A', ttl, records: [{ content }] }),
      () => as.post(`${path}/records`, { name: label, type: 'A', content, ttl }),
      () => as.delete(`${path}/rrsets/${label}/A`),
      () => as.delete(`${path}/rrsets/${label}/TXT`),
      () => undo(as, zone, 2 + random.below(20), { merge: random.chance(0.5) }),
      () => restore(as, zone, { entry: 2 + random.below(5) }),
      () => as.get(`${path}/history`),
      () => rename(random),
      () => trashAndBack(),
    ]
    if (random.chance(0.4)) {
      await random.pick(strangers)()
      return
    }
    const response = await random.pick(calls)()
    if (response.status() >= 500) throw new Error(response.text())
  }

  async function rename(random: Random) {
    const name = random.pick([zoneNamed('other'), `sub.${zone.name}`])
    const response = await as.put(path, { name })
    if (response.status() === 200) zone = { ...zone, name }
    return response
  }

  async function trashAndBack() {
    await as.delete(path)
    const items: { id: number; zone_name: string }[] = await dataOf(as.get('/trash'), 'zones')
    const item = items.find(({ zone_name: name }) => name === zone.name)
    const response = await as.post(`/trash/${item?.id}/restore`, {})
    response.assertStatus(201)
    return response
  }

  function moveAll(state: Map<string, unknown>, from: string, to: string): void {
    if (from === to || from === '') return
    const moved = [...state].map(([key, set]) => {
      const [name, type] = key.split(' ')
      const isInside = name === from || name.endsWith(`.${from}`)
      return [isInside ? `${name.slice(0, -from.length)}${to} ${type}` : key, set] as const
    })
    state.clear()
    moved.forEach(([key, set]) => state.set(key, set))
  }

  const typeOf = (key: string) => ({ type: key.split(' ')[1] })

  /** Returns an RRset as text with sorted records, without the serial. */
  function canonical(set: JournalSet | null, { type }: { type: string }): string {
    if (!set) return 'nothing'
    const records = set.records.map(({ content, priority, disabled }) =>
      JSON.stringify([
        type === 'SOA' ? content.split(' ').with(2, 'serial').join(' ') : content,
        priority,
        disabled,
      ])
    )
    return `${set.ttl} ${records.sort().join()}`
  }

  /** Returns the RRsets of the zone in the format of the journal, without formatting for readers. */
  async function rrsetsThere(): Promise<string[]> {
    const manager = await app.container.make(BackendManager)
    const backend = manager.use()
    const stored = await backend.findZone(zone.id)
    const sets = stored ? await backend.allRRsets(stored) : []
    return sets.map((set) => `${set.name} ${set.type} ${canonical(set, set)}`).sort()
  }
})

test.group('External changes by PowerDNS', (group) => {
  // These tests need the database of the application itself.
  group.tap((each) => each.tags(['@sql']))
  let dns: PowerDns
  group.setup(async () => {
    dns = await PowerDns.start({
      settings: { 'dnsupdate': 'yes', 'allow-dnsupdate-from': '127.0.0.0/8' },
    })
    return () => dns.stop()
  })

  test('a change by pdnsutil is journaled and can be undone', async ({ client, assert }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, A)
    const before = await contentsOf(zone)
    await dns.util('replace-rrset', zone.name, 'www', 'A', '600', '198.51.100.1')
    await dns.util('add-record', zone.name, 'mail', 'MX', '300', '10 mx.example.')
    const [entry] = await historyEntries(as, zone)
    assert.equal(entry.channel, 'external')
    const changes = entry.changes.map(
      ({ name, type, after }: { name: string; type: string; after: { ttl: number } }) => [
        name,
        type,
        after.ttl,
      ]
    )
    assert.deepEqual(changes, [
      [`mail.${zone.name}`, 'MX', 300],
      [`www.${zone.name}`, 'A', 600],
    ])
    const response = await undo(as, zone, entry.entry)
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
    const answer = await dns.query(`www.${zone.name}`, 'A')
    assert.deepEqual(
      answer.answers.map(({ data }) => data),
      ['192.0.2.1']
    )
  })

  test('a dynamic update is journaled with its serial and can be undone', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, A)
    const before = await contentsOf(zone)
    const serial = await serialOf(zone.id)
    await nsupdate(dns.port, [
      `zone ${zone.name}`,
      `update delete www.${zone.name} A`,
      `update add dyn.${zone.name} 60 A 198.51.100.7`,
    ])
    const [entry] = await historyEntries(as, zone)
    assert.equal(entry.channel, 'external')
    assert.equal(entry.serial_before, serial)
    assert.isAbove(entry.serial_after, serial)
    const response = await undo(as, zone, entry.entry)
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
    assert.isAbove(await serialOf(zone.id), entry.serial_after)
  })
})

/** Sends a dynamic update (RFC 2136) with the real `nsupdate`. */
async function nsupdate(port: number, lines: string[]): Promise<void> {
  const child = spawn('nsupdate', ['-t', '10'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  child.stdin.end([`server 127.0.0.1 ${port}`, ...lines, 'send', ''].join('\n'))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`nsupdate: ${errors}`)
}
