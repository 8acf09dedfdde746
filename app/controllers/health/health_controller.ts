import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { HealthChecks } from '#health/health_checks'
import health from '#config/health'

/** /api/health: whether the database and the PowerDNS API answer. */
@inject()
export default class HealthController {
  constructor(private readonly checks: HealthChecks) {}

  async handle({ response }: HttpContext) {
    response.header('Cache-Control', 'no-store')
    if (!health.enabled) {
      return response.status(404).send({ error: true, message: 'Not Found' })
    }
    const checks = await this.checks.run()
    const isHealthy = Object.values(checks).every((state) => state !== 'down')
    return response
      .status(isHealthy ? 200 : 503)
      .send({ status: isHealthy ? 'ok' : 'error', checks })
  }
}
