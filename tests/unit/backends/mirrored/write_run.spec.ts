import { test } from '@japa/runner'
import type { ZoneStep } from '#backends/mirrored/intended'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import { PlanMovedOn, WriteRun } from '#backends/mirrored/write_run'

test.group('Runs of a write at a server', () => {
  test('a step that was taken back is made again by the next run', async ({ assert }) => {
    const calls: string[] = []
    const sender: Pick<ZoneServer, 'carry' | 'undo'> = {
      async carry({ kind }) {
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
      run.perform()
      run.begin()
      await run.step(step)
      assert.lengthOf(run.made, 1)
      await run.undo()
      assert.lengthOf(run.made, 0)
    }
    assert.deepEqual(calls, ['carry records', 'undo records', 'carry records', 'undo records'])
  })

  test('a step that stays made is not made again', async ({ assert }) => {
    let carried = 0
    const sender: Pick<ZoneServer, 'carry'> = {
      async carry() {
        carried++
        return null
      },
    }
    const run = new WriteRun(sender as ZoneServer)
    const step: ZoneStep = { zoneId: 1, zoneName: 'a.example', kind: 'rectify' }
    run.begin()
    await run.step(step)
    run.perform()
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
    const asked: string[] = []
    const sender: Pick<ZoneServer, 'carry' | 'zone'> = {
      carry: async () => null,
      async zone(name) {
        asked.push(name)
        return { digest: digests[asked.length] } as ServerZone
      },
    }
    const run = new WriteRun(sender as ZoneServer)
    const steps = [1, 2, 2, 3].map((zoneId): ZoneStep => {
      return { zoneId, zoneName: `z${zoneId}.example`, kind: 'rectify' }
    })
    for (const { zoneId } of steps) {
      run.looks.set(zoneId, { version: 1, answer: { digest: 'seen' } as ServerZone })
    }
    run.begin()
    for (const step of steps) await run.step(step)
    run.perform()
    run.begin()
    for (const step of steps.slice(0, 3)) await run.step(step)
    const moved: unknown = await run.step(steps[3]).catch((error: unknown) => error)
    assert.instanceOf(moved, PlanMovedOn)
    assert.deepEqual(asked, ['z2.example', 'z3.example'])
    assert.lengthOf(run.made, 3)
  })
})
