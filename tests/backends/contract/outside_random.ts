import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { WriteRefused } from '#backends/contract/errors'
import { applyChanges, diffRRsets } from '#dns/diff'
import type { RRset } from '#dns/types'
import { Random } from '#tests/support/random'
import { Bench, freshZoneName, type DriverUnderTest } from './bench.js'
import { insertRow, rowsAt, show } from './outsiders.js'
import { randomStep } from './random_steps.js'

const STEPS = 60
const SEEDS = [1, 2, 3]

/** Writes a row in SQL as another writer does, at a random name of the tree of `randomStep`. */
async function outsideStep(random: Random, zone: BackendZone): Promise<string> {
  const name = `${random.pick(['a', 'b.a', 'f', 'x.ns.cut', '*.a', 'other'])}.${zone.name}`
  const content = random.pick(['192.0.2.1', '192.0.2.2', '192.0.2.8'])
  const edits = {
    delete: () => rowsAt(zone, name).delete(),
    insert: () => insertRow(zone, name, { content }),
    content: () => rowsAt(zone, name, 'A').update({ content }),
    ttl: () => rowsAt(zone, name).update({ ttl: random.pick([60, 300]) }),
    move: () => rowsAt(zone, name, 'A').update({ name: `moved.${zone.name}` }),
  }
  const edit = random.pick(Object.keys(edits) as (keyof typeof edits)[])
  await edits[edit]()
  return `${edit} ${name} ${content}`
}

/** A write of the product. A write that the name server rejects changes nothing. */
async function ownStep(bench: Bench, zone: BackendZone, seed: number): Promise<string> {
  try {
    // The work may be repeated.
    return await bench.locked(zone, (session, lockedZone) =>
      randomStep(new Random(seed), session, lockedZone)
    )
  } catch (error) {
    if (error instanceof WriteRefused) {
      return `refused: ${error.message}`
    }
    throw error
  }
}

/** Random sequences of steps: the history of a zone has no gap. */
export function registerOutsideRandom(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: outside changes at random`, () => {
    test('own writes of every kind are never reported (seed {$self})')
      .with(SEEDS)
      .run(async ({ assert }, seed) => {
        const bench = await Bench.of(driver)
        const random = new Random(seed)
        let zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
        for (let i = 1; i <= STEPS; i += 1) {
          const seedOfStep = random.below(2 ** 31)
          const step = await ownStep(bench, zone, seedOfStep)
          if (i % 20 === 0 && driver.writesRows) {
            zone = await bench.locked(zone, (session, lockedZone) =>
              session.renameZone(lockedZone, freshZoneName())
            )
          }
          const has = await bench.backend.hasExternalChanges(zone)
          assert.isFalse(has, `seed ${seed}, step ${i}: ${step}`)
        }
      })
      .timeout(120_000)

    test('reported changes lead from each state to the next (seed {$self})')
      .with(SEEDS)
      .run(async ({ assert }, seed) => {
        const bench = await Bench.of(driver)
        const random = new Random(100 + seed)
        const zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
        const steps: string[] = []
        let previous: RRset[] = await bench.locked(zone, (session, lockedZone) =>
          session.allRRsets(lockedZone)
        )
        let reportedBefore = 0
        for (let i = 1; i <= STEPS; i += 1) {
          for (let more = random.below(4); more > 0; more -= 1) {
            steps.push(await outsideStep(random, zone))
          }
          const names = random.chance(0.7) ? [`a.${zone.name}`, `moved.${zone.name}`] : undefined
          // As in change sets: the names are checked, then written.
          const { taken, now } = await bench.locked(zone, async (session, lockedZone) => {
            const changes = await session.takeExternalChanges(lockedZone, names)
            return { taken: changes, now: await session.allRRsets(lockedZone) }
          })
          const message = `seed ${seed}, step ${i}, after\n${steps.slice(-5).join('\n')}\n`
          for (const { before, ...key } of taken) {
            const was = previous.find((set) => set.name === key.name && set.type === key.type)
            const lost = diffRRsets(before ? [before] : [], was ? [was] : [])
            assert.deepEqual(show(lost), [], message)
          }
          previous = applyChanges(previous, taken)
          reportedBefore += taken.length
          if (!names) {
            assert.deepEqual(show(diffRRsets(previous, now)), [], message)
            assert.isFalse(await bench.backend.hasExternalChanges(zone), message)
            const seedOfStep = random.below(2 ** 31)
            steps.push(await ownStep(bench, zone, seedOfStep))
            previous = await bench.locked(zone, (session, lockedZone) =>
              session.allRRsets(lockedZone)
            )
          }
        }
        assert.isAbove(reportedBefore, STEPS / 4)
      })
      .timeout(120_000)
  })
}
