import cluster from 'node:cluster'
import type { ApplicationService } from '@adonisjs/core/types'

/** Shows how to create the first administrator in the browser, at the first start of the service. */
export default class FirstRunProvider {
  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    // One worker is enough.
    const isFirst = cluster.worker === undefined || cluster.worker.id === 1
    const { default: settings } = await import('#config/interface')
    if (this.app.getEnvironment() !== 'web' || !isFirst || !settings.web_enabled) {
      return
    }
    try {
      const { readFirstRunState } = await import('#accounts/first_run/state')
      if ((await readFirstRunState()) === 'begun') {
        return
      }
      const { createFirstRunToken } = await import('#accounts/first_run/tokens')
      const token = await createFirstRunToken()
      // On the terminal and not in the log, as the password of `setup`. The fragment of a URL does not reach proxies.
      process.stdout.write(
        `There is no administrator yet. Create one within 24 hours at ${await this.#address()}/setup#token=${token}\n` +
          'or on the command line: node ace setup --admin=<user name>\n'
      )
    } catch (error) {
      // The database may be down temporarily; the next start repeats the message.
      const logger = await this.app.container.make('logger')
      const message = error instanceof Error ? error.message : ''
      logger.warn(`Check for an administrator failed: ${message}`)
    }
  }

  async #address(): Promise<string> {
    const { default: env } = await import('#support/env')
    const host = env.get('HOST', '127.0.0.1')
    const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
    const ownUrl = `http://${name.includes(':') ? `[${name}]` : name}:${env.get('PORT', 3333)}`
    return (env.get('APP_URL') ?? ownUrl).replace(/\/$/, '')
  }
}
