/*
| All tests: `npm test [-- --suite=unit,functional --db=sqlite,pg,mysql --files=... --tests=...]`.
|
| Brings dependencies and components where they are missing, starts a PostgreSQL and a MariaDB of its
| own, runs every suite on every database, and ends with the line `N passed, N failed`. Suites run side by
| side, one more than there are processors, those that measure out moments after all others.
*/
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireComponents } from './components.mjs'
import { ensureBuild } from './lib/build.mjs'
import { installDependencies, pinnedNode } from './lib/dependencies.mjs'
import { startMariadb } from './lib/mariadb.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { end, OperatorError, run } from './lib/shell.mjs'
import { planTests } from './lib/test_plan.mjs'
import { runTestProcess } from './lib/test_process.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SERVERS = {
  sqlite: async () => ({
    createDatabase: () => ({ DB_CONNECTION: 'sqlite' }),
    stop: async () => {},
  }),
  pg: startPostgres,
  mysql: startMariadb,
}

/** Suites that start commands and servers of the build. */
const OF_BUILD = [
  'functional',
  'doors',
  'functional-api',
  'clients',
  'browser',
  'faults',
  'faults-api',
]
/** Suites that measure out moments: they run last, beside none but each other. */
const LAST = ['faults', 'faults-api']

/** What has to be gone when this process is gone. */
const running = { children: new Set(), servers: new Map(), home: null }

async function cleanUp() {
  const { home } = running
  const children = [...running.children]
  const servers = [...running.servers.values()]
  running.children.clear()
  running.servers.clear()
  running.home = null
  await Promise.all(children.map((child) => end(child, 2_000)))
  for (const starting of servers) {
    const server = await starting.catch(() => null)
    await server?.stop()
  }
  if (home) {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The server of a database, started when it is first asked for. */
function serverOf(database) {
  if (!running.servers.has(database)) {
    running.servers.set(database, SERVERS[database](running.home))
  }
  return running.servers.get(database)
}

/** Runs one suite. What it prints is kept together where others run beside it. */
async function runSuite({ server, database, suite, specs, env, filters, isAlone, again = '' }) {
  const label = `${suite}-${database}${again}`
  const title = `\n=== ${suite} on ${database}${again && ', again'}`
  const log = isAlone ? null : join(running.home, `${label}.log`)
  console.log(log ? `\n... ${suite} on ${database} has begun` : title)
  const name = `zonewright_${suite}${again && '_again'}`.replaceAll('-', '_')
  const own = suite === 'functional-api' && database !== 'sqlite'
  const nameServer = own
    ? { ZW_NAME_SERVER: JSON.stringify(server.createDatabase(`${name}_pdns`)) }
    : {}
  const counts = await runTestProcess({
    root: ROOT,
    home: running.home,
    label,
    suite,
    database: { ...server.createDatabase(name), ...nameServer },
    filters,
    specs,
    env,
    log,
    onChild: (child) => running.children.add(child),
    onEnd: (child) => running.children.delete(child),
  })
  if (log && running.home) {
    console.log(title)
    process.stdout.write(readFileSync(log))
  }
  return { label, ...counts }
}

/** Runs a suite on a database; null when all was ended from outside, and nothing is left to tell. */
async function runOnce(one, filters, isAlone, again) {
  let server
  try {
    server = await serverOf(one.database)
  } catch (error) {
    console.error(error.message)
    return { label: `${one.suite}-${one.database} (server)`, passed: 0, failed: 1, files: [] }
  }
  if (!running.home) return null
  const result = await runSuite({ ...one, server, filters, isAlone, again })
  return running.home ? { ...result, ...one } : null
}

/**
 * Runs files with failures once more, after all others and with nothing beside them: the machine may have stood still.
 * What fails twice has failed; what passes then is named at the end, for somebody to look into.
 */
async function runAgain(result, filters) {
  const { suite, database, env, files, failed, passed } = result
  if (!running.home || failed === 0 || files.length === 0) {
    return result
  }
  const only = ['--files', files.map((file) => file.replace(/^tests\/[^/]+\/|\.spec\.ts$/g, '')).join(',')]
  const others = filters.filter((word, index) => ![word, filters[index - 1]].includes('--files'))
  const second = await runOnce({ suite, database, env }, [...others, ...only], true, '-again')
  if (second?.failed !== 0 || second.passed === 0) {
    return result
  }
  const unsteady = `${failed} failed at first, and passed when run again: ${files.join(', ')}`
  return { ...result, passed: passed + failed, failed: 0, unsteady }
}

/** Runs suites side by side, so many at once. */
async function runBeside(processes, filters, width) {
  const waiting = [...processes]
  const isAlone = Math.min(width, waiting.length) === 1
  const results = []
  const work = async () => {
    for (let next = waiting.shift(); next && running.home; next = waiting.shift()) {
      const result = await runOnce(next, filters, isAlone)
      if (result) results.push(result)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}

/** Runs the pinned Node, which a build finds on PATH too; see `ensureBuild`. */
function buildTool(words) {
  const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return [0, run(pinnedNode(ROOT), words, { cwd: ROOT, env: { ...process.env, PATH: path } })]
}

async function main() {
  const plan = planTests(ROOT, process.argv.slice(2))
  await installDependencies(ROOT)
  if (plan.databases.length > 0) {
    await requireComponents(plan.databases)
  }
  if (plan.processes.some(({ suite }) => OF_BUILD.includes(suite))) {
    await ensureBuild(ROOT, buildTool)
  }
  running.home = mkdtempSync(join(tmpdir(), 'zonewright-test-'))
  // The database servers run as users of their own and have to reach their folders.
  chmodSync(running.home, 0o755)

  const isLast = ({ suite }) => LAST.includes(suite)
  // They wait for databases and servers a third of their time; those that kill and starve servers, half of it.
  const beside = availableParallelism() + 1
  const first = plan.processes.filter((one) => !isLast(one))
  const firstRuns = [
    ...(await runBeside(first, plan.filters, beside)),
    ...(await runBeside(plan.processes.filter(isLast), plan.filters, beside)),
  ]
  const results = []
  for (const result of firstRuns) {
    results.push(await runAgain(result, plan.filters))
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const passed = sum('passed')
  const failed = passed === 0 ? Math.max(1, sum('failed')) : sum('failed')
  for (const { label, lines = [] } of results) {
    if (lines.length > 0) console.log(`\n${label}:\n${lines.join('\n')}`)
  }
  console.log()
  for (const { label, unsteady, ...counts } of results) {
    const remark = unsteady ? ` (${unsteady})` : ''
    console.log(`${label.padEnd(20)} ${counts.passed} passed, ${counts.failed} failed${remark}`)
  }
  writeFileSync(join(ROOT, 'tmp/durations.json'), JSON.stringify(results, null, 1))
  return { passed, failed }
}

for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, async () => {
    await cleanUp()
    process.exit(code)
  })
}

let outcome = { passed: 0, failed: 1 }
try {
  outcome = await main()
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
}
await cleanUp()
console.log(`${outcome.passed} passed, ${outcome.failed} failed`)
process.exitCode = outcome.failed > 0 ? 1 : 0
