import cluster from 'node:cluster'
import type { Ignitor } from '@adonisjs/core'

/**
 * Connects the server of this process to its primary. Does nothing in a process without primary. If the primary dies, the
 * worker ends as after SIGTERM: it finishes its requests first. Before it serves, Node ends it at once.
 */
export function belongToPrimary(ignitor: Ignitor): void {
  const { worker } = cluster
  if (!worker) {
    return
  }
  // The channel to the primary must not keep the process alive.
  process.channel?.unref()
  // Ignores errors of messages that the framework sends; `disconnect` reports the end of the channel.
  worker.on('error', () => {})
  ignitor.tap((app) => {
    app.booted(async () => {
      const emitter = await app.container.make('emitter')
      emitter.once('http:server_ready', () => {
        worker.once('disconnect', () => {
          // Without this, Node does not wait for the requests.
          worker.exitedAfterDisconnect = true
          process.kill(process.pid, 'SIGTERM')
        })
      })
    })
    // Only the first worker logs the messages of the start.
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
