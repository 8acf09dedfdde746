import { globSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ApplicationService } from '@adonisjs/core/types'
import scheduler, { jobs as declarations } from '#config/scheduler'
import { derivedKey } from '#support/derived_key'
import { InvalidJobs, jobsOf, type Job } from '#background/scheduler/declaration'
import { Scheduler, type SchedulerOptions } from '#background/scheduler/scheduler'

/** The jobs of `config/scheduler.ts`. */
export function configuredJobs(): Job[] {
  return jobsOf(declarations, derivedKey('job delays'))
}

/** Options of the scheduler in this installation. */
export function schedulerOptions(app: ApplicationService): SchedulerOptions {
  return {
    script: app.makePath('ace.js'),
    node: `${hostname().slice(0, 100)}:${process.pid}`,
    leaseMs: scheduler.lease_seconds * 1_000,
    maxStoredRuns: scheduler.max_runs,
  }
}

/** A scheduler of the jobs of `config/scheduler.ts`, not started. Throws `InvalidJobs`. */
export async function configuredScheduler(app: ApplicationService): Promise<Scheduler> {
  const jobs = configuredJobs()
  const missing = jobs.filter(({ name }) => !hasCommand(app, name))
  if (missing.length > 0) {
    const problems = missing.map(({ name }) => `the job '${name}' has no command in commands/`)
    throw new InvalidJobs(problems.join('; '))
  }
  return new Scheduler(jobs, schedulerOptions(app), await app.container.make('logger'))
}

/** Whether a file in `commands/` has the name of this Ace command. The command loader is only available in the console. */
function hasCommand(app: ApplicationService, name: string): boolean {
  const file = name.replaceAll(/[:-]/g, '_')
  return globSync(`*/${file}.{ts,js}`, { cwd: app.commandsPath() }).length > 0
}
