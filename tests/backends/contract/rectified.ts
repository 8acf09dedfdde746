import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { Random } from '#tests/support/random'
import { Bench, type DriverUnderTest } from './bench.js'
import { randomStep } from './random_steps.js'
import { describeRows, rowsOf } from './rows.js'
import { DENIALS, sign, type Denial } from './signed.js'

const STEPS = 80

interface Case {
  mode: string
  /** Kind of denial of a signed zone; null for an unsigned one. */
  denial: Denial | null
  /** Number of steps between two checks. Only the driver writes the rows between them. */
  every: number
  seed: number
}

const CASES: Case[] = [null, ...DENIALS].flatMap((denial, index) => {
  const mode = denial ? `signed with ${denial.denial}` : 'unsigned'
  return [
    { mode, denial, every: 1, seed: 1000 + index },
    { mode, denial, every: 9, seed: 2000 + index },
  ]
})

/**
 * After any sequence of changes, `rectify-zone` of PowerDNS finds nothing to do: authoritative names, empty non-terminals, and
 * the order of proofs.
 *
 * Name servers do not read the order names of unsigned zones, so these are not compared.
 */
export function registerRectified(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: rectified`, () => {
    test('{mode}: pdnsutil rectify-zone changes nothing, checked every {every} steps')
      .with(CASES)
      .run(async ({ assert }, { denial, every, seed }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([['www', 'A', ['192.0.2.1']]])
        if (denial) {
          await sign(bench, zone, denial.nsec3)
        }
        const random = new Random(seed)
        const steps: string[] = []
        for (let i = 1; i <= STEPS; i += 1) {
          steps.push(await bench.locked(zone, (session, it) => randomStep(random, session, it)))
          if (i % every !== 0 && i !== STEPS) {
            continue
          }
          const before = describeRows(await rowsOf(zone.name), denial !== null)
          await bench.dns.util('rectify-zone', zone.name)
          const after = describeRows(await rowsOf(zone.name), denial !== null)
          const last = steps.slice(-every).join('\n')
          const verdict = {
            missing: after.filter((line) => !before.includes(line)),
            wrong: before.filter((line) => !after.includes(line)),
          }
          assert.deepEqual(
            verdict,
            { missing: [], wrong: [] },
            `seed ${seed}, step ${i}, after\n${last}\n`
          )
        }
        assert.isAbove(new Set(steps).size, STEPS / 2)
      })
      .timeout(240_000)

    test('wrong rows of other tools with {denial} are counted and repaired once')
      .with(DENIALS)
      .run(async ({ assert }, { nsec3 }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([['a.b.c', 'A', ['192.0.2.1']]])
        const rectify = () => bench.locked(zone, (session, it) => session.rectify(it))
        assert.equal(await rectify(), 0)
        await sign(bench, zone, nsec3)
        const whole = describeRows(await rowsOf(zone.name), true)
        assert.equal(await bench.backend.countWrongRows(zone), 0)
        const rows = () => db.from('records').where('domain_id', zone.id)
        await rows().whereNull('type').delete()
        await rows().where('type', 'A').update({ auth: false })
        assert.equal(await bench.backend.countWrongRows(zone), 3)
        assert.equal(await rectify(), 3)
        assert.equal(await rectify(), 0)
        assert.equal(await bench.backend.countWrongRows(zone), 0)
        assert.deepEqual(describeRows(await rowsOf(zone.name), true), whole)
      })

    test('signed zones are those with local keys, in order', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const [plain, one, otherZone, replica, elsewhere] = [
        await bench.zone(),
        await bench.zone(),
        await bench.zone(),
        await bench.zone([], { kind: 'SLAVE', masters: ['192.0.2.1'] }),
        await bench.zone([], { metadata: { PRESIGNED: ['1'] } }),
      ]
      for (const zone of [one, otherZone]) {
        await sign(bench, zone, null)
      }
      // Inserted directly: PowerDNS' tool would create no key here.
      const key = await db.from('cryptokeys').where('domain_id', one.id).first()
      for (const { id } of [replica, elsewhere]) {
        const { flags, active, published, content } = key
        await db.table('cryptokeys').insert({ domain_id: id, flags, active, published, content })
      }
      const ids = (zones: BackendZone[]) => zones.map(({ id }) => id)
      const after = plain.id
      assert.deepEqual(ids(await bench.backend.signedZones(after, 100)), [one.id, otherZone.id])
      assert.deepEqual(ids(await bench.backend.signedZones(after, 1)), [one.id])
      assert.deepEqual(ids(await bench.backend.signedZones(one.id, 1)), [otherZone.id])
      assert.deepEqual(await bench.backend.signedZones(otherZone.id, 100), [])
    })
  })
}
