import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { journalOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'
import { HttpProxy, type Fate, type ProxiedCall } from '#tests/support/faults/http_proxy'
import { PowerDns } from '#tests/support/powerdns'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
/** No request waits longer, whatever the name server does. */
const LIMIT = 30_000

let admin: Person
let dns: PowerDns
let proxy: HttpProxy
let server: OtherServer
let zone: { id: number; name: string }

interface Answer {
  status: number
  // What the API answers is looked into member by member.
  body: any
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v2${path}`, {
    method,
    headers: { 'X-API-Key': admin.key, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(LIMIT),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

function start(): Promise<OtherServer> {
  return OtherServer.start({
    DNS_BACKEND: 'api',
    PDNS_API_URL: proxy.url,
    PDNS_API_KEY: dns.apiKey,
  })
}

/** Each PATCH ends so; other calls pass, unless they are to fail after the first one. */
function onPatch(fate: Fate, thenAll: Fate = 'pass'): (made: ProxiedCall) => Fate {
  let isOver = false
  return ({ method }) => {
    if (method === 'PATCH') {
      isOver = true
      return fate
    }
    return isOver ? thenAll : 'pass'
  }
}

const addressOf = async (name: string) => {
  const answer = await dns.query(name, 'A')
  return answer.answers.map(({ data }) => data)
}

const pending = async () => {
  const [row] = await db.from('zw_pending_writes').count('* as total')
  return Number(row.total)
}

/**
 * Waits until replicas were told of all that was written: that is a call too, by which the server writes its database.
 */
const untilNotified = () =>
  eventually(
    async () => {
      const waiting = await db.from('zw_outbox').whereNull('done_at').first()
      if (waiting) throw new Error(`Still to be told: ${JSON.stringify(waiting)}`)
    },
    { within: 15_000 }
  )

const records = () => `/zones/${zone.id}/records`

/**
 * Calls that were made for the write itself: replicas are told afterwards, and what the server failed to do, as its
 * database was locked by somebody else, is looked after and done again.
 */
const callsOfServer = () => {
  const calls = proxy.calls.filter(
    ({ path }) => path.startsWith(`/zones/${zone.name}.`) && !path.endsWith('/notify')
  )
  const hasFailed = ({ status = 0 }: ProxiedCall) => status >= 500
  return calls.filter(
    (one, index) => !hasFailed(one) && !(index > 0 && hasFailed(calls[index - 1]))
  )
}

test.group('A name server behind its API', (group) => {
  group.setup(async () => {
    admin = await administrator()
    dns = await PowerDns.start({ api: true, ownDatabase: true })
    proxy = await HttpProxy.start(dns.apiUrl!.replace(/\/api\/.*/, ''))
    server = await start()
    return async () => {
      await server.stop()
      await proxy.stop()
      await dns.stop()
    }
  })
  group.each.setup(async () => {
    proxy.heal()
    const name = zoneNamed()
    const createdAnswer = await eventually(async () => {
      const answer = await call('POST', '/zones', { name })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer))
      return answer
    })
    zone = { id: createdAnswer.body.data.zone_id, name }
    await untilNotified()
    proxy.heal()
  })

  test('one record is written by three calls at most', async ({ assert }) => {
    const createdAnswer = await call('POST', records(), RECORD)
    assert.equal(createdAnswer.status, 201)
    assert.isAtMost(callsOfServer().length, 3, JSON.stringify(proxy.calls))
    const { id } = createdAnswer.body.data.record
    assert.isNumber(id)
    for (const [method, body, status] of [
      ['PUT', { content: '192.0.2.2' }, 200],
      ['PUT', { ttl: 60 }, 200],
      ['DELETE', undefined, 204],
    ] as const) {
      proxy.heal()
      const answer = await call(method, `${records()}/${id}`, body)
      assert.equal(answer.status, status)
      assert.isAtMost(callsOfServer().length, 3, JSON.stringify(proxy.calls))
      assert.lengthOf(
        callsOfServer().filter((one) => one.method === 'PATCH'),
        1
      )
    }
  })

  test('a list of zones asks nothing of it', async ({ assert }) => {
    const answer = await call('GET', '/zones?per_page=10')
    assert.equal(answer.status, 200)
    assert.deepEqual(proxy.calls, [])
  })

  test('a lost answer is looked after: the write succeeds', async ({ assert }) => {
    proxy.fate = onPatch('cut after')
    const createdAnswer = await call('POST', records(), RECORD)
    assert.equal(createdAnswer.status, 201)
    assert.deepEqual(await addressOf(`www.${zone.name}`), ['192.0.2.1'])
    const entries = await journalOf(zone.id)
    assert.lengthOf(entries, 2)
    assert.equal(await pending(), 0)
  })

  test('what a proxy before it gave up is looked after, and found out later', async ({
    assert,
  }) => {
    const gatewayTimeout = { status: 504, body: '<h1>Gateway Timeout</h1>', isCarriedOut: true }
    proxy.fate = onPatch(gatewayTimeout)
    const seen = await call('POST', records(), RECORD)
    assert.equal(seen.status, 201)
    proxy.fate = onPatch(gatewayTimeout, { status: 502, body: '' })
    const lostAnswer = await call('POST', records(), { ...RECORD, name: 'lost' })
    assert.equal(lostAnswer.status, 502)
    assert.include(lostAnswer.body.message, 'did not confirm')
    assert.equal(await pending(), 1)
    proxy.heal()
    const createdAnswer = await call('POST', records(), { ...RECORD, name: 'other' })
    assert.equal(createdAnswer.status, 201)
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.slice(1).map(({ changes }) => changes[0].name),
      ['www', 'lost', 'other'].map((owner) => `${owner}.${zone.name}`)
    )
    assert.equal(await pending(), 0)
  })

  test('a write that did not arrive is claimed by nobody', async ({ assert }) => {
    proxy.fate = onPatch('cut before')
    const lostAnswer = await call('POST', records(), RECORD)
    assert.equal(lostAnswer.status, 502)
    assert.deepEqual(await addressOf(`www.${zone.name}`), [])
    assert.lengthOf(await journalOf(zone.id), 1)

    proxy.heal()
    // The server may be at it still.
    const early = await call('POST', records(), { ...RECORD, name: 'other' })
    assert.equal(early.status, 502)
    assert.equal(await pending(), 1)
    const longAgo = new Date(Date.now() - 120_000).toISOString()
    await db.from('zw_pending_writes').update({ began_at: longAgo })
    const createdAnswer = await call('POST', records(), { ...RECORD, name: 'other' })
    assert.equal(createdAnswer.status, 201)
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ channel, changes }) => [channel, changes.map(({ name }) => name)]),
      [
        ['api', [zone.name]],
        ['api', [`other.${zone.name}`]],
      ]
    )
    assert.equal(await pending(), 0)
  })

  test('a write of which nothing is known is found out later, with its author', async ({
    assert,
  }) => {
    proxy.fate = onPatch('cut after', 'cut before')
    const lostAnswer = await call('POST', records(), { ...RECORD, reason: 'because' })
    assert.equal(lostAnswer.status, 502)
    assert.include(lostAnswer.body.message, 'did not confirm')
    assert.deepEqual(await addressOf(`www.${zone.name}`), ['192.0.2.1'])
    assert.lengthOf(await journalOf(zone.id), 1)
    assert.equal(await pending(), 1)

    proxy.heal()
    const createdAnswer = await eventually(async () => {
      const answer = await call('POST', records(), { ...RECORD, name: 'other' })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer))
      return answer
    })
    assert.equal(createdAnswer.status, 201)
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ channel, username, changes }) => [channel, username, changes[0].name]),
      [
        ['api', admin.username, zone.name],
        ['api', admin.username, `www.${zone.name}`],
        ['api', admin.username, `other.${zone.name}`],
      ]
    )
    assert.isAbove(entries[2].serial_before!, entries[1].serial_before! - 1)
    assert.equal(await pending(), 0)
  })

  test('a process that dies before its answer came leaves what becomes an entry', async ({
    assert,
  }) => {
    proxy.fate = onPatch('held')
    const lost = call('POST', records(), RECORD).catch(() => null)
    await eventually(
      async () => assert.deepEqual(await addressOf(`www.${zone.name}`), ['192.0.2.1']),
      { within: 30_000 }
    )
    server.kill()
    await lost
    proxy.heal()
    server = await start()
    const createdAnswer = await call('POST', records(), { ...RECORD, name: 'other' })
    assert.equal(createdAnswer.status, 201)
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ channel, username, changes }) => [channel, username, changes[0].name]),
      [
        ['api', admin.username, zone.name],
        ['api', admin.username, `www.${zone.name}`],
        ['api', admin.username, `other.${zone.name}`],
      ]
    )
    assert.equal(await pending(), 0)
  }).timeout(60_000)

  test('a refusal of its own is told in its words, and nothing is changed', async ({ assert }) => {
    const refusal = JSON.stringify({ error: 'RRset www: it may not be' })
    proxy.fate = onPatch({ status: 422, body: refusal })
    const refused = await call('POST', records(), RECORD)
    assert.equal(refused.status, 400)
    assert.include(refused.body.message, 'RRset www: it may not be')
    assert.lengthOf(await journalOf(zone.id), 1)
    assert.equal(await pending(), 0)
  })

  test('a locked database of it is waited for', async ({ assert }) => {
    let failures = 0
    proxy.fate = ({ method }) =>
      method === 'PATCH' && failures++ < 2
        ? { status: 500, body: '{"error":"Internal Server Error"}' }
        : 'pass'
    const createdAnswer = await call('POST', records(), RECORD)
    assert.equal(createdAnswer.status, 201)
    assert.equal(failures, 3)
  })

  for (const [what, fate] of [
    ['refuses', 'cut before'],
    ['answers garbage', { status: 200, body: '<html>' }],
    ['answers an empty list', { status: 200, body: '[]' }],
    ['fails', { status: 500, body: '' }],
  ] as [string, Fate][]) {
    test(`a server that ${what} is no empty zone`, async ({ assert }) => {
      await call('POST', records(), RECORD)
      proxy.fate = () => fate
      for (const path of [records(), `/zones/${zone.id}/rrsets`, `/zones/${zone.id}/metadata`]) {
        const answer = await call('GET', path)
        assert.equal(answer.status, 502, path)
      }
      const write = await call('POST', records(), { ...RECORD, name: 'other' })
      assert.equal(write.status, 502)
      const list = await call('GET', `/zones?name=${zone.name}`)
      assert.equal(list.status, 200)
      assert.lengthOf(list.body.data.zones, 1)
      proxy.heal()
      await eventually(
        async () => {
          const answer = await call('GET', records())
          assert.equal(answer.status, 200)
          assert.lengthOf(answer.body.data.records, 2)
        },
        { within: 20_000 }
      )
      const [owner] = await db.from('zw_zone_owners').where('zone_id', zone.id)
      assert.exists(owner)
    }).timeout(90_000)
  }

  test('a change set of several zones that is cut off says of each zone where it is, and can be sent again', async ({
    assert,
  }) => {
    const names = [zone.name]
    for (let i = 0; i < 2; i++) {
      const createdAnswer = await call('POST', '/zones', { name: zoneNamed() })
      const { body } = await call('GET', `/zones/${createdAnswer.body.data.zone_id}`)
      names.push(body.data.zone.name)
    }
    const set = {
      actions: names.map((apex) => ({
        op: 'set',
        name: `many.${apex}`,
        type: 'A',
        ttl: 60,
        records: [{ content: '192.0.2.8' }],
      })),
    }
    let patches = 0
    proxy.fate = ({ method }) =>
      patches >= 2 || (method === 'PATCH' && ++patches === 2) ? 'cut after' : 'pass'
    const cut = await call('POST', '/changes', set)
    assert.equal(cut.status, 502, JSON.stringify(cut.body))
    const states = cut.body.data.zones.map(({ state }: { state: string }) => state)
    assert.deepEqual(states, ['written', 'unknown', 'untouched'])
    const told = cut.body.data.zones.map(({ name }: { name: string }) => name)
    assert.sameMembers(told, names)

    proxy.heal()
    const secondAnswer = await eventually(
      async () => {
        const answer = await call('POST', '/changes', set)
        assert.equal(answer.status, 201, JSON.stringify(answer.body))
        return answer
      },
      { within: 90_000, every: 1_000 }
    )
    assert.isNotNull(secondAnswer.body)
    for (const apex of names) {
      assert.deepEqual(await addressOf(`many.${apex}`), ['192.0.2.8'])
    }
    assert.equal(await pending(), 0)
    for (const { name } of cut.body.data.zones) {
      const [{ id }] = await db.from('zw_zones').where('name', name)
      // Its making and the one change, whoever wrote its entry.
      assert.lengthOf(await journalOf(id), 2, name)
    }
  }).timeout(150_000)

  test('two zones of one change set are both written or both as before', async ({ assert }) => {
    const other = await call('POST', '/zones', { name: zoneNamed() })
    const zones = await call('GET', `/zones/${other.body.data.zone_id}`)
    const { name } = zones.body.data.zone
    let patches = 0
    proxy.fate = ({ method }) =>
      method === 'PATCH' && ++patches === 2
        ? { status: 422, body: JSON.stringify({ error: 'not this one' }) }
        : 'pass'
    const answer = await call('POST', '/changes', {
      actions: [zone.name, name].map((apex) => ({
        op: 'set',
        name: `both.${apex}`,
        type: 'A',
        ttl: 60,
        records: [{ content: '192.0.2.7' }],
      })),
    })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    for (const apex of [zone.name, name]) {
      assert.deepEqual(await addressOf(`both.${apex}`), [])
    }
    assert.lengthOf(await journalOf(zone.id), 1)
    assert.equal(await pending(), 0)
  })

  test('what somebody else writes to the second zone of a change set meanwhile stays', async ({
    assert,
  }) => {
    const other = await call('POST', '/zones', { name: zoneNamed() })
    const found = await call('GET', `/zones/${other.body.data.zone_id}`)
    const { name } = found.body.data.zone
    const actions = [zone.name, name].map((apex) => {
      const set = { name: `both.${apex}`, type: 'A', ttl: 60 }
      return { op: 'add', ...set, records: [{ content: '192.0.2.7' }] }
    })
    let first = ''
    proxy.fate = ({ method, path }) => {
      const isFirst = method === 'PATCH' && first === ''
      first = isFirst ? path : first
      return isFirst ? 'held' : 'pass'
    }
    const writing = call('POST', '/changes', { actions })
    await eventually(() => assert.notEqual(first, ''), { within: 20_000, every: 20 })
    const second = [zone.name, name].find((apex) => first !== `/zones/${apex}.`)!
    const theirs = {
      name: `both.${second}.`,
      type: 'A',
      changetype: 'REPLACE',
      ttl: 60,
      records: [{ content: '192.0.2.99', disabled: false }],
    }
    // The name server answers 500 where its own database has a conflict.
    await eventually(async () => {
      const patched = await fetch(`${dns.apiUrl}/zones/${second}.`, {
        method: 'PATCH',
        headers: { 'X-API-Key': dns.apiKey! },
        body: JSON.stringify({ rrsets: [theirs] }),
      })
      assert.equal(patched.status, 204)
    })
    proxy.heal()
    const answer = await writing
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    assert.sameMembers(await addressOf(`both.${second}`), ['192.0.2.7', '192.0.2.99'])
    assert.equal(await pending(), 0)
  })
})
