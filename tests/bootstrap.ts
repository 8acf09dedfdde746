import app from '@adonisjs/core/services/app'
import testUtils from '@adonisjs/core/services/test_utils'
import { apiClient } from '@japa/api-client'
import { assert } from '@japa/assert'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import type { Config } from '@japa/runner/types'
import { checkDescribedAnswers } from '#tests/support/openapi/described_answers'
import { counts } from '#tests/support/counts'
import { migrated } from '#tests/support/app/migrations'
import { endAllPrograms } from '#tests/support/programs'
import { endBrowser } from '#tests/support/browser/browser'

const SERVED = ['functional', 'doors', 'clients', 'browser', 'faults']

/** Plugins of the test runner; `scripts/test.mjs` sums up what `counts` reports. */
export const plugins: Config['plugins'] = [assert(), apiClient(), pluginAdonisJS(app), counts]

/**
 * Around all suites: the tables have to be there. Each run has a database of its own. Servers that tests
 * share end before the tables go, which they may hold.
 */
export const runnerHooks: Required<Pick<Config, 'setup' | 'teardown'>> = {
  setup: [migrated, () => endAllPrograms],
  teardown: [endBrowser],
}

/** Suites that speak HTTP get the real server. */
export const configureSuite: Config['configureSuite'] = (suite) => {
  if (SERVED.includes(suite.name)) {
    suite.setup(() => testUtils.httpServer().start())
    checkDescribedAnswers()
  }
}
