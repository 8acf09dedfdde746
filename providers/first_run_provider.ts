import cluster from 'node:cluster'
import type { ApplicationService } from '@adonisjs/core/types'

/** Tells whoever starts the service for the first time how to make an administrator in the browser. */
export default class FirstRunProvider {
  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    // Of several workers the first one tells for all.
    const isFirst = cluster.worker === undefined || cluster.worker.id === 1
    const { default: settings } = await import('#config/interface')
    if (this.app.getEnvironment() !== 'web' || !isFirst || !settings.web_enabled) {
      return
    }
    try {
      const { firstRunState } = await import('#accounts/first_run/state')
      if ((await firstRunState()) === 'begun') {
        return
      }
      const { newFirstRunToken } = await import('#accounts/first_run/tokens')
      const token = await newFirstRunToken()
      // Shown on the terminal, as the password of `setup` is, and in no log line; behind a #, which no proxy sees either.
      process.stdout.write(
        `There is no administrator yet. Make one within 24 hours at ${await this.#address()}/setup#token=${token}\n` +
          'or on the command line: node ace setup --admin=<user name>\n'
      )
    } catch (error) {
      // A database that is down now may come; the next start tells it then.
      const logger = await this.app.container.make('logger')
      const message = error instanceof Error ? error.message : ''
      logger.warn(`Whether there is an administrator is not known: ${message}`)
    }
  }

  async #address(): Promise<string> {
    const { default: env } = await import('#support/env')
    const host = env.get('HOST', '127.0.0.1')
    const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
    const own = `http://${name.includes(':') ? `[${name}]` : name}:${env.get('PORT', 3333)}`
    return (env.get('APP_URL') ?? own).replace(/\/$/, '')
  }
}
