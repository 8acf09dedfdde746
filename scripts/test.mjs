/*
| All tests: `npm test [-- --suite=unit,functional --db=sqlite,pg,mysql --files=... --tests=...]`.
|
| Brings dependencies and components where they are missing, starts a PostgreSQL and a MariaDB of its
| own, runs every suite on every database, and ends with the line `N passed, N failed`.
*/
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireComponents } from './components.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { startMariadb } from './lib/mariadb.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { end, OperatorError } from './lib/shell.mjs'
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

/** What has to be gone when this process is gone. */
const running = { child: null, server: null, home: null }

async function cleanUp() {
  const { child, server, home } = running
  Object.assign(running, { child: null, server: null, home: null })
  if (child) {
    await end(child, 2_000)
  }
  await server?.stop()
  if (home) {
    rmSync(home, { recursive: true, force: true })
  }
}

async function runOn(database, plan, results) {
  const processes = plan.processes.filter((one) => one.database === database)
  if (processes.length === 0) {
    return
  }
  try {
    running.server = await SERVERS[database](running.home)
  } catch (error) {
    console.error(error.message)
    results.push({ label: `${database} (server)`, passed: 0, failed: processes.length })
    return
  }
  for (const { suite } of processes) {
    const label = `${suite}-${database}`
    console.log(`\n=== ${suite} on ${database}`)
    const counts = await runTestProcess({
      root: ROOT,
      home: running.home,
      label,
      suite,
      database: running.server.createDatabase(`zonewright_${suite}`),
      filters: plan.filters,
      onChild: (child) => (running.child = child),
    })
    results.push({ label, ...counts })
  }
  await running.server.stop()
  running.server = null
}

async function main() {
  const plan = planTests(ROOT, process.argv.slice(2))
  await installDependencies(ROOT)
  if (plan.databases.length > 0) {
    await requireComponents(plan.databases)
  }
  running.home = mkdtempSync(join(tmpdir(), 'zonewright-test-'))
  // The database servers run as users of their own and have to reach their folders.
  chmodSync(running.home, 0o755)

  const results = []
  for (const database of Object.keys(SERVERS)) {
    await runOn(database, plan, results)
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const passed = sum('passed')
  const failed = passed === 0 ? Math.max(1, sum('failed')) : sum('failed')
  console.log()
  for (const { label, ...counts } of results) {
    console.log(`${label.padEnd(20)} ${counts.passed} passed, ${counts.failed} failed`)
  }
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
