import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Lists the jobs of the scheduler. */
export default class JobsList extends BaseCommand {
  static commandName = 'jobs:list'
  static description = 'Show jobs with next run and last result'
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print {"jobs":[..]}, as the API' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { reportJobs } = await import('#background/scheduler/report')
      const { jobLines } = await import('#terminal/job_text')
      const { printJson, printLines } = await import('#terminal/output')
      const jobs = await reportJobs()
      await (this.json ? printJson({ jobs }) : printLines(jobLines(jobs)))
    })
  }
}
