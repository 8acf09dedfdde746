import { appendFileSync } from 'node:fs'
import type { PluginFn } from '@japa/runner/types'

/** Tells scripts/test.mjs how many tests there were, by a line in the file that it names. */
export const counts: PluginFn = ({ runner }) => {
  const file = process.env.ZW_TEST_REPORT
  if (!file) {
    return
  }
  runner.registerReporter((subject, emitter) => {
    emitter.on('runner:end', () => {
      const { aggregates } = subject.getSummary()
      const { passed, failed, skipped, todo, regression } = aggregates
      // A test that is expected to fail, and does, says that something is broken.
      appendFileSync(
        file,
        `${JSON.stringify({ passed, failed: failed + regression, skipped, todo })}\n`
      )
    })
  })
}
