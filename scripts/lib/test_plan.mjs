import { parseArgs } from 'node:util'
import { OperatorError } from './shell.mjs'
import { isNamed, readTestFiles, SUITE_FOLDERS } from './test_files.mjs'

const SUITES = Object.keys(SUITE_FOLDERS)
const DATABASES = ['sqlite', 'pg', 'mysql']

/** Suites that do not depend on the database server: they run on SQLite only. */
const SQLITE_SUITES = ['unit', 'clients']
/** Suites that measure time or stop processes: they run after all others. */
const LAST_SUITES = ['faults', 'faults-api']
/** Suites that need the build, whatever tags their files have. */
const SUITES_WITH_BUILD = ['clients', 'browser', 'faults', 'faults-api']
/** Suites that need neither a database server nor another program. */
const SUITES_WITHOUT_SERVER = ['unit']
/** Command line filters that the test runner applies to titles and tags. */
const RUNNER_FILTERS = ['tests', 'groups', 'tags']

/**
 * Repetitions of random and fault tests, by tier. An environment variable overrides each. A test has its own default for a
 * missing one.
 *
 * LAW_RUNS: samples of a property. LIST_RUNS: random list requests. SIGNED_RUNS: random change sets of signed zones.
 * MODEL_RUNS: change sets of the model test. KILL_ROUNDS: killed processes. *_SECONDS: time of load with killed nodes.
 * ZONE_FILE_RUNS: generated zone files that other programs check, too. ODD_VALUES: unusual values for each member of a body,
 * parameter and form field. TEST_LOOKS: `one` tests pages in light colours on a wide screen, without axe.
 */
const REPETITIONS = {
  landing: {
    LAW_RUNS: '200',
    LIST_RUNS: '12',
    SIGNED_RUNS: '25',
    MODEL_RUNS: '300',
    KILL_ROUNDS: '8',
    SCHEDULER_SECONDS: '6',
    WEBHOOK_SECONDS: '5',
    TEST_LOOKS: 'one',
    ODD_VALUES: '4',
    ZONE_FILE_RUNS: '100',
  },
  all: { LAW_RUNS: '10000', ZONE_FILE_RUNS: '2000' },
}

function choose(flag, text, allowed) {
  if (text === undefined) return allowed
  const names = text.split(',').filter(Boolean)
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown || names.length === 0) {
    throw new OperatorError(`--${flag}: '${unknown ?? text}' is not one of ${allowed.join(', ')}`)
  }
  return allowed.filter((name) => names.includes(name))
}

function parse(argv) {
  const text = { type: 'string' }
  const names = ['suite', 'db', 'files', ...RUNNER_FILTERS]
  const options = Object.fromEntries(names.map((name) => [name, text]))
  try {
    return parseArgs({
      args: argv,
      options: { ...options, all: { type: 'boolean' }, record: { type: 'boolean' } },
    }).values
  } catch (error) {
    throw new OperatorError(error.message)
  }
}

/** Databases on which a suite runs a file. */
function databasesOf(suite, { tags }, { tier, named }) {
  if (SQLITE_SUITES.includes(suite)) return ['sqlite']
  if (named) return named
  if (suite === 'browser') {
    return tier === 'all' && tags.includes('@databases') ? ['sqlite', 'pg'] : ['sqlite']
  }
  if (suite === 'functional-api') return ['sqlite']
  return tier === 'all' || tags.includes('@databases') ? DATABASES : ['sqlite']
}

/** Whether a suite contains a file in a tier. */
function holds(suite, { tags }, tier) {
  if (tier === 'landing' && tags.includes('@slow')) return false
  if (suite !== 'functional-api') return true
  return tags.includes('@api-backend') || (tier === 'all' && tags.includes('@api-backend(all)'))
}

/** Arguments of the test runner for a suite: its name there, environment variables and filters. */
function modeOf(suite, database, { tier, names, filters }) {
  const excluded = []
  if (suite === 'functional-api') excluded.push('!@sql')
  if (tier === 'landing' && !names) excluded.push('!@slow')
  const env = { ...REPETITIONS[tier] }
  if (suite === 'functional-api') env.TEST_BACKEND = 'api'
  if (suite === 'browser' && database !== 'sqlite') env.TEST_LOOKS = 'one'
  return {
    name: suite === 'functional-api' ? 'functional' : suite,
    env,
    filters: [...filters, ...excluded.flatMap((tag) => ['--tags', tag])],
  }
}

/** Files of a suite that a command line selects. */
function filesOf(suite, files, { tier, names }) {
  return files.filter(
    (file) =>
      file.folder === SUITE_FOLDERS[suite] &&
      (names ? isNamed(file.path, names) : true) &&
      holds(suite, file, names ? 'all' : tier)
  )
}

/** Files of a suite, grouped by database. */
function byDatabase(suite, files, { tier, names, named }) {
  const groups = new Map()
  for (const file of files) {
    // Selected files run on the databases of `npm test`, unless the command line names others.
    for (const database of databasesOf(suite, file, { tier: names ? 'landing' : tier, named })) {
      groups.set(database, [...(groups.get(database) ?? []), file.path])
    }
  }
  return [...groups]
}

/**
 * Plans the tests that a command line selects.
 *
 * `npm test` runs the tier `landing`, `--all` the tier `all`. `--suite`, `--db` and `--files` narrow both. `--files` also
 * selects `@slow` files; with `--db`, every selected file runs on that database.
 *
 * @returns `groups` (files by suite and database with their mode), the needed databases and other requirements
 */
export function planTests(root, argv, files = readTestFiles(root)) {
  const values = parse(argv)
  const choice = {
    tier: values.all ? 'all' : 'landing',
    names: values.files?.split(',').filter(Boolean),
    named: values.db === undefined ? undefined : choose('db', values.db, DATABASES),
    filters: RUNNER_FILTERS.filter((name) => values[name]).flatMap((name) => [
      `--${name}`,
      values[name],
    ]),
  }
  const groups = choose('suite', values.suite, SUITES).flatMap((suite) =>
    byDatabase(suite, filesOf(suite, files, choice), choice).map(([database, paths]) => ({
      suite,
      database,
      files: paths,
      isLast: LAST_SUITES.includes(suite),
      ...modeOf(suite, database, choice),
    }))
  )
  if (groups.length === 0) {
    throw new OperatorError(`No test file matches: ${argv.join(' ')}`)
  }
  const paths = new Set(groups.flatMap((group) => group.files))
  return {
    tier: choice.tier,
    groups,
    databases: DATABASES.filter((name) =>
      groups.some(
        ({ suite, database }) => !SUITES_WITHOUT_SERVER.includes(suite) && database === name
      )
    ),
    needsBuild:
      groups.some(({ suite }) => SUITES_WITH_BUILD.includes(suite)) ||
      files.some(({ path, tags }) => paths.has(path) && tags.includes('@process')),
    isFiltered: choice.filters.length > 0,
    isRecorded: Boolean(values.record),
  }
}
