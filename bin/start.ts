import '#support/home'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
| Entry of `npm start`. Starts as many workers as the setting `server.workers` names, or the server in this process if one is
| enough. The worker validates the settings, because only the worker knows all of them.
*/

const SERVER = new URL(`./server${extname(import.meta.filename)}`, import.meta.url)

async function start(): Promise<void> {
  const { default: env } = await import('#support/env')
  const { default: server } = await import('#config/server')
  const { workerCount } = await import('#start/workers/count')
  const count = workerCount(server.workers, env.get('DB_CONNECTION', 'sqlite'))
  if (count === 1) {
    await import(SERVER.href)
    return
  }
  const { LoggerManager } = await import('@adonisjs/core/logger')
  const { default: logging } = await import('#config/logger')
  const { Primary } = await import('#start/workers/primary')
  const logger = new LoggerManager(logging).use()
  process.exit(await new Primary(fileURLToPath(SERVER), count, logger).run())
}

try {
  await start()
} catch (error) {
  const { failStart } = await import('./ignitor.js')
  await failStart(error)
}
