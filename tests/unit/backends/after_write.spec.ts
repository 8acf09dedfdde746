import { test } from '@japa/runner'
import type { BackendZone, ZoneKind } from '#backends/contract/backend'
import { followUps } from '#backends/sql/after_write'

const zone = (name: string, kind: ZoneKind): BackendZone => ({
  id: 7,
  name,
  kind,
  masters: [],
  account: null,
})

const effectsOf = (before: BackendZone | null, after: BackendZone | null) =>
  followUps(before, after).map(({ kind, zoneName }) => `${kind} ${zoneName}`)

test.group('Effects of a write to the tables of PowerDNS', () => {
  test('a primary zone gets a cache flush, then NOTIFY', ({ assert }) => {
    for (const kind of ['MASTER', 'PRODUCER'] as const) {
      const same = zone('a.test', kind)
      assert.deepEqual(effectsOf(same, same), ['flush a.test', 'notify a.test'])
      assert.deepEqual(effectsOf(null, same), ['flush a.test', 'notify a.test'])
    }
  })

  test('other types, and deleted zones, only get a cache flush', ({ assert }) => {
    for (const kind of ['NATIVE', 'SLAVE', 'CONSUMER'] as const) {
      assert.deepEqual(effectsOf(null, zone('a.test', kind)), ['flush a.test'])
    }
    assert.deepEqual(effectsOf(zone('a.test', 'MASTER'), null), ['flush a.test'])
  })

  test('a change of metadata reloads metadata before the other calls', ({ assert }) => {
    const same = zone('a.test', 'MASTER')
    const kinds = followUps(same, same, true).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['forget', 'flush', 'notify'])
    assert.deepEqual(
      followUps(same, null, true).map(({ kind }) => kind),
      ['flush']
    )
  })

  test('a rename flushes the old name too', ({ assert }) => {
    assert.deepEqual(effectsOf(zone('old.test', 'MASTER'), zone('new.test', 'MASTER')), [
      'flush old.test',
      'flush new.test',
      'notify new.test',
    ])
    assert.deepEqual(
      followUps(null, zone('a.test', 'NATIVE')).map(({ zoneId }) => zoneId),
      [7]
    )
  })
})
