import { test } from '@japa/runner'
import { BackendUnavailable, WriteRefused, WriteUnconfirmed } from '#backends/errors'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { refusalOf } from '#backends/powerdns_api/errors'
import type { ZoneStep } from '#backends/mirrored/intended'
import { Sender } from '#backends/powerdns_api/sender'
import type { ServerZones } from '#backends/powerdns_api/server_zones'
import { serverZone } from '#backends/powerdns_api/zone_answers'

interface Sent {
  name: string
  type: string
  changetype: string
}

const ZONE = { name: 'a.test.', kind: 'Native', masters: [], account: '', serial: 1, dnssec: false }

/** A server whose zone is empty and stays so, that answers the nth PATCH with a status; 204 where none is named. */
function serverAnswering(patches: number[]) {
  const bodies: Sent[][] = []
  const client: Pick<PowerDnsClient, 'send'> = {
    async send(method, _path, body) {
      bodies.push((body as { rrsets?: Sent[] } | undefined)?.rrsets ?? [])
      const status = method === 'PATCH' ? (patches.shift() ?? 204) : 204
      if (status !== 204) {
        throw refusalOf(status, 'not so')
      }
      return null
    },
  }
  const server: Pick<ServerZones, 'zone'> = {
    zone: async () => serverZone({ ...ZONE, rrsets: [] }),
  }
  return { sender: new Sender(client as PowerDnsClient, server as ServerZones), bodies }
}

/** A step that makes RRsets, each of so many bytes about. */
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
    test(`status ${status} is a refusal of what was sent`, async ({ assert }) => {
      const { sender } = serverAnswering([status])
      const error: unknown = await sender.carry(making(1, 10)).catch((reason: unknown) => reason)
      assert.instanceOf(error, WriteRefused)
    })
  }

  for (const status of [401, 403, 405]) {
    test(`status ${status} is a failure of the way to the server`, async ({ assert }) => {
      const { sender, bodies } = serverAnswering([status])
      const error: unknown = await sender.carry(making(1, 10)).catch((reason: unknown) => reason)
      assert.instanceOf(error, BackendUnavailable)
      assert.notInstanceOf(error, WriteUnconfirmed)
      assert.lengthOf(bodies, 1)
    })
  }

  test('the first part of a step whose second one is refused is taken back', async ({ assert }) => {
    const { sender, bodies } = serverAnswering([204, 422])
    const error: unknown = await sender
      .carry(making(2, 1_000_000))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteRefused)
    assert.deepEqual(
      bodies.map((sets) => sets.map(({ name, changetype }) => `${changetype} ${name}`)),
      [['REPLACE n0.a.test.'], ['REPLACE n1.a.test.'], ['DELETE n0.a.test.']]
    )
  })

  test('what could not be taken back is not confirmed', async ({ assert }) => {
    const { sender } = serverAnswering([204, 422, 422])
    const error: unknown = await sender
      .carry(making(2, 1_000_000))
      .catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
  })

  test('a change that was accepted and is not to be seen is not confirmed', async ({ assert }) => {
    const { sender } = serverAnswering([])
    const error: unknown = await sender.carry(making(1, 10)).catch((reason: unknown) => reason)
    assert.instanceOf(error, WriteUnconfirmed)
  })
})
