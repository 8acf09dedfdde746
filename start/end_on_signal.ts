import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Ends an application on SIGTERM and SIGINT, with what it has under way done first.
 *
 * One that is still starting has nothing under way, and the framework would either take no notice or go on to start
 * what it has just ended: it ends by the signal, as a program that knows nothing of signals. A command does its work
 * while it starts, and a server serves a moment before it is said to be ready.
 */
export function endOnSignal(app: ApplicationService): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    app.listen(signal, () => void end(app, signal))
  }
}

async function end(app: ApplicationService, signal: NodeJS.Signals): Promise<void> {
  if (!(await hasBegun(app))) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    return
  }
  if (app.getEnvironment() === 'web') {
    while (!app.isReady && !app.isTerminating && !app.isTerminated) await sleep(20)
  }
  await app.terminate()
}

/** Whether it may have something under way. */
async function hasBegun(app: ApplicationService): Promise<boolean> {
  if (app.getEnvironment() !== 'web' || app.isReady || app.isTerminating) {
    return app.isBooted || app.isTerminating
  }
  if (!app.isBooted) {
    return false
  }
  const server = await app.container.make('server')
  return server.getNodeServer()?.listening === true
}
