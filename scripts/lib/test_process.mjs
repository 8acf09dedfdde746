import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode } from './dependencies.mjs'
import { dyingWithUs, end, runVisibly } from './shell.mjs'

const RESOLVE_ONCE = new URL('resolve_once.mjs', import.meta.url).href
const TIME_LIMIT_MS = 45 * 60_000

/** Reads the report of a test process (tests/support/test_report.ts); null when the process did not finish. */
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
    // A test that did not run has not passed.
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

/** The result of a process. A crash counts as a failure, and so does a process that ran no test. */
function resultOf(label, report, code, isFiltered) {
  if (!report) {
    console.error(`${label}: ended with exit code ${code} before it had finished`)
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
 * @param options `root` of the checkout; `home`, folder of all processes of the run; `folder`, that of this one;
 *   `database`, variables; `isFiltered`, whether running no test is fine; `log`, the file for its output, or null to
 *   print it; `onChild` and `onEnd` receive the process
 * @returns counts of tests, CPU seconds, durations and failures by file, figures to print
 */
export async function runTestProcess(shard, options) {
  const { root, home, folder, database, isFiltered, log, onChild, onEnd } = options
  const { label, name, files, filters, env } = shard
  const report = join(folder, 'report')
  // The runner compares the end of a path: the first slash keeps `zones` from matching `web_zones`.
  const paths = files.map((file) => file.replace(/^tests/, '')).join(',')
  const words = ['--import=@poppinss/ts-exec', '--enable-source-maps', 'bin/test.ts', name]
  words.push('--files', paths, ...filters)
  const [program, args] = dyingWithUs(pinnedNode(root), words, 'TERM')
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
      // Jobs must not start in the middle of tests of other subjects.
      SCHEDULER_ENABLED: 'false',
      ...database,
      // Tests start hundreds of servers and commands: they share compiled code and resolved imports.
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
