// @databases @process
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { feedTexts } from '#database/trigram_index/indexer'
import { clearEngineCache } from '#database/trigram_index/engine'
import { buildTrigramIndex } from '#database/trigram_index/postgres'
import { TEXT_SOURCES } from '#database/trigram_index/source'
import { findingLines } from '#terminal/doctor_text'
import { caller, dataOf, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { ace } from '#tests/support/app/commands'

interface Finding {
  check: string
  state: string
  text: string
  remedy: string | null
}

/** Runs the command; in its own process with `variables`. */
async function doctor(variables?: Record<string, string>) {
  const { code, stdout, stderr } = await ace(['doctor', '--json'], { variables })
  const answer = JSON.parse(stdout) as { is_well: boolean; findings: Finding[] }
  return { code, stderr, ...answer }
}

test.group('doctor', () => {
  test('doctor reports no problem for a correct installation', async ({ assert }) => {
    const { code, stderr, is_well: isWell, findings } = await doctor()
    assert.equal(stderr, '')
    assert.deepEqual(
      findings.filter(({ state }) => state === 'wrong'),
      []
    )
    assert.isTrue(isWell)
    assert.equal(code, 0)
    const checks = findings.map(({ check }) => check)
    assert.includeMembers(checks, ['settings', 'database', 'migrations', 'records_indexes'])
    assert.includeMembers(checks, ['search_index', 'clock', 'time_zone', 'app_key', 'pdns_api'])
  })

  test('doctor names the invalid setting', async ({ assert }) => {
    const { code, findings } = await doctor({ API_ENABLED: 'maybe' })
    assert.equal(code, 1)
    assert.include(findings[0], { check: 'settings', state: 'wrong' })
    assert.match(findings[0].text, /^api\.enabled: found "maybe"/)
  })

  test('doctor has a remedy for an unusable server, key and directory', async ({ assert }) => {
    const api = { PDNS_API_URL: 'http://127.0.0.1:1', PDNS_API_KEY: 'the-pdns-key' }
    const files = { TMPDIR: '/nonexistent' }
    const { code, findings } = await doctor({ ...api, ...files, APP_KEY: '0123456789abcdef' })
    const told = (name: string) => findings.find(({ check }) => check === name)
    assert.equal(code, 1)
    assert.include(told('pdns_api'), { state: 'wrong' })
    assert.match(told('pdns_api')?.remedy ?? '', /pdns_api\.url/)
    assert.include(told('app_key'), { state: 'remark' })
    assert.include(told('temporary_files'), { state: 'wrong' })
    assert.match(told('temporary_files')?.remedy ?? '', /TMPDIR/)
    assert.notInclude(JSON.stringify(findings), 'the-pdns-key')
  })

  test('doctor has a remedy for a missing index', async ({ assert }) => {
    const client = db.connection()
    const dropped = ['zw_records_type_name']
    if (client.dialect.name !== 'mysql') dropped.push('zw_records_capitals')
    await client.schema.alterTable('records', (table) => {
      for (const name of dropped) table.dropIndex([], name)
    })
    try {
      const { code, findings } = await doctor()
      const missing = findings.filter(({ state }) => state === 'wrong')
      assert.equal(code, 1)
      assert.deepEqual(
        missing.map(({ check }) => check),
        dropped.map(() => 'records_indexes')
      )
      for (const [at, name] of dropped.entries()) {
        assert.include(missing[at].remedy, `CREATE INDEX ${name} ON records`)
        // The remedy is an executable SQL statement.
        await client.rawQuery(missing[at].remedy!.replace('Run in the database: ', ''))
      }
      const { code: codeAfter } = await doctor()
      assert.equal(codeAfter, 0)
    } finally {
      await client.schema.alterTable('records', (table) => {
        table.dropIndex([], 'zw_records_type_name')
        table.index(['domain_id', 'type', 'name'], 'zw_records_type_name')
      })
    }
  })

  test('doctor reports the progress of sort keys', async ({ client, assert }) => {
    const root = caller(client, await administrator())
    const zone = await createZone(root, { name: zoneNamed() })
    await createRecord(root, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
    const rows = await db.from('records').where('domain_id', zone.id).orderBy('id').select('id')
    const at = (id: number | null) =>
      db.from('zw_zone_snapshots').where('zone_id', zone.id).update({ keyed_to: id })
    await db.from('zw_zone_snapshots').update({ keyed_to: null })
    const finding = async () => {
      const { findings } = await doctor()
      return findings.find(({ check }) => check === 'sort_keys')!
    }
    await at(Number(rows[0].id))
    const { state, text } = await finding()
    await at(null)
    assert.equal(state, 'remark')
    assert.include(text, `1 large zone(s) are being created: 1 of ${rows.length} records`)
    assert.include(await finding(), { state: 'ok' })
  })

  test('doctor prints a line for each finding with its remedy', ({ assert }) => {
    const lines = findingLines([
      { state: 'ok', text: 'Fine', remedy: null },
      { state: 'wrong', text: 'Broken', remedy: 'mend it' },
    ])
    assert.deepEqual(lines, [
      'ok      Fine',
      'WRONG   Broken',
      '        -> mend it',
      '',
      '1 wrong, 0 remark(s)',
    ])
  })

  test('doctor reports a PostgreSQL without pg_trgm, and searches still work', async ({
    client,
    assert,
  }) => {
    const connection = db.connection()
    if (connection.dialect.name !== 'postgres') return
    const root = caller(client, await administrator())
    const { name } = await createZone(root, { name: zoneNamed('untrigrammed') })
    await connection.rawQuery('DROP EXTENSION pg_trgm CASCADE')
    clearEngineCache()
    try {
      const { code, findings } = await doctor()
      assert.equal(code, 0)
      const states = findings.filter(({ check }) => check === 'search_index')
      assert.isNotEmpty(states)
      for (const { state, text, remedy } of states) {
        assert.equal(state, 'remark')
        assert.match(text, /lacks pg_trgm|is being built/)
        assert.match(String(remedy), /CREATE EXTENSION pg_trgm|search:index/)
      }
      assert.isTrue(states.some(({ text }) => text.includes('lacks pg_trgm')))
      for (const state of ['noted', 'indexed']) {
        const text = name.slice(3, 14)
        const found: { name: string }[] = await dataOf(root.get(`/zones?q=${text}`), 'zones')
        assert.include(
          found.map((zone) => zone.name),
          name,
          state
        )
        const hits: { name: string }[] = await dataOf(root.get(`/search?q=${text}`), 'results')
        assert.include(
          hits.map((hit) => hit.name),
          name,
          state
        )
        for (const source of TEXT_SOURCES) {
          while (await feedTexts(connection, source));
        }
      }
    } finally {
      for (const source of TEXT_SOURCES) {
        assert.isNull(await buildTrigramIndex(connection, source))
      }
      clearEngineCache()
    }
  }).timeout(60_000)

  test('search:index adds all rows to the index', async ({ assert }) => {
    for (const words of [['search:index'], ['search:index', '--rebuild']]) {
      const { code, stdout } = await ace(words)
      assert.equal(code, 0)
      assert.match(stdout, /records is up to date/)
    }
    const { findings } = await doctor()
    const states = findings.filter(({ check }) => check === 'search_index')
    assert.deepEqual(
      states.map(({ state }) => state),
      Array(states.length).fill('ok')
    )
  }).timeout(180_000)
})
