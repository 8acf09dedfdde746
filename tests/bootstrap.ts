import app from '@adonisjs/core/services/app'
import testUtils from '@adonisjs/core/services/test_utils'
import { apiClient } from '@japa/api-client'
import { assert } from '@japa/assert'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import type { Config } from '@japa/runner/types'
import { checkDescribedAnswers } from '#tests/support/openapi/described_answers'
import { testReport } from '#tests/support/test_report'
import { migrated, takenBack } from '#tests/support/app/migrations'
import { endAllPrograms } from '#tests/support/programs'
import { endBrowser } from '#tests/support/browser/browser'

/** Starts no servers, which might hold tables when they go; runs on each database. */
const TAKES_BACK = 'backends'
const SERVED = ['functional', 'doors', 'clients', 'browser', 'faults']

/** Plugins of the test runner; `scripts/test.mjs` sums up what `testReport` writes. */
export const plugins: Config['plugins'] = [assert(), apiClient(), pluginAdonisJS(app), testReport]

/** Around all suites: the tables have to be there. Each run has a database of its own. */
export const runnerHooks: Required<Pick<Config, 'setup' | 'teardown'>> = {
  setup: [migrated],
  teardown: [endBrowser, endAllPrograms],
}

/** Suites that speak HTTP get the real server. */
export const configureSuite: Config['configureSuite'] = (suite) => {
  if (SERVED.includes(suite.name)) {
    suite.setup(async () => {
      const close = await testUtils.httpServer().start()
      return async () => {
        // Pages that a failed test left open listen to what happens, and the server would wait for them.
        await endBrowser()
        await close()
      }
    })
    checkDescribedAnswers()
  }
  if (suite.name === TAKES_BACK) {
    suite.teardown(takenBack)
  }
}
