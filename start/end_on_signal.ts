import type { ApplicationService } from '@adonisjs/core/types'

/**
 * Ends an application on SIGTERM and SIGINT, with what it has under way done first.
 *
 * One that is still starting has nothing under way, and the framework would either take no notice or go on to start
 * what it has just ended: it ends by the signal, as a program that knows nothing of signals. A server has started
 * when it is ready; a command does its work while it starts.
 */
export function endOnSignal(app: ApplicationService): void {
  const hasStarted = () => (app.getEnvironment() === 'web' ? app.isReady : app.isBooted)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const end = () => {
      if (app.isTerminating || hasStarted()) {
        void app.terminate()
        return
      }
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    }
    app.listen(signal, end)
  }
}
