import { test } from '@japa/runner'
import {
  BackendUnavailable,
  NotSent,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { HEARTBEAT_TIMEOUT_MS } from '#backends/contract/pending_writes'
import { DEFAULT_WRITE_TIMEOUT_SECONDS, type PowerDnsClient } from '#backends/powerdns_api/client'
import { refusalOf } from '#backends/powerdns_api/errors'
import type { ZoneStep } from '#backends/pending_writes/steps'
import { StepExecutor } from '#backends/powerdns_api/http/http_client'
import type { ServerZones } from '#backends/powerdns_api/server_zones'
import { parseServerZone } from '#backends/powerdns_api/parsers/zone'
import type { Metadata } from '#dns/metadata/metadata'

interface Sent {
  name: string
  type: string
  changetype: string
}

interface SentProperty {
  metadata?: string[]
  nsec3param?: string
  nsec3narrow?: boolean
}

const ZONE = { name: 'a.test.', kind: 'Native', masters: [], account: '', serial: 1, dnssec: false }

/** A server whose zone is always empty. The nth PATCH, POST or PUT gets the nth status of its list, or 204 after its end. */
function serverAnswering(
  patches: number[],
  posts: number[] = [],
  puts: number[] = [],
  megabytes: string | null = null
) {
  const statuses: Record<string, number[]> = { PATCH: patches, POST: posts, PUT: puts }
  const bodies: Sent[][] = []
  const client: Pick<PowerDnsClient, 'send' | 'get' | 'timeout'> = {
    timeout: DEFAULT_WRITE_TIMEOUT_SECONDS,
    async get() {
      if (megabytes === null) {
        throw refusalOf(404, 'Not Found')
      }
      return [{ name: 'webserver-max-bodysize', type: 'ConfigSetting', value: megabytes }]
    },
    async send(method, _path, body) {
      bodies.push((body as { rrsets?: Sent[] } | undefined)?.rrsets ?? [])
      const status = statuses[method]?.shift() ?? 204
      if (status !== 204) {
        throw refusalOf(status, 'not so')
      }
      return null
    },
  }
  const server: Pick<ServerZones, 'zone'> = {
    zone: async () => parseServerZone({ ...ZONE, rrsets: [] }),
  }
  return { sender: new StepExecutor(client as PowerDnsClient, server as ServerZones), bodies }
}

/** A server that stores metadata by kind. The nth write gets the nth status, or 204 after the end of the list. */
function serverStoring(metadata: Metadata, statuses: number[]) {
  const stored = new Map(Object.entries(metadata))
  const client: Pick<PowerDnsClient, 'send' | 'timeout'> = {
    timeout: DEFAULT_WRITE_TIMEOUT_SECONDS,
    async send(method, path, body) {
      const status = statuses.shift() ?? 204
      if (status !== 204) {
        throw refusalOf(status, 'not so')
      }
      const kind = path.split('/').at(-1)!
      const sent = body as SentProperty | undefined
      // PowerDNS only reads nsec3narrow next to nsec3param.
      if (sent?.nsec3param !== undefined) {
        stored.set('NSEC3PARAM', [sent.nsec3param])
        stored.set('NSEC3NARROW', sent.nsec3narrow ? ['1'] : [])
      } else if (sent?.nsec3narrow === undefined) {
        stored.set(kind, method === 'DELETE' ? [] : (sent?.metadata ?? []))
      }
      return null
    },
  }
  const server: Pick<ServerZones, 'metadata'> = { metadata: async () => Object.fromEntries(stored) }
  return { sender: new StepExecutor(client as PowerDnsClient, server as ServerZones), stored }
}

/** A step that changes two kinds of metadata. */
const TWO_KINDS: Extract<ZoneStep, { kind: 'metadata' }> = {
  zoneId: 1,
  zoneName: 'a.test',
  kind: 'metadata',
  before: { 'NSEC3NARROW': ['1'], 'X-OTHER': ['a'] },
  after: { 'NSEC3NARROW': [], 'X-OTHER': ['b'] },
}

const BEFORE: Metadata = { ...TWO_KINDS.before, NSEC3PARAM: ['1 0 0 -'] }

/** A step that creates RRsets of about `bytes` bytes each. */
function making(rrsets: number, bytes: number): ZoneStep {
  const changes = Array.from({ length: rrsets }, (_, i) => {
    const key = { name: `n${i}.a.test`, type: 'TXT' }
    const records = [{ content: `"${'x'.repeat(bytes)}"`, priority: 0, disabled: false }]
    return { ...key, before: null, after: { ...key, ttl: 60, records } }
  })
  return { zoneId: 1, zoneName: 'a.test', kind: 'records', changes, movesSerial: false }
}

test.group('Steps at a PowerDNS server', () => {
  for (const status of [400, 413, 422]) {
    test(`status ${status} refuses the sent data`, async ({ assert }) => {
      const { sender } = serverAnswering([status])
      const error: unknown = await sender
        .executeStep(making(1, 10))
        .catch((reason: unknown) => reason)
      assert.instanceOf(error, WriteRefused)
    })
  }

  test('status 413 says that the data are too large', async ({ assert }) => {
    const { sender } = serverAnswering([413])
    const error: unknown = await sender
      .executeStep(making(1, 10))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteTooLarge)
  })

  for (const [says, bytes, isSent] of [
    ['2', 2_100_000, false],
    ['2', 2_000_000, true],
    ['3', 2_100_000, true],
    ['1', 1_100_000, false],
    [null, 2_100_000, true],
  ] as const) {
    test(`a server with a limit of ${says} MB ${isSent ? 'gets' : 'does not get'} ${bytes} bytes`, async ({
      assert,
    }) => {
      const { sender, bodies } = serverAnswering([422], [], [], says)
      const error: unknown = await sender
        .executeStep(making(1, bytes))
        .catch((reason: unknown) => reason)
      assert.equal(error instanceof WriteTooLarge, !isSent)
      assert.lengthOf(bodies, isSent ? 1 : 0)
    })
  }

  for (const status of [401, 403, 405]) {
    test(`status ${status} is a transport failure`, async ({ assert }) => {
      const { sender, bodies } = serverAnswering([status])
      const error: unknown = await sender
        .executeStep(making(1, 10))
        .catch((reason: unknown) => reason)
      assert.instanceOf(error, BackendUnavailable)
      assert.notInstanceOf(error, WriteUnconfirmed)
      assert.lengthOf(bodies, 1)
    })
  }

  for (const status of [502, 503, 504]) {
    test(`status ${status} comes from a proxy, and the call is unconfirmed`, async ({ assert }) => {
      const { sender, bodies } = serverAnswering([status])
      const error: unknown = await sender
        .executeStep(making(1, 10))
        .catch((reason: unknown) => reason)
      assert.instanceOf(error, WriteUnconfirmed)
      assert.lengthOf(bodies, 1)
    })
  }

  test('a call that was never sent is not carried out and not verified', async ({ assert }) => {
    const client = {
      async send() {
        throw new NotSent('all connections are held')
      },
    } as unknown as PowerDnsClient
    const error: unknown = await new StepExecutor(client, {} as ServerZones)
      .executeStep(making(1, 10))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, NotSent)
  })

  test('the first part of a step is reverted if the second is refused', async ({ assert }) => {
    const { sender, bodies } = serverAnswering([204, 422])
    const error: unknown = await sender
      .executeStep(making(2, 1_000_000))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteRefused)
    assert.deepEqual(
      bodies.map((sets) => sets.map(({ name, changetype }) => `${changetype} ${name}`)),
      [['REPLACE n0.a.test.'], ['REPLACE n1.a.test.'], ['DELETE n0.a.test.']]
    )
  })

  test('a part that cannot be reverted is unconfirmed', async ({ assert }) => {
    const { sender } = serverAnswering([204, 422, 422])
    const error: unknown = await sender
      .executeStep(making(2, 1_000_000))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
  })

  test('an accepted change that is not visible is unconfirmed', async ({ assert }) => {
    const { sender } = serverAnswering([])
    const error: unknown = await sender
      .executeStep(making(1, 10))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
  })

  for (const [what, statuses] of [
    ['is refused', [204, 422]],
    ['fails again and again', [204, 500, 500, 500, 500, 500]],
  ] as const) {
    test(`a kind of metadata whose counterpart ${what} is reverted`, async ({ assert }) => {
      const { sender, stored } = serverStoring(BEFORE, [...statuses])
      const error: unknown = await sender.executeStep(TWO_KINDS).catch((reason: unknown) => reason)
      assert.instanceOf(error, what === 'is refused' ? WriteRefused : BackendUnavailable)
      assert.notInstanceOf(error, WriteUnconfirmed)
      assert.deepEqual(Object.fromEntries(stored), BEFORE)
    }).timeout(10_000)
  }

  test('NSEC3NARROW is written with NSEC3PARAM and stays with it', async ({ assert }) => {
    const { sender, stored } = serverStoring({ NSEC3PARAM: ['1 0 0 -'] }, [])
    const put = (before: Metadata, after: Metadata) =>
      sender.executeStep({ zoneId: 1, zoneName: 'a.test', kind: 'metadata', before, after })
    await put({ NSEC3NARROW: [] }, { NSEC3NARROW: ['1'] })
    assert.deepEqual(Object.fromEntries(stored), { NSEC3PARAM: ['1 0 0 -'], NSEC3NARROW: ['1'] })
    await put({ NSEC3PARAM: ['1 0 0 -'] }, { NSEC3PARAM: ['1 0 0 ab'] })
    assert.deepEqual(Object.fromEntries(stored), { NSEC3PARAM: ['1 0 0 ab'], NSEC3NARROW: ['1'] })
    await put({ NSEC3NARROW: ['1'] }, { NSEC3NARROW: [] })
    assert.deepEqual(Object.fromEntries(stored), { NSEC3PARAM: ['1 0 0 ab'], NSEC3NARROW: [] })
  })

  test('metadata that cannot be reverted are unconfirmed', async ({ assert }) => {
    const { sender } = serverStoring(BEFORE, [204, 422, 422])
    const error: unknown = await sender.executeStep(TWO_KINDS).catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
  })

  test('no further request is sent to a server that fails slowly', async ({ assert, cleanup }) => {
    const { now } = performance
    cleanup(() => void (performance.now = now))
    const { sender, bodies } = serverAnswering([500, 500])
    performance.now = () => now.call(performance) + bodies.length * 21_000
    await assert.rejects(() => sender.executeStep(making(1, 10)), /answered 500/)
    assert.lengthOf(bodies, 1)
  })

  test('many RRsets get a longer timeout, but less than the time after which a write is stale', async ({
    assert,
  }) => {
    const timeouts: number[] = []
    const client: Pick<PowerDnsClient, 'send' | 'get' | 'timeout'> = {
      timeout: DEFAULT_WRITE_TIMEOUT_SECONDS,
      async get() {
        throw refusalOf(404, 'Not Found')
      },
      async send(_method, _path, _body, options) {
        timeouts.push(options!.timeout!)
        throw refusalOf(422, 'not so')
      },
    }
    const sender = new StepExecutor(client as PowerDnsClient, {} as ServerZones)
    for (const rrsets of [1, 2_000, 12_000]) {
      await assert.rejects(() => sender.executeStep(making(rrsets, 10)), 'not so')
    }
    assert.deepEqual(timeouts.map(Math.floor), [20, 30, 50])
    assert.isBelow(1000 * Math.max(...timeouts), HEARTBEAT_TIMEOUT_MS)
  })

  test('a failure caused by a content longer than the database column is a refusal', async ({
    assert,
    cleanup,
  }) => {
    const { now } = performance
    cleanup(() => void (performance.now = now))
    for (const [bytes, isRefused] of [
      [60_000, false],
      [64_100, true],
    ] as const) {
      const { sender, bodies } = serverAnswering([500, 500])
      performance.now = () => now.call(performance) + bodies.length * 21_000
      const error: unknown = await sender
        .executeStep(making(1, bytes))
        .catch((reason: unknown) => reason)
      assert.equal(error instanceof WriteRefused, isRefused)
      assert.instanceOf(error, isRefused ? WriteRefused : BackendUnavailable)
    }
  })

  test('a server that was silent for a whole write is only verified for a few seconds', async ({
    assert,
    cleanup,
  }) => {
    const { now } = performance
    cleanup(() => void (performance.now = now))
    let isAsked = false
    performance.now = () => now.call(performance) + (isAsked ? 20_000 : 0)
    const client: Pick<PowerDnsClient, 'send' | 'timeout'> = {
      timeout: DEFAULT_WRITE_TIMEOUT_SECONDS,
      async send() {
        isAsked = true
        throw new BackendUnavailable('not within 20 seconds')
      },
    }
    const verifications: (number | undefined)[] = []
    const server: Pick<ServerZones, 'zone'> = {
      async zone(_name, seconds) {
        verifications.push(seconds)
        throw new BackendUnavailable('not within 5 seconds')
      },
    }
    const error: unknown = await new StepExecutor(client as PowerDnsClient, server as ServerZones)
      .executeStep(making(1, 10))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
    assert.deepEqual(verifications, [5])
  })

  test('a failed rectify is repeated and does not count as done', async ({ assert }) => {
    const step: ZoneStep = { zoneId: 1, zoneName: 'a.test', kind: 'rectify' }
    const again = serverAnswering([], [], [500, 500])
    await again.sender.executeStep(step)
    assert.lengthOf(again.bodies, 3)
    const { sender, bodies } = serverAnswering([], [], [504])
    const error: unknown = await sender.executeStep(step).catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
    assert.lengthOf(bodies, 1)
  })

  test('a key is sent once, whatever the server responds', async ({ assert }) => {
    const { sender, bodies } = serverAnswering([], [500, 500])
    const keys = [{ flags: 257, active: true, published: true, content: 'secret' }]
    const step: ZoneStep = { zoneId: 1, zoneName: 'a.test', kind: 'keys', keys }
    const error: unknown = await sender.executeStep(step).catch((reason: unknown) => reason)
    assert.instanceOf(error, BackendUnavailable)
    assert.lengthOf(bodies, 1)
  })
})
