import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { PluginFn } from '@japa/runner/types'

/** Clock ticks per second in `/proc/<pid>/stat` (USER_HZ); the same on all Linux platforms. */
const TICKS_PER_SECOND = 100

/** Duration and outcome of one test file. `seconds` is wall-clock time, `cpu` includes ended child processes. */
interface FileReport {
  file: string
  seconds: number
  cpu: number
  passed: number
  failed: number
}

function append(entry: object): void {
  const file = process.env.ZW_TEST_REPORT
  if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

/** Prints a measured figure at the end of the whole run. No test depends on it. */
export function reportFigure(line: string): void {
  if (process.env.ZW_TEST_REPORT) append({ type: 'figure', line })
  else console.log(line)
}

/** CPU seconds of this process and of its ended children (proc(5), fields utime to cstime). */
function cpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

/** Measures the files of a run one after the other: a file ends where the next one starts. */
class FileClock {
  #current?: FileReport
  #startedAt = 0
  #cpuAtStart = 0

  enter(path: string): void {
    const file = relative(process.cwd(), path)
    if (file === this.#current?.file) return
    this.end()
    this.#current = { file, seconds: 0, cpu: 0, passed: 0, failed: 0 }
    this.#startedAt = performance.now()
    this.#cpuAtStart = cpuSeconds()
  }

  count(hasError: boolean): void {
    if (this.#current) this.#current[hasError ? 'failed' : 'passed'] += 1
  }

  end(): void {
    if (!this.#current) return
    const seconds = (performance.now() - this.#startedAt) / 1000
    append({ type: 'file', ...this.#current, seconds, cpu: cpuSeconds() - this.#cpuAtStart })
    this.#current = undefined
  }
}

/** Reports durations and results to `scripts/test.mjs`, as JSON lines in the file `ZW_TEST_REPORT`. */
export const testReport: PluginFn = ({ runner }) => {
  if (!process.env.ZW_TEST_REPORT) return
  runner.registerReporter((subject, emitter) => {
    const clock = new FileClock()
    emitter.on('group:start', ({ meta }) => clock.enter(meta.fileName))
    emitter.on('test:start', ({ meta }) => clock.enter(meta.fileName))
    emitter.on('test:end', ({ hasError }) => clock.count(hasError))
    emitter.on('suite:end', () => clock.end())
    emitter.on('runner:end', () => {
      const { passed, failed, skipped, todo, regression } = subject.getSummary().aggregates
      // A test marked as failing that does fail means that something is broken.
      append({ type: 'end', passed, failed: failed + regression, skipped, todo, cpu: cpuSeconds() })
    })
  })
}
