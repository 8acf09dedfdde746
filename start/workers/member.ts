import cluster from 'node:cluster'
import type { Ignitor } from '@adonisjs/core'

/**
 * Lets the server of this process be one of several, where a primary started it; does nothing elsewhere.
 *
 * A worker whose primary is gone finishes its requests as after SIGTERM and ends, so that none is left over. Until
 * it serves, Node ends it at once.
 */
export function belongToPrimary(ignitor: Ignitor): void {
  const { worker } = cluster
  if (!worker) {
    return
  }
  // The channel to the primary alone is no reason to stay.
  process.channel?.unref()
  // Errors of that channel, from messages that the framework sends: its end is told by `disconnect`.
  worker.on('error', () => {})
  ignitor.tap((app) => {
    app.booted(async () => {
      const emitter = await app.container.make('emitter')
      emitter.once('http:server_ready', () => {
        worker.once('disconnect', () => {
          // Else Node would not wait for the requests.
          worker.exitedAfterDisconnect = true
          process.kill(process.pid, 'SIGTERM')
        })
      })
    })
    // What every start tells, the first one tells for all.
    if (worker.id > 1) {
      app.starting(async () => {
        const logger = await app.container.make('logger')
        const { level } = logger
        if (logger.isLevelEnabled('info')) {
          logger.level = 'error'
        }
        app.ready(() => void (logger.level = level))
      })
    }
  })
}
