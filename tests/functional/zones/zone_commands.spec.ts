// @process
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { recordType } from '#dns/records/registry'
import { withSerial } from '#dns/rdata/soa'
import { parseZoneFile, type ZoneFileContents } from '#dns/zonefile/index'
import { paintFor, printable } from '#terminal/paint'
import { planLines } from '#terminal/plan_text'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { ace } from '#tests/support/app/commands'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { testFolder } from '#tests/support/app/server'
import { SOA, fileWith } from '#tests/support/app/zones/zone_files'
import { ORIGINS, readCase } from '#tests/unit/dns/zonefile/cases'
import { lastEntryOf, stateOf } from '#tests/support/app/zones/zones'

const LIMIT = 120_000
const ESCAPE = '\u001b'

type Zone = { id: number; name: string }

const www = (content: string) => ({ name: 'www', type: 'A', content, ttl: 300 })

test.group('node ace zone:import and zone:export', (group) => {
  let as: Caller
  let zone: Zone
  group.each.timeout(LIMIT)
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
  })

  test('zone:import prints the plan, applies it on request, and zone:export writes the zone', async ({
    assert,
  }) => {
    await createRecord(as, zone, { ...www('192.0.2.1') })
    await createRecord(as, zone, { name: 'old', type: 'A', content: '192.0.2.1', ttl: 60 })
    const text = [SOA, 'www 60 A 192.0.2.2', 'mail 60 MX 10 mx.example.net.', ''].join('\n')
    const file = fileWith('zone.txt', text)
    const before = await stateOf(zone.id)

    const plan = await ace(['zone:import', zone.name, file])
    assert.equal(plan.code, 0, plan.stderr)
    assert.deepEqual(await stateOf(zone.id), before)
    const lines = plan.stdout.split('\n')
    assert.includeMembers(lines, [
      `+ mail.${zone.name} 60 MX 10 mx.example.net`,
      `- old.${zone.name} 60 A 192.0.2.1`,
      `~ www.${zone.name} 300 -> 60 A`,
      '    - 192.0.2.1',
      '    + 192.0.2.2',
      `Zone ${zone.name}: 4 RRsets (1 added, 2 changed, 1 removed)`,
      'Nothing has been changed yet. Use --apply to apply the changes.',
    ])
    assert.match(plan.stdout, /^Serial: \d+ -> \d+$/m)
    assert.notInclude(plan.stdout, ESCAPE)

    const doneResult = await ace(['zone:import', zone.name, file, '--apply', '--reason=ticket 7'])
    assert.equal(doneResult.code, 0, doneResult.stderr)
    assert.match(doneResult.stdout, /^Applied: entry 4 of the journal\.$/m)
    assert.containsSubset(await lastEntryOf(zone.id), {
      channel: 'cli',
      username: 'maintainer',
      reason: 'ticket 7',
      origin_kind: 'import',
      origin_id: 'zone.txt',
    })

    // A separate process, so that the text goes through pipes.
    const exported = await ace(['zone:export', zone.name], { spawned: true })
    const byApi = await as.get(`/zones/${zone.id}/export`)
    assert.equal(exported.stdout, byApi.body().data.zone_file)
    const output = join(testFolder('export'), 'zone.txt')
    const written = await ace(['zone:export', zone.name, `--output=${output}`])
    assert.deepEqual([written.code, written.stdout], [0, ''])
    assert.equal(readFileSync(output, 'utf8'), exported.stdout)

    const secondResult = await ace(['zone:import', zone.name, '-', '--json'], {
      input: exported.stdout,
      spawned: true,
    })
    assert.deepEqual(JSON.parse(secondResult.stdout).plan.zones[0].changes, [])
  })

  test('zone:import merges, and prints the API response with --json', async ({ assert }) => {
    await createRecord(as, zone, www('192.0.2.1'))
    const words = ['zone:import', zone.name, '-', '--mode=merge', '--json', '--apply']
    const { code, stdout } = await ace(words, { input: 'mail 60 A 192.0.2.9\n' })
    assert.equal(code, 0)
    const [change] = JSON.parse(stdout).change.zones
    assert.containsSubset(change, { zone_id: zone.id, entry: 3 })
    assert.lengthOf(change.changes, 1)
  })

  test('zone:import prints every error with its file and line, and changes nothing', async ({
    assert,
  }) => {
    const before = await stateOf(zone.id)
    const file = fileWith(
      'bad.txt',
      [SOA, 'a 60 A 192.0.2', 'b 60 A 192.0.2.1', 'c 60 FOO x'].join('\n')
    )
    const { code, stdout, stderr } = await ace(['zone:import', zone.name, file, '--apply'])
    assert.deepEqual([code, stdout], [1, ''])
    const lines = stderr.trimEnd().split('\n')
    assert.lengthOf(lines, 2)
    assert.match(lines[0], new RegExp(`^${file}:2:\\d+: error: Field 'content'`))
    assert.match(lines[1], new RegExp(`^${file}:4:\\d+: error: Field 'type'`))
    assert.deepEqual(await stateOf(zone.id), before)
  })

  const REFUSED: [what: string, words: string[], message: RegExp][] = [
    ['a zone that is not there', ['zone:export', 'nowhere.test'], /no zone named 'nowhere.test'/],
    [
      'a file that is not there',
      ['zone:import', '%', '/nowhere/x'],
      /Cannot read the file .*ENOENT/,
    ],
    ['another mode', ['zone:import', '%', '-', '--mode=both'], /--mode must be merge or replace/],
    ['a file that cannot be', ['zone:export', '%', '--output=/nowhere/x'], /Cannot write the file/],
  ]
  test('zone:import refuses {0} in one line')
    .with(REFUSED)
    .run(async ({ assert }, [, words, message]) => {
      const named = words.map((word) => (word === '%' ? zone.name : word))
      const { code, stdout, stderr } = await ace(named)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, message)
      assert.lengthOf(stderr.trimEnd().split('\n'), 1)
    })

  test('zone:import names the line of a file that is not UTF-8, also in a comment', async ({
    assert,
  }) => {
    const before = await stateOf(zone.id)
    for (const line of ['; M\xfcnchen', 't 60 TXT "\xfc"', 'u 60 TXT "x" ; \xfc']) {
      const file = fileWith(
        'latin1.txt',
        Buffer.from(`${SOA}\n${line}\nv 60 TXT "\xe4"\n`, 'latin1')
      )
      const { code, stderr } = await ace(['zone:import', zone.name, file, '--apply'])
      assert.equal(code, 1)
      const number = SOA.trimEnd().split('\n').length + (SOA.endsWith('\n') ? 2 : 1)
      assert.match(stderr, new RegExp(`is not UTF-8 text: line ${number} has other bytes\\n$`))
      assert.include(stderr, 'latin1.txt')
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })
})

