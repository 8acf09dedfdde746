/*
| A node that runs one job of tests, in a process of its own: `node --import=@poppinss/ts-exec node.ts <job as JSON>
| <terms as JSON>`. Prints a line when its scheduler runs, and stops as the service does.
*/
import type { JobDeclaration } from '#jobs/scheduler/declaration'
import { ignitor } from '../../../bin/ignitor.js'

const [, , declaration, terms] = process.argv
const app = ignitor.createApp('console')
await app.init()
await app.boot()
await app.start(async () => {
  const { Scheduler } = await import('#jobs/scheduler/scheduler')
  const { jobsOf } = await import('#jobs/scheduler/declaration')
  const jobs = jobsOf([JSON.parse(declaration) as JobDeclaration], 'test')
  const logger = { warn: (_: object, text: string) => process.stdout.write(`${text}\n`) }
  const node = `node:${process.pid}`
  const scheduler = new Scheduler(jobs, { ...JSON.parse(terms), node }, logger)
  app.terminating(() => scheduler.stop())
  // It may have been asked to end while it began.
  if (!app.isTerminating && !app.isTerminated) {
    scheduler.start()
    process.stdout.write('The scheduler runs\n')
  }
})
