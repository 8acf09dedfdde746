import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { configuredClient } from '#backends/powerdns_api/configured'
import dns from '#config/dns'
import health from '#config/health'
import logging from '#config/logging'
import { demandWritable } from '#health/write_probe'

export type CheckState = 'ok' | 'down' | 'skipped'

/**
 * Checks the needs of the service: a writable database, and the PowerDNS API if one is configured. Answers contain the state
 * only; reasons are logged, if `logging.type` is `native`.
 */
export class HealthChecks {
  readonly #powerdns = configuredClient()

  /** @param isReader whether nothing is to be written to find out */
  async run({ isReader = false } = {}): Promise<{ database: CheckState; pdns_api: CheckState }> {
    const [database, powerdns] = await Promise.all([this.#database(isReader), this.#powerDnsApi()])
    return { database, pdns_api: powerdns }
  }

  #database(isReader: boolean): Promise<CheckState> {
    return this.#stateOf('database', async () => {
      const abort = new AbortController()
      const overtime = wait(health.db_timeout * 1000, null, { signal: abort.signal }).then(() => {
        throw new Error(`The database did not answer within ${health.db_timeout} seconds`)
      })
      try {
        await Promise.race([answers(isReader), overtime])
      } finally {
        abort.abort()
        overtime.catch(() => {})
      }
    })
  }

  async #powerDnsApi(): Promise<CheckState> {
    if (!this.#powerdns.isConfigured) {
      return dns.backend === 'api' ? 'down' : 'skipped'
    }
    return this.#stateOf('pdns_api', () => this.#powerdns.ping(health.pdns_timeout))
  }

  async #stateOf(check: string, probe: () => Promise<unknown>): Promise<CheckState> {
    try {
      await probe()
      return 'ok'
    } catch (error) {
      if (logging.type === 'native') {
        logger.error({ err: error }, `Health check failed: ${check}`)
      }
      return 'down'
    }
  }
}

async function answers(isReader: boolean): Promise<void> {
  await db.rawQuery('select 1')
  if (!isReader) {
    await demandWritable()
  }
}
