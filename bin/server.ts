import { belongToPrimary } from '#start/workers/member'
import { failStart, ignitor } from './ignitor.js'

/** Time in which a stopping server waits for running requests. */
const GRACE_MS = 5_000
const POLL_MS = 100

/**
 * Closes connections so that the server can stop: idle connections at once, event streams by their end, and unfinished
 * requests after `GRACE_MS`.
 */
async function closeConnections(): Promise<void> {
  const { beginToStop } = await import('#support/stopping')
  beginToStop()
  const { default: server } = await import('@adonisjs/core/services/server')
  setInterval(() => server.getNodeServer()?.closeIdleConnections(), POLL_MS).unref()
  setTimeout(() => server.getNodeServer()?.closeAllConnections(), GRACE_MS).unref()
}

process.once('SIGTERM', () => void closeConnections())
process.once('SIGINT', () => void closeConnections())

belongToPrimary(ignitor)
ignitor.httpServer().start().catch(failStart)
