// @databases @process
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { BackendManager } from '#backends/manager'
import { rectifyZones } from '#changes/signing/rectify'
import env from '#support/env'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { journalOf, serialOf } from '#tests/support/app/zones/zones'
import { describeRows, rowsOf } from '#tests/backends/contract/rows'
import { PowerDns } from '#tests/support/powerdns'
import { validate } from '#tests/support/validation'

/** The kinds of denial do not depend on the database. Other databases than SQLite test two of them. */
const KINDS = env.get('DB_CONNECTION') === 'sqlite' ? 4 : 2

type Zone = { id: number; name: string }

interface Told {
  checked: number
  zones: { zone_id: number; zone_name: string; rows: number }[]
  dry_run: boolean
}

test.group('zones:rectify-check', (tests) => {
  let as: Caller
  let dns: PowerDns
  tests.each.timeout(120_000)
  tests.setup(async () => {
    dns = await PowerDns.start()
    return () => dns.stop()
  })
  tests.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
  })

  const signedZone = async (...nsec3: string[]): Promise<Zone> => {
    const zone = await createZone(as, { name: zoneNamed('rectify') })
    await createRecord(as, zone, { name: '@', type: 'NS', content: 'ns1.example.net' })
    await createRecord(as, zone, { name: 'a.b.c', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: 'sub', type: 'NS', content: 'ns.sub' })
    await createRecord(as, zone, { name: 'ns.sub', type: 'A', content: '192.0.2.2' })
    await dns.util('secure-zone', zone.name)
    if (nsec3.length > 0) await dns.util('set-nsec3', zone.name, ...nsec3)
    await dns.util('rectify-zone', zone.name)
    return zone
  }
  const linesOf = async (zone: Zone) => describeRows(await rowsOf(zone.name), true)
  const rowsAt = (zone: Zone, label: string) =>
    db.from('records').where({ domain_id: zone.id, name: `${label}.${zone.name}` })

  /** Writes rows as a script without DNSSEC support does: four wrong rows, one missing. */
  const spoil = async (zone: Zone) => {
    await rowsAt(zone, 'a.b.c').update({ ordername: null })
    await rowsAt(zone, 'ns.sub').update({ auth: true })
    await rowsAt(zone, 'sub').update({ auth: true })
    await rowsAt(zone, 'b.c').whereNull('type').delete()
    const stray = { domain_id: zone.id, name: `stray.${zone.name}`, type: null, auth: true }
    await db.table('records').insert(stray)
  }
  /** Returns names in upper case if PowerDNS finds them: PostgreSQL stores lower case only, SQLite allows them in records. */
  const capitals = async (zone: Zone) => {
    const { name } = db.connection().dialect
    if (name === 'mysql') {
      const records = db.from('records').where('domain_id', zone.id).whereNotNull('type')
      await records.update({ name: db.raw('upper(name)') })
    }
    if (name !== 'postgres') {
      await db.from('domains').where('id', zone.id).update({ name: zone.name.toUpperCase() })
    }
  }
  const check = async (...words: string[]) => {
    const { code, stdout, stderr } = await ace(['zones:rectify-check', '--json', ...words])
    return { code, stderr, told: JSON.parse(stdout) as Told }
  }
  const found = ({ zones }: Told, zone: Zone) => zones.find(({ zone_id: id }) => id === zone.id)

  test('zones:rectify-check finds and repairs wrong rows of another tool, with {denial}')
    .with(
      [
        { denial: 'NSEC', nsec3: [] },
        { denial: 'opt-out NSEC3', nsec3: ['1 1 1 ab'] },
        { denial: 'NSEC3', nsec3: ['1 0 1 ab'] },
        { denial: 'narrow NSEC3', nsec3: ['1 0 1 ab', 'narrow'] },
      ].slice(0, KINDS)
    )
    .run(async ({ assert }, { nsec3 }) => {
      const zone = await signedZone(...nsec3)
      const whole = await linesOf(zone)
      const journal = await journalOf(zone.id)
      const serial = await serialOf(zone.id)
      await spoil(zone)
      const spoilt = await linesOf(zone)
      assert.notDeepEqual(spoilt, whole)

      const dryRun = await check('--dry-run')
      assert.equal(dryRun.code, 1, dryRun.stderr)
      assert.isTrue(dryRun.told.dry_run)
      assert.isAtLeast(found(dryRun.told, zone)!.rows, 3)
      assert.deepEqual(await linesOf(zone), spoilt)

      const repaired = await check()
      assert.equal(repaired.code, 0, repaired.stderr)
      assert.deepEqual(found(repaired.told, zone), found(dryRun.told, zone))
      assert.deepEqual(await linesOf(zone), whole)
      await dns.util('rectify-zone', zone.name)
      assert.deepEqual(await linesOf(zone), whole)

      assert.deepEqual(await journalOf(zone.id), journal)
      assert.equal(await serialOf(zone.id), serial)
      const proven = (label: string) => validate(dns.port, zone.name, `${label}.${zone.name}`, 'A')
      assert.equal(await proven('a.b.c'), 'answer')
      assert.equal(await proven('b.c'), 'denial')
      assert.equal(await proven('stray'), 'denial')
      const events = await eventsWith({ action: 'zone.rectified', object_id: zone.id })
      assert.lengthOf(events, 1)

      const again = await check('--dry-run')
      assert.isUndefined(found(again.told, zone))
    })

  test('names in upper case of other tools are treated as lower case: {denial}')
    .with(
      [
        { denial: 'NSEC', nsec3: [] },
        { denial: 'NSEC3', nsec3: ['1 0 1 ab'] },
        { denial: 'opt-out NSEC3', nsec3: ['1 1 1 ab'] },
      ].slice(0, KINDS)
    )
    .run(async ({ assert }, { nsec3 }) => {
      const zone = await signedZone(...nsec3)
      await capitals(zone)
      await dns.util('rectify-zone', zone.name)
      const dryRun = await check('--dry-run')
      assert.isUndefined(found(dryRun.told, zone))

      await createRecord(as, zone, { name: 'new.a.b.c', type: 'A', content: '192.0.2.3' })
      const after = await check('--dry-run')
      assert.isUndefined(found(after.told, zone))
      const apex = await db
        .from('records')
        .where('domain_id', zone.id)
        .whereRaw('lower(name) = ?', [zone.name])
        .whereIn('type', ['SOA', 'NS'])
      assert.isNotEmpty(apex)
      apex.forEach((row) => assert.isTrue(Boolean(row.auth), row.type))
    })

  test('NSEC3 iterations are limited as in the name server, whatever NSEC3PARAM contains', async ({
    assert,
  }) => {
    const zone = await signedZone('1 0 1 ab')
    await db
      .from('domainmetadata')
      .where({ domain_id: zone.id, kind: 'NSEC3PARAM' })
      .update({ content: '1 0 150 ab' })
    await check()
    const proven = (label: string) => validate(dns.port, zone.name, `${label}.${zone.name}`, 'A')
    assert.equal(await proven('a.b.c'), 'answer')
    assert.equal(await proven('b.c'), 'denial')
    assert.equal(await proven('stray'), 'denial')
  })

  test('unsigned zones, secondary zones and presigned zones are not changed', async ({
    assert,
  }) => {
    const signed = await signedZone()
    const plain = await createZone(as, { name: zoneNamed('plain') })
    await createRecord(as, plain, { name: 'a.b.c', type: 'A', content: '192.0.2.1' })
    const presigned = await signedZone()
    await expectStatus(as.put(`/zones/${presigned.id}/metadata/PRESIGNED`, { values: ['1'] }), 200)
    const replica = await signedZone()
    await db.from('domains').where('id', replica.id).update({ type: 'SLAVE' })
    const others = [plain, presigned, replica]
    for (const zone of [signed, ...others]) {
      await rowsAt(zone, 'a.b.c').update({ ordername: 'spoilt' })
    }
    const { told } = await check()
    assert.equal(found(told, signed)?.rows, 1)
    for (const zone of others) {
      assert.isUndefined(found(told, zone))
      const [row] = await rowsAt(zone, 'a.b.c')
      assert.equal(row.ordername, 'spoilt')
    }
  })

  test('zones that become unsigned during the run are not changed', async ({ assert }) => {
    const zones = [await signedZone(), await signedZone(), await signedZone(), await signedZone()]
    const [first, presigned, unsigned, replica] = zones
    for (const zone of zones) {
      await rowsAt(zone, 'a.b.c').update({ ordername: 'spoilt' })
    }
    const manager = await app.container.make(BackendManager)
    const rows = new Map<number, number | null>()
    for await (const result of rectifyZones(manager.use(), maintainer(), false)) {
      rows.set(result.zone.id, result.rows)
      if (result.zone.id === first.id) {
        const meta = { domain_id: presigned.id, kind: 'PRESIGNED', content: '1' }
        await db.table('domainmetadata').insert(meta)
        await db.from('cryptokeys').where('domain_id', unsigned.id).update({ active: false })
        await db.from('domains').where('id', replica.id).update({ type: 'SLAVE' })
      }
    }
    assert.deepEqual(
      zones.map(({ id }) => rows.get(id)),
      [1, 0, 0, 0]
    )
    for (const zone of [presigned, unsigned, replica]) {
      const [row] = await rowsAt(zone, 'a.b.c')
      assert.equal(row.ordername, 'spoilt')
    }
  })

  test('JSON output has the completed work even after an error', async ({ assert }) => {
    const variables = { DB_CONNECTION: 'pg', DB_HOST: '127.0.0.1', DB_PORT: '1' }
    const { code, stdout, stderr } = await ace(['zones:rectify-check', '--json'], { variables })
    assert.equal(code, 1)
    const { error, ...told } = JSON.parse(stdout)
    assert.deepEqual(told, { checked: 0, zones: [], not_compared: 0, dry_run: false })
    assert.match(error, /^The database cannot be reached/)
    assert.isTrue(stderr.endsWith(`${error}\n`), stderr)
  })

  test('text output has one line per zone, and exit code 0 without findings', async ({
    assert,
  }) => {
    const zone = await signedZone()
    await rowsAt(zone, 'a.b.c').update({ ordername: null })
    const dryRun = await ace(['zones:rectify-check', '--dry-run'])
    assert.equal(dryRun.code, 1)
    assert.include(dryRun.stdout, `${zone.name}: 1 row wrong\n`)
    const repaired = await ace(['zones:rectify-check'])
    assert.equal(repaired.code, 0)
    assert.include(repaired.stdout, `${zone.name}: 1 row fixed\n`)
    const secondResult = await ace(['zones:rectify-check', '--dry-run'])
    assert.equal(secondResult.code, 0)
    assert.match(secondResult.stdout, /^Checked \d+ signed zones, 0 of them had wrong rows\n$/)
  })
})
