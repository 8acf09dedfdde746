import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { paged, pageOf } from '#controllers/support/paging'
import { optionalBody } from '#controllers/support/request_body'
import { findJob, reportJobs, requestRun } from '#background/scheduler/report'
import { countRuns, lastRuns } from '#background/scheduler/runs'
import { success } from '#transformers/envelope'
import { writeValidator } from '#validators/fields'

/** Default page of the list. */
const FIRST_PAGE = { number: 1, size: 100, offset: 0 }

/** /api/v2/jobs */
export default class JobsController {
  async index({ actor }: HttpContext) {
    demand(actor, { action: 'server.manage_jobs' })
    return success({ jobs: await reportJobs() }, 'Jobs retrieved successfully')
  }

  /** Runs of a job, the newest first. */
  async runs(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const { name } = findJob(String(ctx.params.job))
    const page = pageOf(ctx) ?? FIRST_PAGE
    const runs = await lastRuns(name, { offset: page.offset, limit: page.size })
    return success({ runs }, 'Runs retrieved successfully', paged(page, await countRuns(name)))
  }

  async run(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const job = findJob(String(ctx.params.job))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, ({ finish }) =>
      requestRun(job, ctx.actor, finish)
    )
    return answerOutcome(ctx, outcome, (run) => {
      ctx.response.status(202)
      return success({ run }, 'The next free scheduler starts the run')
    })
  }
}
