import { setTimeout as sleep } from 'node:timers/promises'
import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Terminates an application on SIGTERM and SIGINT after its current work. During the boot it ends by the signal itself,
 * because the framework would ignore the signal or continue to start. Commands work while they start, and a server listens
 * before it is ready, so both count as working.
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

/** Returns whether the application may have work in progress. */
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
