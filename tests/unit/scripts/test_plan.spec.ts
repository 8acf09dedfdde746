import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'

const LIB = new URL('../../../scripts/lib/', import.meta.url).href
const ROOT = new URL('../../../', import.meta.url)
/** Starts a process only if the caller requests it. */
const COMMANDS = 'tests/support/app/commands.ts'
const { planTests } = await import(`${LIB}test_plan.mjs`)
const { isNamed, SUITE_FOLDERS, TAGS, tagsOf } = await import(`${LIB}test_files.mjs`)
const { splitIntoShards, recordDurations } = await import(`${LIB}test_shards.mjs`)
const { unitTestsOf } = await import(`${LIB}touched_tests.mjs`)

const file = (path: string, ...tags: string[]) => ({ folder: path.split('/')[1], path, tags })
const FILES = [
  file('tests/unit/a.spec.ts'),
  file('tests/functional/cheap.spec.ts'),
  file('tests/functional/sql.spec.ts', '@databases', '@api-backend'),
  file('tests/functional/both.spec.ts', '@api-backend(all)', '@process'),
  file('tests/functional/long.spec.ts', '@slow'),
  file('tests/browser/journey.spec.ts'),
  file('tests/browser/looks.spec.ts', '@slow', '@databases'),
]

/** Returns the test runs of a command line, as `suite-database: files`. */
function planned(...argv: string[]): Record<string, string> {
  const { groups } = planTests('/', argv, FILES)
  return Object.fromEntries(
    groups.map(
      ({ suite, database, files }: { suite: string; database: string; files: string[] }) => [
        `${suite}-${database}`,
        files.map((path) => path.replace(/^.*\/|\.spec\.ts$/g, '')).join(' '),
      ]
    )
  )
}

test.group('scripts / test plan', () => {
  test('a file without tags runs on SQLite, one with @databases on all three', ({ assert }) => {
    assert.deepEqual(planned('--suite=functional'), {
      'functional-sqlite': 'cheap sql both',
      'functional-pg': 'sql',
      'functional-mysql': 'sql',
    })
  })

  test('npm test excludes slow files', ({ assert }) => {
    assert.deepEqual(planned('--suite=browser,functional-api'), {
      'functional-api-sqlite': 'sql',
      'browser-sqlite': 'journey',
    })
  })

  test('npm run test:all runs every file on every database', ({ assert }) => {
    const everywhere = 'cheap sql both long'
    assert.deepEqual(planned('--all'), {
      'functional-sqlite': everywhere,
      'functional-pg': everywhere,
      'functional-mysql': everywhere,
      'functional-api-sqlite': 'sql both',
      'browser-sqlite': 'journey looks',
      'browser-pg': 'looks',
      'unit-sqlite': 'a',
    })
  })

  test('a named file runs even if it is slow', ({ assert }) => {
    assert.deepEqual(planned('--files=long'), { 'functional-sqlite': 'long' })
  })

  test('a named database runs every selected file', ({ assert }) => {
    assert.deepEqual(planned('--suite=functional', '--db=mysql'), {
      'functional-mysql': 'cheap sql both',
    })
  })

  test('a build is required for files that start processes, and no database for unit tests', ({
    assert,
  }) => {
    const plan = (...argv: string[]) => planTests('/', argv, FILES)
    assert.isFalse(plan('--files=cheap').needsBuild)
    assert.isTrue(plan('--files=both').needsBuild)
    assert.isTrue(plan('--suite=browser').needsBuild)
    assert.deepEqual(plan('--suite=unit').databases, [])
    assert.deepEqual(plan('--files=sql').databases, ['sqlite', 'pg', 'mysql'])
  })

  for (const argv of ['--suite=units', '--db=oracle', '--suite=', '--files=none', '--what=1']) {
    test(`an operator error names what is wrong: ${argv}`, ({ assert }) => {
      assert.throws(() => planTests('/', [argv], FILES), /unit|sqlite|none|what|--suite/)
    })
  }
})

test.group('scripts / tags of test files', () => {
  test('tags are in the first line', ({ assert }) => {
    assert.deepEqual(tagsOf('a', '// @databases @slow\nimport'), ['@databases', '@slow'])
    assert.deepEqual(tagsOf('a', 'import\n// @slow\n'), [])
    assert.throws(() => tagsOf('a', '// @database\n'), /unknown tag '@database'/)
  })

  test('files that start programs of the build have the tag @process', ({ assert }) => {
    const undeclared = specsBelow('tests/functional').filter((path) => {
      const text = readFileSync(new URL(path, ROOT), 'utf8')
      return startsPrograms(path) && !tagsOf(path, text).includes('@process')
    })
    assert.deepEqual(undeclared, [])
  })
})

