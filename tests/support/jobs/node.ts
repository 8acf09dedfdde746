/*
| A scheduler process for one test job: `node --import=@poppinss/ts-exec node.ts <job as JSON> <terms as JSON>`.
| Prints a line once the scheduler runs, and stops as the service does.
*/
import type { JobDeclaration } from '#background/scheduler/declaration'
import type { SchedulerOptions } from '#background/scheduler/scheduler'
import { ignitor } from '../../../bin/ignitor.js'

const [, , declaration, words] = process.argv
const { pollMs, ...terms } = JSON.parse(words) as Omit<SchedulerOptions, 'node'> & {
  pollMs: number
}
const app = ignitor.createApp('console')
await app.init()
await app.boot()
await app.start(async () => {
  const { Scheduler } = await import('#background/scheduler/scheduler')
  const { jobsOf } = await import('#background/scheduler/declaration')
  const jobs = jobsOf([JSON.parse(declaration) as JobDeclaration], 'test')
  const logger = { warn: (_: object, text: string) => process.stdout.write(`${text}\n`) }
  const node = `node:${process.pid}`
  const scheduler = new Scheduler(jobs, { ...terms, node }, logger)
  app.terminating(() => scheduler.stop())
  // The process may have received a signal during its start.
  if (!app.isTerminating && !app.isTerminated) {
    scheduler.start({ firstRunMs: 20, intervalMs: pollMs })
    process.stdout.write('The scheduler runs\n')
  }
})
