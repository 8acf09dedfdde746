import { args, BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Runs a job now. */
export default class JobsRun extends BaseCommand {
  static commandName = 'jobs:run'
  static description = 'Run a job now in this process; refused while it runs'
  static help = ['Exit code 1 if it fails. The run is stored in the history.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the job' })
  declare job: string

  @flags.boolean({ description: 'Print {"run":{..}} at the end, instead of the output of the job' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { schedulerOptions } = await import('#background/scheduler/configured')
      const { JobRun } = await import('#background/scheduler/job_run')
      const { startRunNow, findJob } = await import('#background/scheduler/report')
      const { findRun } = await import('#background/scheduler/runs')
      const { printJson } = await import('#terminal/output')
      const logger = await this.app.container.make('logger')
      const job = findJob(this.job)
      const echo = (text: string) => void process.stdout.write(text)
      const terms = { ...schedulerOptions(this.app), ...(this.json ? {} : { echo }) }
      const work = new JobRun(await startRunNow(job, terms), job, terms, logger)
      this.app.terminating(async () => {
        work.stop()
        await work.done
      })
      const { outcome } = await work.done
      await (this.json ? printJson({ run: await findRun(work.run.id) }) : null)
      this.exitCode = outcome === 'succeeded' ? 0 : 1
    })
  }
}
