import { appendFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { PluginFn } from '@japa/runner/types'

/** Has a line told at the end of the run, where it does not go under: a figure that no test is judged by. */
export function tellAtEnd(line: string): void {
  const file = process.env.ZW_TEST_REPORT
  if (file) appendFileSync(file, `${JSON.stringify({ line })}\n`)
  else console.log(line)
}

/** Tells scripts/test.mjs how many tests there were, and which files had failures, by a line in the file that it names. */
export const counts: PluginFn = ({ runner }) => {
  const file = process.env.ZW_TEST_REPORT
  if (!file) {
    return
  }
  runner.registerReporter((subject, emitter) => {
    const files = new Set<string>()
    emitter.on('test:end', ({ hasError, meta }) => {
      if (hasError) files.add(basename(meta.fileName))
    })
    emitter.on('runner:end', () => {
      const { aggregates } = subject.getSummary()
      const { passed, failed, skipped, todo, regression } = aggregates
      // A test that is expected to fail, and does, says that something is broken.
      const report = { passed, failed: failed + regression, skipped, todo, files: [...files] }
      appendFileSync(file, `${JSON.stringify(report)}\n`)
    })
  })
}