/** Returns the records of a file that a zone can contain, without the serial. */
function comparableRRsets({ rrsets }: ZoneFileContents) {
  return rrsets
    .filter(({ type }) => recordType(type)?.writer !== 'server')
    .map(({ type, records, ...set }) => ({
      ...set,
      type,
      records: records.map((record) => ({
        ...record,
        content: type === 'SOA' ? withSerial(record.content, 0) : record.content,
      })),
    }))
}

test.group('Zone files of many makers through the command', (group) => {
  group.each.timeout(LIMIT)

  for (const [name, origin] of Object.entries(ORIGINS)) {
    test(`${name} is imported without loss`, async ({ client, assert }) => {
      const as = caller(client, await administrator())
      const { zone: text } = readCase(name)
      const file = fileWith('zone.txt', text)
      const zone = await createZone(as, { name: origin })
      const { code, stderr } = await ace(['zone:import', origin, file, '--apply'])
      assert.equal(code, 0, stderr)
      const response = await as.get(`/zones/${zone.id}/export`)
      const exported = parseZoneFile(response.body().data.zone_file, { origin })
      assert.deepEqual(exported.problems, [])
      assert.deepEqual(
        comparableRRsets(exported),
        comparableRRsets(parseZoneFile(text, { origin }))
      )
    })
  }
})

