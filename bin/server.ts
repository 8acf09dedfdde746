import { failStart, ignitor } from './ignitor.js'

/** How long a stopping server waits for requests that are under way. */
const GRACE_MS = 5_000

/** A client that never finishes its request must not keep the process from ending. */
async function closeStragglers(): Promise<void> {
  const { default: server } = await import('@adonisjs/core/services/server')
  setTimeout(() => server.getNodeServer()?.closeAllConnections(), GRACE_MS).unref()
}

process.once('SIGTERM', () => void closeStragglers())
process.once('SIGINT', () => void closeStragglers())

ignitor.httpServer().start().catch(failStart)
