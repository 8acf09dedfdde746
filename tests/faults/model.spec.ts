// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { ApiCalls, dataOf, isSuccess } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { contradictionsIn } from '#tests/support/faults/zone_history'
import { KINDS, type ModelWrite, type ModelZone } from '#tests/support/model/model_write'
import { chronicleOf, contradictions, timeEntries } from '#tests/support/model/verdict'
import { Writer, type Shared } from '#tests/support/model/writer'
import { Random } from '#tests/support/random'

const WRITERS = 8
const ZONES = 5
/** Total number of change sets: MODEL_RUNS=20000 runs longer, ZW_SEED=<seed> runs others. */
const RUNS = Number(process.env.MODEL_RUNS ?? 2_000)
const SEED = Number(process.env.ZW_SEED ?? 20_260_728)

/** Every row of a zone as PowerDNS reads it, without ids and without the serial of the SOA record. */
async function rowsOf({ id }: ModelZone): Promise<string[]> {
  const rows: Record<string, unknown>[] = await db.from('records').where('domain_id', id)
  return rows
    .map(({ name, type, content, ttl, prio, disabled, auth, ordername }) => {
      const data = type === 'SOA' ? String(content).split(' ').with(2, '') : content
      const flags = [Boolean(disabled), Boolean(auth)]
      return JSON.stringify([name, type, data, ttl, prio, ...flags, ordername])
    })
    .sort()
}

/** Counts of statuses by kind of write. */
function statistics(writes: ModelWrite[]): string {
  const lines = [...Map.groupBy(writes, ({ kind }) => kind)].map(([kind, some]) => {
    const statuses = Map.groupBy(some, ({ answer }) => answer.status)
    return `${kind}: ${[...statuses].map(([status, { length }]) => `${status} x ${length}`).join(', ')}`
  })
  return lines.sort().join('\n')
}

test.group('Concurrent writers of all kinds', (group) => {
  let api: ApiCalls
  let server: ServerProcess
  const zones: ModelZone[] = []
  const firstRows = new Map<number, string[]>()
  const shared: Shared = { zones, writes: [], clock: 0, contents: 10 }

  group.setup(async () => {
    const { key } = await administrator()
    server = await ServerProcess.start()
    api = new ApiCalls(server.url, key, { keepAlive: true })
    for (let i = 0; i < ZONES; i += 1) {
      const name = zoneNamed('model')
      zones.push({ id: dataOf(await api.post('/zones', { name })).zone_id, name })
      firstRows.set(zones[i].id, await rowsOf(zones[i]))
    }
    return async () => {
      api.close()
      await server.stop()
    }
  })

  test(`${RUNS} change sets by ${WRITERS} writers match all responses (seed ${SEED})`, async ({
    assert,
  }) => {
    let left = RUNS
    const work = async (number: number) => {
      const writer = new Writer(api, shared, new Random(SEED + number))
      while (left > 0) {
        left -= 1
        await writer.write()
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, number) => work(number)))

    const chronicles = await Promise.all(zones.map(chronicleOf))
    chronicles.forEach((chronicle) => timeEntries(chronicle, shared.writes))
    const problems = contradictions(chronicles, shared.writes)
    assert.deepEqual(problems.slice(0, 20), [], statistics(shared.writes))
    for (const { id } of zones) {
      assert.deepEqual(await contradictionsIn(id), [])
    }
    const done = new Set(shared.writes.filter(({ answer }) => isSuccess(answer)).map((w) => w.kind))
    assert.sameMembers([...done], [...KINDS], statistics(shared.writes))
    assert.isTrue(
      shared.writes.some(({ answer }) => answer.status === 412),
      'no writer was ever late'
    )
    assert.deepEqual(server.complaints(), [])
  }).timeout(900_000)

  test('undoing all entries from the newest on restores the first state', async ({ assert }) => {
    const undoAll = async (zone: ModelZone) => {
      const { entries } = await chronicleOf(zone)
      for (const { entry } of entries.slice(1).reverse()) {
        const answer = await api.post(`/zones/${zone.id}/history/${entry}/undo`, {})
        assert.equal(answer.status, 200, `${zone.name} entry ${entry}: ${answer.text}`)
      }
      assert.deepEqual(await rowsOf(zone), firstRows.get(zone.id))
      assert.isEmpty(await db.from('zw_record_comments').where('zone_id', zone.id))
      const { description } = dataOf(await api.get(`/zones/${zone.id}`)).zone
      assert.isTrue(description === null || description === '', `description '${description}'`)
      assert.deepEqual(await contradictionsIn(zone.id), [])
    }
    await Promise.all(zones.map(undoAll))
  }).timeout(900_000)
})
