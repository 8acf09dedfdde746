// @api-backend(all)
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { checkRules } from '#changes/planning/rules'
import { applyChanges } from '#dns/diff'
import type { RRset } from '#dns/types'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

/** An RRset to write: relative owner, type and contents. `$` is the zone. */
type Short = [owner: string, type: string, ...contents: string[]]

test.group('Warnings of the rules between records', (group) => {
  let as: Caller
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
  })

  /** Returns the warnings for writing these RRsets: rule id, relative owner, type. */
  async function warningsOf(zoneId: number, ...wanted: Short[]): Promise<string[]> {
    const manager = await app.container.make(BackendManager)
    return manager.use().write(async (session) => {
      const zones = await session.lockZones([zoneId])
      const zone = zones.get(zoneId)!
      const sets = wanted.map(([owner, type, ...contents]): RRset => {
        const records = contents.map((content) => {
          return { content: content.replaceAll('$', zone.name), priority: 0, disabled: false }
        })
        const name = owner === '@' ? zone.name : `${owner}.${zone.name}`
        return { name, type, ttl: 60, records }
      })
      const before = await session.rrsetsAt(zone, [zone.name, ...sets.map(({ name }) => name)])
      const changes = sets.map((after) => {
        const { name, type } = after
        const old = before.find((set) => set.name === name && set.type === type) ?? null
        return { name, type, before: old, after: after.records.length > 0 ? after : null }
      })
      const after = applyChanges(before, changes)
      const warnings = await checkRules(session, zone, before, after, changes)
      return warnings.map(
        ({ rule, name, type }) => `${rule} ${name.slice(0, -zone.name.length - 1) || '@'} ${type}`
      )
    })
  }

  test('warnings depend on the state in the database', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const otherZone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, otherZone, { name: 'alias', type: 'CNAME', content: 'x.test' })
    await createRecord(as, zone, { name: '@', type: 'NS', content: 'ns1.test' })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
    await createRecord(as, zone, { name: '*.wild', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: 'sub', type: 'NS', content: 'ns.sub2.test' })
    await createRecord(as, zone, { name: 'a.b.full', type: 'TXT', content: 'x' })

    const cases: [string[], Short[]][] = [
      [[], [['new', 'A', '192.0.2.1']]],
      [['apex-ns @ NS'], [['@', 'NS']]],
      [['set-ttl www A'], [['www', 'A', '192.0.2.1', '192.0.2.2']]],
      [['mx-target-missing @ MX'], [['@', 'MX', 'mail.$', 'www.$', 'a.wild.$', 'a.sub.$']]],
      [
        ['mx-target-alias @ MX'],
        [['@', 'MX', `alias.${otherZone.name}`, `host.${otherZone.name}`]],
      ],
      [['ptr-target-alias 1 PTR'], [['1', 'PTR', `alias.${otherZone.name}`]]],
      [['occluded x.y.sub TXT'], [['x.y.sub', 'TXT', '"x"']]],
      [['occluded ns.sub A'], [['ns.sub', 'A', '192.0.2.1']]],
      [['glue-missing sub NS'], [['sub', 'NS', 'ns.sub.$']]],
      [
        [],
        [
          ['sub', 'NS', 'ns.sub.$'],
          ['ns.sub', 'A', '192.0.2.1'],
        ],
      ],
      [['occluded a.b.full TXT'], [['full', 'NS', 'ns1.test']]],
      [
        [],
        [
          ['full', 'DNAME', 'x.test'],
          ['a.b.full', 'TXT'],
        ],
      ],
    ]
    for (const [warnings, sets] of cases) {
      assert.deepEqual(await warningsOf(zone.id, ...sets), warnings)
    }
  })
})
