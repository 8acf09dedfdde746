import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode } from './dependencies.mjs'
import { endingWithParent, end, runVisibly } from './shell.mjs'

const RESOLVE_ONCE = new URL('resolve_once.mjs', import.meta.url).href
const TIME_LIMIT_MS = 45 * 60_000

/** Reads the report of a test process (tests/support/test_report.ts); null if the process did not finish. */
function readReport(file) {
  if (!existsSync(file)) {
    return null
  }
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const entries = lines.map((line) => JSON.parse(line))
  const ofType = (type) => entries.filter((entry) => entry.type === type)
  const [end] = ofType('end')
  if (!end) {
    return null
  }
  return {
    passed: end.passed,
    // A skipped test counts as failed.
    failed: end.failed + end.skipped + end.todo,
    cpu: end.cpu,
    durations: ofType('file'),
    failedFiles: ofType('file')
      .filter(({ failed }) => failed > 0)
      .map(({ file: path }) => path),
    figures: ofType('figure').map(({ line }) => line),
  }
}

const CRASHED = { passed: 0, failed: 1, cpu: 0, durations: [], failedFiles: [], figures: [] }

/** The result of a process. A crash, or a process without tests, counts as a failure. */
function resultOf(label, report, code, isFiltered) {
  if (!report) {
    console.error(`${label}: ended with exit code ${code} before it finished`)
    return CRASHED
  }
  if (report.failed === 0 && code !== 0) {
    console.error(`${label}: exit code ${code}`)
    return { ...report, failed: 1 }
  }
  if (report.passed + report.failed === 0 && !isFiltered) {
    console.error(`${label}: ran no test`)
    return { ...report, failed: 1 }
  }
  return report
}

/**
 * Runs a shard of a suite in its own process, on the pinned Node.
 *
 * @param shard from `splitIntoShards`
 * @param options `root`: the checkout; `home`: folder of the test run; `folder`: folder of this process; `database`:
 *   environment variables; `isFiltered`: whether zero tests are allowed; `log`: output file, or null to print; `onChild` and
 *   `onEnd` receive the process
 * @returns counts of tests, CPU seconds, durations and failures by file, and reported figures
 */
export async function runTestProcess(shard, options) {
  const { root, home, folder, database, isFiltered, log, onChild, onEnd } = options
  const { label, name, files, filters, env } = shard
  const report = join(folder, 'report')
  // The test runner compares the end of a path. The leading slash prevents `zones` from matching `web_zones`.
  const paths = files.map((file) => file.replace(/^tests/, '')).join(',')
  const words = ['--import=@poppinss/ts-exec', '--enable-source-maps', 'bin/test.ts', name]
  words.push('--files', paths, ...filters)
  const [program, args] = endingWithParent(pinnedNode(root), words, 'TERM')
  const out = log ? openSync(log, 'a') : 'inherit'
  let running
  let timer
  const code = await runVisibly(program, args, {
    cwd: root,
    stdio: ['ignore', out, out],
    env: {
      ...env,
      ...process.env,
      NODE_ENV: 'test',
      // Scheduled jobs would interfere with other tests.
      SCHEDULER_ENABLED: 'false',
      ...database,
      // Tests start hundreds of servers and commands, which share compiled code and resolved imports.
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
      timer = setTimeout(() => end(child), TIME_LIMIT_MS)
    },
  })
  clearTimeout(timer)
  onEnd(running)
  if (log) {
    closeSync(out)
  }
  return resultOf(label, readReport(report), code, isFiltered)
}
