/*
| Runs the tests before a merge: `npm test [-- --suite=unit,functional --db=sqlite,pg,mysql --files=... --tests=...]`. `npm
| run test:all` runs all tests; docs/testing.md explains both.
|
| Installs missing packages and components and starts its own PostgreSQL and MariaDB. Runs the suites in parallel
| processes, one more than there are processors. Fault tests run last. The last line is `N passed, N failed`.
*/
import { randomInt } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireComponents } from './components.mjs'
import { ensureBuild } from './lib/build.mjs'
import { installDependencies, pinnedNode } from './lib/dependencies.mjs'
import { end, OperatorError, run } from './lib/shell.mjs'
import { TestDatabases } from './lib/test_databases.mjs'
import { planTests } from './lib/test_plan.mjs'
import { runTestProcess } from './lib/test_process.mjs'
import { recordDurations, splitIntoShards } from './lib/test_shards.mjs'
import { printSummary } from './lib/test_summary.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const STARTED_AT = performance.now()

/** Seed of random tests, shared by the first and the repeated run. */
process.env.ZW_RUN_SEED ??= String(randomInt(2 ** 31))

/** Resources to stop and delete when this process ends. */
const running = { children: new Set(), databases: null, home: null }

async function cleanUp() {
  const { home, databases } = running
  const children = [...running.children]
  running.children.clear()
  running.home = null
  running.databases = null
  await Promise.all(children.map((child) => end(child, 2_000)))
  const used = await databases?.stop()
  if (home) {
    rmSync(home, { recursive: true, force: true })
  }
  return used ?? {}
}

/** Databases of a shard: one for the product, and one for the name server if the suite needs the same kind of server. */
async function databasesOf({ suite, database: kind }, label, folder) {
  const name = `zonewright_${label}`.replaceAll('-', '_')
  if (suite === 'unit') return running.databases.createEmpty(kind, name, folder)
  const variables = await running.databases.create(kind, name, folder)
  if (suite !== 'functional-api' || kind === 'sqlite') return variables
  const nameServerVariables = await running.databases.createEmpty(kind, `${name}_pdns`, folder)
  return { ...variables, ZW_NAME_SERVER: JSON.stringify(nameServerVariables) }
}

/** Runs a shard; returns null if the run was stopped. Parallel shards print their output when they end. */
async function runShard(shard, { isFiltered, isAlone }) {
  const { label } = shard
  const folder = join(running.home, label)
  mkdirSync(folder, { mode: 0o755 })
  const log = isAlone ? null : join(folder, 'log')
  console.log(`\n=== ${label}${log ? ' started' : ''}`)
  let database
  try {
    database = await databasesOf(shard, label, folder)
  } catch (error) {
    console.error(error.message)
    return { ...shard, passed: 0, failed: 1, cpu: 0, durations: [], failedFiles: [], figures: [] }
  }
  if (!running.home) return null
  const result = await runTestProcess(shard, {
    root: ROOT,
    home: running.home,
    folder,
    database,
    isFiltered,
    log,
    onChild: (child) => running.children.add(child),
    onEnd: (child) => running.children.delete(child),
  })
  if (!running.home) return null
  if (log) {
    console.log(`\n=== ${label}`)
    process.stdout.write(readFileSync(log))
  }
  return { ...shard, ...result }
}

/** Runs shards in parallel. */
async function runShards(shards, isFiltered) {
  // Tests wait for databases and servers for a third of their time.
  const width = Math.min(availableParallelism() + 1, shards.length)
  const waiting = [...shards]
  const results = []
  const work = async () => {
    for (let shard = waiting.shift(); shard && running.home; shard = waiting.shift()) {
      const result = await runShard(shard, { isFiltered, isAlone: width === 1 })
      if (result) results.push(result)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}

/**
 * Repeats files with failures, alone. A second failure counts. A file that passes the second time is unstable: it is reported,
 * and fails the run in the tier `all`.
 */
async function runAgain(result, { tier, isFiltered }) {
  const { failed, passed, failedFiles, label } = result
  if (!running.home || failed === 0 || failedFiles.length === 0) {
    return result
  }
  const shard = { ...result, files: failedFiles, label: `${label}-again` }
  const second = await runShard(shard, { isFiltered, isAlone: true })
  if (second?.failed !== 0 || second.passed === 0) {
    return result
  }
  const counts = tier === 'all' ? {} : { passed: passed + failed, failed: 0 }
  return { ...result, ...counts, unsteady: failedFiles }
}

/** Runs the pinned Node, which a build also finds on PATH; see `ensureBuild`. */
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
  if (plan.needsBuild) {
    await ensureBuild(ROOT, buildTool)
  }
  running.home = mkdtempSync(join(tmpdir(), 'zonewright-test-'))
  // The database servers run as other users and need access to their folders.
  chmodSync(running.home, 0o755)
  running.databases = new TestDatabases(ROOT, running.home)

  const shards = splitIntoShards(ROOT, plan.groups)
  const firstRuns = [
    ...(await runShards(
      shards.filter(({ isLast }) => !isLast),
      plan.isFiltered
    )),
    ...(await runShards(
      shards.filter(({ isLast }) => isLast),
      plan.isFiltered
    )),
  ]
  const results = []
  for (const result of firstRuns) {
    results.push(await runAgain(result, plan))
  }
  if (plan.isRecorded) {
    recordDurations(ROOT, firstRuns)
  }
  printSummary(results, await cleanUp(), (performance.now() - STARTED_AT) / 1000)
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const passed = sum('passed')
  return { passed, failed: passed === 0 ? Math.max(1, sum('failed')) : sum('failed') }
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
