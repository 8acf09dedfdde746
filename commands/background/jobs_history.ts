import { args, BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Maximum number of listed runs. */
const MAX_LIMIT = 10_000

/** Lists runs of jobs. */
export default class JobsHistory extends BaseCommand {
  static commandName = 'jobs:history'
  static description = 'Show runs of jobs with node and result, newest first'
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Only runs of this job', required: false })
  declare job?: string

  @flags.number({ description: 'Maximum number of runs', default: 20 })
  declare limit: number

  @flags.boolean({ description: 'Also show the last lines of the output' })
  declare output: boolean

  @flags.boolean({ description: 'Print {"runs":[..]}, as the API' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { findJob } = await import('#background/scheduler/report')
      const { lastRuns } = await import('#background/scheduler/runs')
      const { wholeNumber } = await import('#terminal/flags')
      const { runLines } = await import('#terminal/job_text')
      const { printJson, printLines } = await import('#terminal/output')
      const limit = wholeNumber('limit', this.limit, { min: 1, max: MAX_LIMIT })
      const name = this.job === undefined ? null : findJob(this.job).name
      const runs = await lastRuns(name, { limit })
      await (this.json ? printJson({ runs }) : printLines(runLines(runs, Boolean(this.output))))
    })
  }
}
