// @databases
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { ApiCalls } from '#tests/support/faults/api_calls'
import { damageOf, repeatUnanswered, writeUntilKilled } from '#tests/support/faults/kill_rounds'
import {
  isOpen,
  MixedWrites,
  OFTEN,
  unexpectedMixedResponses,
} from '#tests/support/faults/mixed_writes'
import { ServerProcess } from '#tests/support/faults/server_process'
import { loadZones, Workload } from '#tests/support/faults/workload'
import { Random, seedOfRun } from '#tests/support/random'

/** Total number of kills; each costs the start of a server. KILL_ROUNDS=1000 runs longer. */
/** Each round on a database server also starts a database server. */
const DEFAULT_ROUNDS = process.env.DB_CONNECTION === 'sqlite' ? 100 : 25
const ROUNDS = Number(process.env.KILL_ROUNDS ?? DEFAULT_ROUNDS)
/** An unreachable PowerDNS API: work after a commit stays in the outbox. */
const NO_API = { PDNS_API_URL: 'http://127.0.0.1:9', PDNS_API_KEY: 'nobody-listens' }
/** Rounds between new zones. Each round reads the journals, so they must stay short. */
const BATCH = 10
const SEED = seedOfRun()

test.group('Repeatedly killed server', () => {
  test(`${ROUNDS} kills lose no confirmed write, and repeated requests are applied once (seed ${SEED})`, async ({
    assert,
    cleanup,
  }) => {
    const { key } = await administrator()
    const random = new Random(SEED)
    const wishes = new Workload()
    const mixed = new MixedWrites(random, wishes)
    let server = await ServerProcess.start(NO_API)
    cleanup(() => server.stop())
    const api = () => new ApiCalls(server.url, key)
    let zones = await loadZones(api(), [zoneNamed(), zoneNamed()], random, wishes)
    let open = 0
    for (let round = 1; round <= ROUNDS; round += 1) {
      if (round % BATCH === 0) {
        zones = await loadZones(api(), [zoneNamed(), zoneNamed()], random, wishes)
        await mixed.prepare(api())
      }
      const kill = () => server.end('SIGKILL')
      const writes = await writeUntilKilled(api(), kill, zones, { random, mixed })
      mixed.learn(writes)
      const roundText = `round ${round} of seed ${SEED}`
      assert.deepEqual(await damageOf(zones, writes), [], roundText)
      assert.deepEqual(unexpectedMixedResponses(writes), [], roundText)
      open += writes.filter(isOpen).length

      server = await ServerProcess.start(NO_API)
      assert.deepEqual(await repeatUnanswered(api(), writes), [], roundText)
      assert.deepEqual(await damageOf(zones, writes), [], roundText)
    }
    assert.isAbove(open, ROUNDS / 2, 'the kills came when nothing was under way')
    if (ROUNDS >= 100) {
      assert.includeMembers([...mixed.done], OFTEN, 'some kind of write was never done')
    }
  }).timeout(60_000 + ROUNDS * 20_000)
})
