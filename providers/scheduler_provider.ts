import type { ApplicationService } from '@adonisjs/core/types'
import type { Scheduler } from '#jobs/scheduler/scheduler'

/** Runs jobs in the process that serves, unless a process of its own does. */
export default class SchedulerProvider {
  #scheduler: Scheduler | undefined

  constructor(protected app: ApplicationService) {}

  /** Called before the HTTP server listens: jobs that cannot run end the start. */
  async start() {
    const { default: settings } = await import('#config/scheduler')
    if (this.app.getEnvironment() === 'web' && settings.enabled) {
      const { configuredScheduler } = await import('#jobs/scheduler/configured')
      this.#scheduler = await configuredScheduler(this.app)
    }
  }

  /** Called when the service is about to serve. */
  async ready() {
    // It may have been asked to end while it began.
    if (!this.app.isTerminating && !this.app.isTerminated) {
      this.#scheduler?.start()
    }
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#scheduler?.stop()
  }
}
