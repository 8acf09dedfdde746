// @databases
import type { ApiRequest } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { fillUsers } from '#bench/seed/users'
import { fillZones } from '#bench/seed/zones'
import { adoptAllZones } from '#changes/recovery/reconcile'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { statementsOf } from '#tests/support/app/database/statements'

/** Zones and users created between the measurements: a statement for each of them would be noticed. */
const ZONES = 300
const RECORDS = 5
const USERS = 300
const BULK = 10

/** Background work adds statements, so the minimum of several measurements is used. */
const RUNS = 5

interface Scene {
  root: Caller
  zone: { id: number; name: string }
  /** Id of a record, and a host whose address changes. */
  record: number
  host: string
}

/** Starts the write when called. All prerequisites exist by then. */
type Begin = () => ApiRequest
type Write = (scene: Scene, n: number) => Begin | Promise<Begin>

const record = (n: number) => ({ name: `grown-${n}`, type: 'A', content: `10.0.0.${n}`, ttl: 300 })

/** Every write changes something at each call. */
const WRITES: [what: string, write: Write][] = [
  [
    'a new record',
    ({ root, zone }, n) =>
      () =>
        root.post(`/zones/${zone.id}/records`, record(n)),
  ],
  [
    'a changed record',
    ({ root, zone, record: id }, n) =>
      () =>
        root.put(`/zones/${zone.id}/records/${id}`, { content: `10.0.1.${n}` }),
  ],
  [
    'a deleted record',
    async ({ root, zone }, n) => {
      const { id } = await createRecord(root, zone, { ...record(n), name: `gone-${n}` })
      return () => root.delete(`/zones/${zone.id}/records/${id}`)
    },
  ],
  [
    'an RRset',
    ({ root, zone }, n) => {
      const set = { name: `set-${n}`, type: 'A', ttl: 300, records: [{ content: `10.0.2.${n}` }] }
      return () => root.put(`/zones/${zone.id}/rrsets`, set)
    },
  ],
  [
    'several records at once',
    ({ root, zone }, n) => {
      const operations = Array.from({ length: BULK }, (_, i) => ({
        action: 'create',
        ...record(n),
        name: `bulk-${n}-${i}`,
      }))
      return () => root.post(`/zones/${zone.id}/records/bulk`, { operations })
    },
  ],
  [
    'a new zone',
    ({ root }) =>
      () =>
        root.post('/zones', { name: zoneNamed('grown'), type: 'MASTER' }),
  ],
  [
    'a deleted zone',
    async ({ root }) => {
      const { id } = await createZone(root, { name: zoneNamed('gone') })
      return () => root.delete(`/zones/${id}`)
    },
  ],
  [
    'a host that moves',
    ({ root, host }, n) =>
      () =>
        root.post('/dynamic-dns', { hostname: host, ipv4: `10.0.3.${n}` }),
  ],
  [
    'a new user',
    ({ root }) =>
      () =>
        root.post('/users', { username: unique('grown'), password: 'Secret123' }),
  ],
]

test.group('Statements of a write', () => {
  test('a write sends as many statements with hundreds of other zones and users', async ({
    assert,
    client,
  }) => {
    const root = caller(client, await administrator())
    const zone = await createZone(root, { name: zoneNamed('written') })
    const { id } = await createRecord(root, zone, record(0))
    await createRecord(root, zone, { ...record(0), name: 'moves' })
    const scene = { root, zone, record: id, host: `moves.${zone.name}` }
    let n = 0
    const count = async (write: Write): Promise<number> => {
      let fewest = Infinity
      for (let measurement = 0; measurement < RUNS; measurement++) {
        const begin = await write(scene, ++n)
        const statements = await statementsOf(async () => {
          const response = await begin()
          assert.isBelow(response.status(), 300, response.text())
        })
        fewest = Math.min(fewest, statements.length)
      }
      return fewest
    }
    const before: Record<string, number> = {}
    for (const [what, write] of WRITES) before[what] = await count(write)

    await fillZones(db.connection(), { zones: ZONES, records: RECORDS })
    await fillUsers(db.connection(), USERS)
    await adoptAllZones(await backendUnderTest())
    const after: Record<string, number> = {}
    for (const [what, write] of WRITES) after[what] = await count(write)

    for (const [what] of WRITES) {
      assert.isAbove(before[what], 2, what)
      assert.isAtMost(after[what], before[what], what)
    }
  }).timeout(120_000)
})
