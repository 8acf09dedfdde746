import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { ApiCalls } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { assertRectified, assertServed, assertWhole } from '#tests/support/faults/verdict'
import {
  faultsOfWrites,
  isDone,
  isOpen,
  loadZones,
  planWrites,
  send,
  unexpectedResponses,
  Workload,
} from '#tests/support/faults/workload'
import { PowerDns } from '#tests/support/powerdns'
import { Random, seedOfRun } from '#tests/support/random'

const WRITES = 200
const ZONES = 3
/** Repeats a failed round with ZW_SEED=<its seed>. */
const SEEDS = process.env.ZW_SEED ? [Number(process.env.ZW_SEED)] : [seedOfRun(), seedOfRun() + 1]

test.group('Killed server', (group) => {
  let dns: PowerDns
  let key: string

  group.setup(async () => {
    const admin = await administrator()
    key = admin.key
    dns = await PowerDns.start()
    return () => dns.stop()
  })

  test(
    'each of 200 writes is complete or absent, and each confirmed one is complete (seed {$self})'
  )
    .with(SEEDS)
    .run(async ({ assert, cleanup }, seed) => {
      const random = new Random(seed)
      const wishes = new Workload()
      const server = await ServerProcess.start()
      cleanup(() => server.stop())
      const api = new ApiCalls(server.url, key)
      const names = Array.from({ length: ZONES }, () => zoneNamed())
      const zones = await loadZones(api, names, random, wishes)
      const writes = planWrites(random, wishes, zones, WRITES)

      const killAfter = random.below(WRITES - 20)
      let answered = 0
      const sending = writes.map(async (write) => {
        await send(api, write)
        answered += 1
      })
      while (answered < killAfter && server.isRunning) {
        await sleep(1)
      }
      await sleep(random.next() * 8)
      const ending = await server.end('SIGKILL')
      await Promise.all(sending)
      assert.equal(ending.signal, 'SIGKILL')
      assert.deepEqual(unexpectedResponses(writes), [])
      assert.isAbove(writes.filter(isOpen).length, 0, 'the kill came too late')

      const again = await ServerProcess.start()
      cleanup(() => again.stop())
      const after = new ApiCalls(again.url, key)
      for (const zone of zones) {
        assert.deepEqual(await faultsOfWrites(zone, writes), [], `seed ${seed}`)
        await assertWhole(assert, after, zone)
        await assertRectified(assert, dns, zone)
        await assertServed(assert, dns, zone)
      }

      const retried = writes.filter(isOpen).slice(0, 20)
      await Promise.all(retried.map((write) => send(after, write)))
      assert.isAbove(retried.filter(isDone).length, 0)
      for (const zone of zones) {
        await assertWhole(assert, after, zone)
      }
    })
    .timeout(120_000)
})
