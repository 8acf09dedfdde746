import { test } from '@japa/runner'
import type { ZoneStep } from '#backends/pending_writes/steps'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import { PlanChanged, WriteRun } from '#backends/mirrored/write_attempt'
import type { ZoneKey } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'

test.group('Attempts of a write at a server', () => {
  test('the next attempt repeats a reverted step', async ({ assert }) => {
    const calls: string[] = []
    const sender: Pick<ZoneServer, 'executeStep' | 'undo'> = {
      async executeStep({ kind }) {
        calls.push(`carry ${kind}`)
        return null
      },
      async undo({ kind }) {
        calls.push(`undo ${kind}`)
      },
    }
    const run = new WriteRun(sender as ZoneServer)
    const step: ZoneStep = {
      zoneId: 1,
      zoneName: 'a.example',
      kind: 'records',
      changes: [],
      movesSerial: true,
    }
    for (let i = 0; i < 2; i++) {
      run.rehearse()
      run.begin()
      await run.step(step)
      run.execute()
      run.begin()
      await run.step(step)
      assert.lengthOf(run.executedSteps, 1)
      // The transaction may be retried.
      for (let runs = 0; runs < 2; runs++) await run.undo(0)
      assert.lengthOf(run.executedSteps, 0)
    }
    assert.deepEqual(calls, ['carry records', 'undo records', 'carry records', 'undo records'])
  })

  test('a completed step is not repeated', async ({ assert }) => {
    let carried = 0
    const sender: Pick<ZoneServer, 'executeStep'> = {
      async executeStep() {
        carried++
        return null
      },
    }
    const run = new WriteRun(sender as ZoneServer)
    const step: ZoneStep = { zoneId: 1, zoneName: 'a.example', kind: 'rectify' }
    run.begin()
    await run.step(step)
    run.execute()
    for (let i = 0; i < 2; i++) {
      run.begin()
      await run.step(step)
    }
    assert.equal(carried, 1)
  })

  test('a zone that waited for another one is compared before its first step', async ({
    assert,
  }) => {
    const digests = ['seen', 'seen', 'moved']
    const reads: string[] = []
    const sender: Pick<ZoneServer, 'executeStep' | 'zone'> = {
      executeStep: async () => null,
      async zone(name) {
        reads.push(name)
        return { digest: digests[reads.length] } as ServerZone
      },
    }
    const run = new WriteRun(sender as ZoneServer)
    const steps = [1, 2, 2, 3].map((zoneId): ZoneStep => {
      return { zoneId, zoneName: `z${zoneId}.example`, kind: 'rectify' }
    })
    for (const { zoneId } of steps) {
      run.mirrorReads.set(zoneId, { version: 1, answer: { digest: 'seen' } as ServerZone })
    }
    run.begin()
    for (const step of steps) await run.step(step)
    run.execute()
    run.begin()
    for (const step of steps.slice(0, 3)) await run.step(step)
    const moved: unknown = await run.step(steps[3]).catch((error: unknown) => error)
    assert.instanceOf(moved, PlanChanged)
    assert.deepEqual(reads, ['z2.example', 'z3.example'])
    assert.lengthOf(run.executedSteps, 3)
  })

  test('metadata and keys of a zone that waited are compared as well', async ({ assert }) => {
    const kinds = { 'X-ONE': ['a'], 'X-TWO': ['b', 'c'] }
    const keys: ZoneKey[] = [{ flags: 257, active: true, published: true, content: 'secret' }]
    const steps = [1, 2].map((zoneId): ZoneStep => {
      return { zoneId, zoneName: `z${zoneId}.example`, kind: 'delete' }
    })
    for (const [foundKinds, foundKeys, isMoved] of [
      [{ 'X-TWO': ['b', 'c'], 'X-ONE': ['a'] }, keys, false],
      [{ ...kinds, 'X-TWO': ['c', 'b'] }, keys, true],
      [null, keys, true],
      [kinds, [...keys, ...keys], true],
    ] as const) {
      const sender: Pick<ZoneServer, 'executeStep' | 'zone' | 'metadata' | 'keys'> = {
        executeStep: async () => null,
        zone: async () => ({ digest: 'seen' }) as ServerZone,
        metadata: async () => foundKinds as Metadata | null,
        keys: async () => [...foundKeys],
      }
      const run = new WriteRun(sender as ZoneServer)
      for (const { zoneId } of steps) {
        run.mirrorReads.set(zoneId, { version: 1, answer: { digest: 'seen' } as ServerZone })
        run.metadata.set(zoneId, kinds)
        run.keys.set(zoneId, keys)
      }
      run.begin()
      for (const step of steps) await run.step(step)
      run.execute()
      run.begin()
      await run.step(steps[0])
      const second: unknown = await run.step(steps[1]).catch((error: unknown) => error)
      assert.equal(second instanceof PlanChanged, isMoved)
      assert.lengthOf(run.executedSteps, isMoved ? 1 : 2)
      run.discardReads()
      assert.deepEqual([run.mirrorReads.size, run.metadata.size, run.keys.size], [0, 0, 0])
    }
  })

  const set = (content: string, ttl = 60, id = 1) => ({
    ...{ name: 'www.a.example', type: 'A', ttl },
    records: [{ id, content, priority: 0, disabled: false }],
  })
  const records = (content: string, ttl?: number, id?: number): ZoneStep => ({
    ...{ zoneId: 1, zoneName: 'a.example', kind: 'records', movesSerial: true },
    changes: [{ name: 'www.a.example', type: 'A', before: null, after: set(content, ttl, id) }],
  })
  const kinds = (value: string): ZoneStep => ({
    ...{ zoneId: 1, zoneName: 'a.example', kind: 'metadata', before: {} },
    after: { 'X-ONE': [value] },
  })
  const wished = records('192.0.2.1')

  for (const [what, rehearsed, repeated, isSame] of [
    ['the same step', wished, records('192.0.2.1'), true],
    ['other ids of records', wished, records('192.0.2.1', 60, 9), true],
    ['another id of a new zone', wished, { ...wished, zoneId: 2 }, true],
    ['another content', wished, records('192.0.2.2'), false],
    ['another TTL', wished, records('192.0.2.1', 61), false],
    ['another zone', wished, { ...wished, zoneName: 'b.example' }, false],
    ['another kind', wished, { zoneId: 1, zoneName: 'a.example', kind: 'rectify' }, false],
    ['the same metadata', kinds('a'), kinds('a'), true],
    ['other metadata', kinds('a'), kinds('b'), false],
  ] as [string, ZoneStep, ZoneStep, boolean][]) {
    test(`${what} of the dry run is ${isSame ? 'executed' : 'refused, and nothing is executed'}`, async ({
      assert,
    }) => {
      const carried: ZoneStep[] = []
      const sender: Pick<ZoneServer, 'executeStep'> = {
        async executeStep(step) {
          carried.push(step)
          return null
        },
      }
      const run = new WriteRun(sender as ZoneServer)
      run.begin()
      await run.step(rehearsed)
      run.execute()
      run.begin()
      const outcome: unknown = await run.step(repeated).catch((error: unknown) => error)
      assert.equal(outcome instanceof PlanChanged, !isSame)
      assert.deepEqual(carried, isSame ? [repeated] : [])
    })
  }
})
