import type { ApplicationService } from '@adonisjs/core/types'
import type { TextKeeper } from '#jobs/background/text_indexer'

/** Keeps the index of texts in the process that serves. */
export default class TextIndexProvider {
  #keeper: TextKeeper | undefined

  constructor(protected app: ApplicationService) {}

  /** Called when the service is about to serve. */
  async ready() {
    if (this.app.getEnvironment() !== 'web') {
      return
    }
    const { TextKeeper } = await import('#jobs/background/text_indexer')
    this.#keeper = new TextKeeper(await this.app.container.make('logger'))
    this.#keeper.start()
  }

  /** Called before the database is closed. */
  async shutdown() {
    await this.#keeper?.stop()
  }
}