test.group('node ace zone:history, zone:diff, zone:undo and zone:restore', (group) => {
  let as: Caller
  let zone: Zone
  group.each.timeout(LIMIT)
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    const record = await createRecord(as, zone, www('192.0.2.1'))
    await as.put(`/zones/${zone.id}/records/${record.id}`, {
      content: '192.0.2.2',
      reason: 'moved',
    })
  })

  test('zone:history prints text, and the API response with --json', async ({ assert }) => {
    const short = await ace(['zone:history', zone.name, '--limit=1'])
    assert.equal(short.code, 0, short.stderr)
    assert.match(
      short.stdout,
      /^entry 3 {2}\d{4}-\S+Z {2}\S+ \(api\) {2}serial \d+ -> \d+\n {4}moved\n$/
    )
    const long = await ace(['zone:history', zone.name, '--changes', '--name=www', '--type=a'])
    const lines = long.stdout.split('\n')
    assert.lengthOf(
      lines.filter((line) => line.startsWith('entry ')),
      2
    )
    assert.includeMembers(lines, [
      `  ~ www.${zone.name} 300 A`,
      '      - 192.0.2.1',
      '      + 192.0.2.2',
      `  + www.${zone.name} 300 A 192.0.2.1`,
    ])
    const json = await ace(['zone:history', zone.name, '--changes', '--json'])
    const byApi = await as.get(`/zones/${zone.id}/history?include=changes`)
    assert.deepEqual(JSON.parse(json.stdout).entries, byApi.body().data.entries)
    const oddResult = await ace(['zone:history', zone.name, '--limit=0'])
    assert.equal(oddResult.code, 1)
    assert.include(oddResult.stderr, '--limit must be a whole number from 1 to')
  })

  test('zone:diff prints text, and the API response with --json', async ({ assert }) => {
    const plain = await ace(['zone:diff', zone.name])
    assert.equal(
      plain.stdout,
      `~ www.${zone.name} 300 A\n    - 192.0.2.1\n    + 192.0.2.2\n` +
        `Zone ${zone.name}, entry 2 to 3: 1 RRset (1 changed)\n`
    )
    const json = await ace(['zone:diff', zone.name, '--from=3', '--to=1', '--json'])
    const byApi = await as.get(`/zones/${zone.id}/diff?from=3&to=1`)
    assert.deepEqual(JSON.parse(json.stdout), byApi.body().data)
    const oddResult = await ace(['zone:diff', zone.name, '--from=yesterday'])
    assert.equal(oddResult.code, 1)
    assert.include(oddResult.stderr, "'from' must be a time")
  })

  test('zone:undo undoes an entry on request', async ({ assert }) => {
    const before = await stateOf(zone.id)
    const plan = await ace(['zone:undo', zone.name, '3'])
    assert.equal(plan.code, 0, plan.stderr)
    assert.include(plan.stdout, '    + 192.0.2.1\n')
    assert.deepEqual(await stateOf(zone.id), before)
    const doneResult = await ace(['zone:undo', zone.name, '3', '--apply', '--json'])
    assert.containsSubset(JSON.parse(doneResult.stdout).change.zones[0], { entry: 4 })
    assert.containsSubset(await lastEntryOf(zone.id), { origin_kind: 'undo', channel: 'cli' })

    const conflicting = await ace(['zone:undo', zone.name, '3', '--apply'])
    assert.equal(conflicting.code, 1)
    assert.match(conflicting.stderr, /^Entry 3 cannot be reverted: later changes of www\./)
    const oddResult = await ace(['zone:undo', zone.name, 'x'])
    assert.equal(oddResult.code, 1)
  })

  test('zone:restore restores a zone on request, completely or in part', async ({ assert }) => {
    await createRecord(as, zone, { name: 'new', type: 'A', content: '192.0.2.9' })
    const part = ['zone:restore', zone.name, '--entry=2', '--name=www', '--type=A']
    const plan = await ace(part)
    assert.equal(plan.code, 0, plan.stderr)
    assert.include(plan.stdout, '    + 192.0.2.1\n')
    assert.notInclude(plan.stdout, 'new.')
    const doneResult = await ace(['zone:restore', zone.name, '--entry=1', '--apply'])
    assert.match(doneResult.stdout, /^Zone \S+: 2 RRsets \(2 removed\)$/m)
    const neither = await ace(['zone:restore', zone.name])
    assert.equal(neither.code, 1)
    assert.include(neither.stderr, "Send exactly one of 'entry'")
  })
})

test.group('Terminal output', () => {
  const change = {
    zoneName: 'example.test',
    changes: [
      {
        name: 'a.example.test',
        type: 'TXT',
        before: null,
        after: {
          name: 'a.example.test',
          type: 'TXT',
          ttl: 60,
          records: [{ content: '"x"', priority: 0, disabled: true }],
        },
      },
    ],
    serialBefore: null,
    serialAfter: null,
    warnings: [],
  }

  test('colours are only used on a terminal without NO_COLOR', ({ assert }) => {
    const text = (stream: { isTTY?: boolean }, variables: NodeJS.ProcessEnv) =>
      planLines(change, paintFor(stream, variables)).join('\n')
    const plain = text({}, {})
    assert.equal(
      plain,
      '+ a.example.test 60 TXT "x" (disabled)\nZone example.test: 1 RRset (1 added)\nSerial: none, stays'
    )
    assert.equal(text({ isTTY: true }, { NO_COLOR: '1' }), plain)
    assert.include(text({ isTTY: true }, {}), `${ESCAPE}[32m+ a.example.test`)
  })

  test('values contain no terminal control characters', ({ assert }) => {
    assert.equal(printable(`a${ESCAPE}[2Jb\u202e\n`), 'a\\u{1b}[2Jb\\u{202e}\\u{a}')
  })
})
