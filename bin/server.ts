import { belongToPrimary } from '#start/workers/member'
import { failStart, ignitor } from './ignitor.js'

/** How long a stopping server waits for requests that are under way. */
const GRACE_MS = 5_000
const POLL_MS = 100

/**
 * Lets a stopping server end: connections that are open for a next request are closed as soon as they are
 * idle, streams of events end, and a client that never finishes its request is cut off after a while.
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
