import app from '@adonisjs/core/services/app'
import server from '@adonisjs/core/services/server'
import testUtils from '@adonisjs/core/services/test_utils'
import { apiClient } from '@japa/api-client'
import { assert } from '@japa/assert'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import type { Config } from '@japa/runner/types'
import { checkDescribedAnswers } from '#tests/support/openapi/described_answers'
import { testReport } from '#tests/support/test_report'
import { runMigrations, rollBackMigrations } from '#tests/support/app/database/migrations'
import { endAllPrograms } from '#tests/support/programs'
import { endBrowser } from '#tests/support/browser/browser'

/** The suite whose tables are dropped at the end by the migrations: it starts no server that could lock them. */
const ROLLED_BACK = 'backends'
const SERVED = ['functional', 'clients', 'browser', 'faults']
/** Suites whose tests need no tables. */
const WITHOUT_TABLES = ['unit']

/** Plugins of the test runner; `scripts/test.mjs` reads what `testReport` writes. */
export const plugins: Config['plugins'] = [assert(), apiClient(), pluginAdonisJS(app), testReport]

/** Around all suites. */
export const runnerHooks: Required<Pick<Config, 'setup' | 'teardown'>> = {
  setup: [],
  teardown: [endBrowser, endAllPrograms],
}

/** Suites get their tables, and those that speak HTTP the real server. Each process has its own database. */
export const configureSuite: Config['configureSuite'] = (suite) => {
  if (!WITHOUT_TABLES.includes(suite.name)) {
    suite.setup(runMigrations)
  }
  if (SERVED.includes(suite.name)) {
    suite.setup(async () => {
      const close = await testUtils.httpServer().start()
      return async () => {
        await endBrowser()
        const closed = close()
        // The server would wait for requests and event streams that a failed test left open.
        server.getNodeServer()?.closeAllConnections()
        await closed
      }
    })
    checkDescribedAnswers()
  }
  if (suite.name === ROLLED_BACK) {
    suite.teardown(rollBackMigrations)
  }
}
