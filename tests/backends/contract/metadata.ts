import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import type { Metadata } from '#dns/metadata/metadata'
import { validate } from '#tests/support/validation'
import { Bench, rrset, type DriverUnderTest } from './bench.js'
import { describeRows, rowsOf } from './rows.js'
import { DENIALS, sign } from './signed.js'

function write(bench: Bench, zone: BackendZone, metadata: Metadata): Promise<void> {
  return bench.locked(zone, (session, it) => session.writeMetadata(it, metadata))
}

/** Zone metadata: written completely, by kind, and with its effects. */
export function registerMetadata(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: metadata`, () => {
    test('metadata is read by kind, and PowerDNS reads the same', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([], { metadata: { 'SOA-EDIT-API': ['EPOCH'] } })
      await write(bench, zone, { 'IXFR': ['1'], 'ALLOW-AXFR-FROM': ['192.0.2.1', 'AUTO-NS'] })
      const all = {
        'ALLOW-AXFR-FROM': ['192.0.2.1', 'AUTO-NS'],
        'IXFR': ['1'],
        'SOA-EDIT-API': ['EPOCH'],
      }
      const found = await bench.backend.metadataOf(zone)
      assert.deepEqual(Object.entries(found), Object.entries(all))
      assert.deepEqual(await bench.locked(zone, (session, it) => session.metadataOf(it)), all)
      const output = await bench.dns.util('get-meta', zone.name, 'ALLOW-AXFR-FROM')
      assert.include(output, '192.0.2.1')
      assert.include(output, 'AUTO-NS')
    })

    test('the named kinds are replaced or deleted, and other kinds and zones stay', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const metadata = { 'IXFR': ['1'], 'ALSO-NOTIFY': ['192.0.2.1', '192.0.2.2'], 'X-A': ['a'] }
      const zone = await bench.zone([], { metadata })
      const otherZone = await bench.zone([], { metadata })
      await write(bench, zone, { 'IXFR': [], 'ALSO-NOTIFY': ['192.0.2.3'], 'X-NEVER': [] })
      assert.deepEqual(await bench.backend.metadataOf(zone), {
        'ALSO-NOTIFY': ['192.0.2.3'],
        'X-A': ['a'],
      })
      assert.deepEqual(await bench.backend.metadataOf(otherZone), metadata)
    })

    test('a failed write changes nothing', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([], { metadata: { IXFR: ['1'] } })
      const failing = bench.locked(zone, async (session, it) => {
        await session.writeMetadata(it, { 'IXFR': [], 'X-A': ['a'] })
        throw new Error('changed my mind')
      })
      await assert.rejects(() => failing, 'changed my mind')
      assert.deepEqual(await bench.backend.metadataOf(zone), { IXFR: ['1'] })
    })

    if (!(driver.hasOutsiders ?? true)) return

    test('metadata that pdnsutil writes is read in any spelling', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      await bench.dns.util('set-meta', zone.name, 'X-Mixed', 'one', 'two')
      const { 'X-MIXED': values } = await bench.backend.metadataOf(zone)
      assert.sameMembers(values, ['one', 'two'])
      await write(bench, zone, { 'X-MIXED': ['three'] })
      assert.deepEqual(await bench.backend.metadataOf(zone), { 'X-MIXED': ['three'] })
    })

    test('a signed zone remains provable after a change to {denial}')
      .with(DENIALS)
      .run(async ({ assert }, { nsec3 }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([
          ['a.b.c', 'A', ['192.0.2.3']],
          ['sub', 'NS', ['ns.sub.elsewhere.example']],
        ])
        // From the other kind of denial.
        await sign(bench, zone, nsec3 ? null : ['1 0 1 ab'])
        const [parameters, narrow] = nsec3 ?? []
        await write(bench, zone, {
          NSEC3PARAM: parameters ? [parameters] : [],
          NSEC3NARROW: narrow ? ['1'] : [],
        })
        const before = describeRows(await rowsOf(zone.name), true)
        await bench.dns.util('rectify-zone', zone.name)
        assert.deepEqual(describeRows(await rowsOf(zone.name), true), before)
        const proven = (label: string) =>
          validate(bench.dns.port, zone.name, `${label}.${zone.name}`, 'A')
        assert.equal(await proven('a.b.c'), 'answer')
        assert.equal(await proven('b.c'), 'denial')
        assert.equal(await proven('nope'), 'denial')
        const denied = await bench.dns.query(`nope.${zone.name}`, 'A', { dnssec: true })
        const types = denied.authority.map(({ type }) => type)
        assert.include(types, nsec3 ? 'NSEC3' : 'NSEC')
      })

    if (!driver.writesRows) return

    test('an unsigned zone keeps its rows', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone([['a.b', 'A', ['192.0.2.3']]])
      const rows = () => db.from('records').where('domain_id', zone.id).orderBy('id')
      const before = await rows()
      await write(bench, zone, { NSEC3PARAM: ['1 0 0 -'] })
      assert.deepEqual(await rows(), before)
      await bench.put(zone, rrset(`www.${zone.name}`, 'A', ['192.0.2.4']))
    })
  })
}