test.group('scripts / docs/testing.md', () => {
  const page = readFileSync(new URL('docs/testing.md', ROOT), 'utf8')

  test('docs/testing.md has a row for each suite, tag and repetition', ({ assert }) => {
    const { groups } = planTests('/', ['--suite=unit'], FILES)
    const names = [...Object.keys(SUITE_FOLDERS), ...TAGS, ...Object.keys(groups[0].env)]
    const rows = names.filter((name: string) => page.includes(`| \`${name}\``))
    assert.deepEqual(rows, names)
  })

  test('docs/testing.md has the repetitions of npm test', ({ assert }) => {
    const [{ env }] = planTests('/', ['--suite=unit'], FILES).groups
    for (const [name, value] of Object.entries(env)) {
      assert.match(page, new RegExp(`\\| \`${name}\` +\\| \`?${value}\`? +\\|`))
    }
  })
})

test.group('scripts / names of files', () => {
  const cases: Array<[string, string, boolean]> = [
    ['tests/functional/zones.spec.ts', 'zones', true],
    ['tests/functional/web_zones.spec.ts', 'zones', false],
    ['tests/unit/dns/names.spec.ts', 'dns/names', true],
    ['tests/functional/web_zones.spec.ts', 'web_*', true],
    ['tests/unit/dns/laws/names.spec.ts', 'unit/dns/**', true],
    ['tests/unit/dns/laws/names.spec.ts', 'unit/dns/*', false],
    ['tests/unit/dns/a.spec.ts', 'd.s/a', false],
  ]
  for (const [path, filter, expected] of cases) {
    test(`${filter} ${expected ? 'names' : 'does not name'} ${path}`, ({ assert }) => {
      assert.equal(isNamed(path, [filter]), expected)
    })
  }
})

test.group('scripts / processes of a run', (group) => {
  let root: string
  group.each.setup(() => {
    root = mkdtempSync(join(tmpdir(), 'zonewright-shards-'))
    mkdirSync(join(root, 'tests'))
    return () => rmSync(root, { recursive: true })
  })
  const ofSuite = (files: string[]) => ({ suite: 'unit', database: 'sqlite', files })

  test('shards have about the same recorded duration', ({ assert }) => {
    const durations = { 'unit-sqlite': { a: 90, b: 80, c: 20, d: 5 } }
    writeFileSync(join(root, 'tests/durations.json'), JSON.stringify(durations))
    const files = ['a', 'b', 'c', 'd', 'new'].map((name) => `tests/unit/${name}.spec.ts`)
    const shards = splitIntoShards(root, [ofSuite(files)])
    assert.deepEqual(
      shards.map(({ seconds }: { seconds: number }) => seconds),
      [100, 96]
    )
    assert.sameMembers(
      shards.flatMap((shard: { files: string[] }) => shard.files),
      files
    )
  })

  test('durations below a second are not recorded', ({ assert }) => {
    const durations = [
      { file: 'tests/unit/dns/a.spec.ts', seconds: 12.34 },
      { file: 'tests/unit/b.spec.ts', seconds: 0.4 },
    ]
    recordDurations(root, [{ suite: 'unit', database: 'sqlite', durations }])
    assert.deepEqual(JSON.parse(readFileSync(join(root, 'tests/durations.json'), 'utf8')), {
      'unit-sqlite': { 'dns/a': 12.3 },
    })
  })
})

test.group('scripts / unit tests of touched folders', () => {
  const cases: Array<[string, string]> = [
    ['app/zones/directory.ts', 'unit/zones/**'],
    ['app/dns/records/service/caa.ts', 'unit/dns/**'],
    ['app/dns/zonefile/write.ts', 'unit/dns/zonefile/**'],
    ['config/dns.ts', 'unit/settings/**'],
    ['tests/unit/dns/rdata/soa.spec.ts', 'unit/dns/rdata/soa'],
  ]
  for (const [path, expected] of cases) {
    test(`${path} is tested by ${expected}`, ({ assert }) => {
      assert.include(unitTestsOf(new URL('.', ROOT).pathname, [path]), expected)
    })
  }

  test('every selected filter names a folder', ({ assert }) => {
    const sources = ['validators', 'transformers', 'controllers'].map((name) => `app/${name}/a.ts`)
    const others = ['config/a.ts', 'database/a.ts', 'resources/a.css', 'start/a.ts']
    for (const filter of unitTestsOf(new URL('.', ROOT).pathname, [...sources, ...others])) {
      const folder = new URL(`tests/${filter.replace('/**', '')}`, ROOT)
      assert.isTrue(existsSync(folder), filter)
    }
  })
})

function specsBelow(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `${folder}/${name}`)
}

/** Returns true if a file, or an import of it from `tests/`, starts a server or a command of the build. */
function startsPrograms(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path) || path === COMMANDS) return false
  seen.add(path)
  const text = readFileSync(new URL(path, ROOT), 'utf8')
  if (/(OtherServer|ServerProcess)\.start\(/.test(text)) return true
  if (/\bace\([^;]*\b(variables|spawned|node)\b/.test(text)) return true
  const imports = [...text.matchAll(/from '#(tests\/[^']+)'/g)].map(([, name]) => `${name}.ts`)
  return imports.some((name) => existsSync(new URL(name, ROOT)) && startsPrograms(name, seen))
}
