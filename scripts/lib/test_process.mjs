import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode } from './dependencies.mjs'
import { callOf } from './test_plan.mjs'
import { dyingWithUs, end, runVisibly } from './shell.mjs'

const RESOLVE_ONCE = new URL('resolve_once.mjs', import.meta.url).href
const LIMIT = 45 * 60_000

/** Reads the report of a test process (tests/support/test_report.ts); null when the process did not finish. */
function readReport(file) {
  if (!existsSync(file)) {
    return null
  }
  const entries = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((text) => JSON.parse(text))
  const ofType = (type) => entries.filter((entry) => entry.type === type)
  const [end] = ofType('end')
  if (!end) {
    return null
  }
  return {
    passed: end.passed,
    // A test that did not run has not passed.
    failed: end.failed + end.skipped + end.todo,
    cpu: end.cpu,
    durations: ofType('file'),
    files: ofType('file').filter(({ failed }) => failed > 0).map(({ file }) => file),
    lines: ofType('figure').map(({ line }) => line),
  }
}

/** What a process is worth: its counts, and one failure for a crash or for having run nothing. */
function verdict(label, counts, code, isFiltered) {
  if (!counts) {
    console.error(`${label}: ended with exit code ${code} before it had finished`)
    return { passed: 0, failed: 1, files: [] }
  }
  if (counts.failed === 0 && code !== 0) {
    console.error(`${label}: exit code ${code}`)
    return { ...counts, failed: 1 }
  }
  if (counts.passed + counts.failed === 0 && !isFiltered) {
    console.error(`${label}: ran no test`)
    return { passed: 0, failed: 1, files: [] }
  }
  return counts
}

/**
 * Runs one suite on one database in a process of its own, on the pinned Node, and returns how many of
 * its tests passed and failed, the files of those that failed, and lines to tell at the end. `env` are more variables. What it prints goes into the file `log`, or out where that is null. `onChild`
 * hears of the process, so that it can be ended from outside, and `onEnd` of its end.
 */
export async function runTestProcess(options) {
  const { root, home, label, suite, database, filters, specs, env, log, onChild, onEnd } = options
  const folder = join(home, label)
  const report = join(home, `${label}.counts`)
  mkdirSync(folder, { mode: 0o755 })
  const call = callOf(suite, filters, specs)
  const words = ['--import=@poppinss/ts-exec', '--enable-source-maps', 'bin/test.ts', call.name]
  const [program, args] = dyingWithUs(pinnedNode(root), [...words, ...call.filters], 'TERM')
  const out = log ? openSync(log, 'a') : 'inherit'
  let running
  let timer
  const code = await runVisibly(program, args, {
    cwd: root,
    stdio: ['ignore', out, out],
    env: {
      ...process.env,
      NODE_ENV: 'test',
      // Servers of tests that are not about jobs begin none in the middle of them.
      SCHEDULER_ENABLED: 'false',
      DB_FILE: join(folder, 'zonewright.sqlite3'),
      ...database,
      ...call.env,
      ...env,
      // Tests start hundreds of servers and commands, which are compiled once then.
      NODE_COMPILE_CACHE: join(home, 'compiled'),
      NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${RESOLVE_ONCE}`]
        .filter(Boolean)
        .join(' '),
      ZW_TEST_RESOLVED: join(home, 'resolved.json'),
      ZW_TEST_DIR: folder,
      ZW_TEST_REPORT: report,
    },
    onSpawn(child) {
      running = child
      onChild(child)
      timer = setTimeout(() => end(child), LIMIT)
    },
  })
  clearTimeout(timer)
  onEnd(running)
  if (log) {
    closeSync(out)
  }
  return verdict(label, readReport(report), code, filters.length > 0)
}
