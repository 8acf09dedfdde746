import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Runs the scheduler in a separate process. */
export default class SchedulerRun extends BaseCommand {
  static commandName = 'scheduler:run'
  static description = 'Run jobs when they are due, until stopped'
  static help = [
    'The service also runs them unless SCHEDULER_ENABLED=false. Any number of schedulers can run on one',
    'database: each due run happens once.',
  ]
  static options: CommandOptions = { startApp: true, staysAlive: true }

  async run() {
    await reportRefusals(this, async () => {
      const { configuredScheduler } = await import('#background/scheduler/configured')
      const logger = await this.app.container.make('logger')
      const scheduler = await configuredScheduler(this.app)
      this.app.terminating(() => scheduler.stop())
      // A signal may have arrived during the start.
      if (!this.app.isTerminating && !this.app.isTerminated) {
        scheduler.start()
        logger.info('Scheduler started')
      }
    })
    if (this.exitCode) {
      await this.terminate()
    }
  }
}
