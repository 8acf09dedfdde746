import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { commandOptions } from '#accounts/terms'
import { findJob, reportJobs, requestRun } from '#background/scheduler/report'
import { countRuns, lastRuns, type Run } from '#background/scheduler/runs'
import { cronWords } from '#web/format/cron'
import { pageOf, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'

/** /jobs: jobs, their schedule and their results. */
export default class JobsController {
  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const jobs = await reportJobs()
    return ctx.view.render('pages/jobs/index', {
      jobs: jobs.map((job) => ({
        ...job,
        words: job.cron === null ? null : cronWords(ctx.i18n, job.cron),
        last_run: job.last_run && runView(job.last_run),
      })),
    })
  }

  /** A job with its runs, the newest first. */
  async show(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const { name } = findJob(String(ctx.params.job))
    const jobs = await reportJobs()
    const job = jobs.find((one) => one.name === name)!
    const page = pageOf(ctx)
    const runs = await lastRuns(name, { offset: page.offset, limit: page.size })
    return ctx.view.render('pages/jobs/show', {
      job: { ...job, words: job.cron === null ? null : cronWords(ctx.i18n, job.cron) },
      runs: runs.map(runView),
      pager: pagerOf(ctx, page, await countRuns(name), runs.length),
    })
  }

  async run(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const job = findJob(String(ctx.params.job))
    const { finish } = commandOptions(ctx.actor)
    await requestRun(job, ctx.actor, finish)
    return goTo(ctx, `/jobs/${job.name}`, ctx.i18n.t('jobs.asked', { job: job.name }))
  }
}

/** A run for display. */
function runView(run: Run) {
  const { started_at: started, ended_at: endTime } = run
  return {
    ...run,
    seconds: started && endTime ? (Date.parse(endTime) - Date.parse(started)) / 1_000 : null,
    tone: toneOf(run),
  }
}

function toneOf({ outcome }: Run): string {
  if (outcome === 'succeeded') return 'good'
  return outcome === 'queued' || outcome === 'running' ? '' : 'bad'
}
