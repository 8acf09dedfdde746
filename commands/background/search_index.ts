import { setImmediate as turn } from 'node:timers/promises'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Updates the search index. The service does so in the background. */
export default class SearchIndex extends BaseCommand {
  static commandName = 'search:index'
  static description = 'Update or rebuild the search index'
  static help = [
    'On PostgreSQL, creates a missing pg_trgm index; restart the service afterwards.',
    'Searches work in the meantime.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Delete the index and create it again' })
  declare rebuild: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { default: db } = await import('@adonisjs/lucid/services/db')
      const { feedTexts, forgetTexts } = await import('#database/trigram_index/indexer')
      const { clearEngineCache } = await import('#database/trigram_index/engine')
      const { buildTrigramIndex } = await import('#database/trigram_index/postgres')
      const { TEXT_SOURCES } = await import('#database/trigram_index/source')
      const { dialectOf } = await import('#database/dialects/dialect_of')
      const client = db.connection()
      for (const source of TEXT_SOURCES) {
        if (dialectOf(client).hasTrigramExtension) {
          const obstacle = await buildTrigramIndex(client, source, this.rebuild)
          clearEngineCache()
          if (obstacle === null) {
            // PostgreSQL's own index replaces the trigram tables, which would become outdated.
            await forgetTexts(client, source)
          } else {
            this.logger.warning(`PostgreSQL cannot create the trigram index (pg_trgm): ${obstacle}`)
          }
        }
        if (this.rebuild) {
          await forgetTexts(client, source)
        }
        // better-sqlite3 frees its memory only when the event loop runs.
        while (await feedTexts(client, source)) {
          await turn()
        }
        process.stdout.write(`The search index of ${source.title} is up to date\n`)
      }
      const { BackendManager } = await import('#backends/manager')
      const backends = await this.app.container.make(BackendManager)
      const { listOrders } = backends.use()
      if (listOrders) {
        await listOrders.queueAllZones()
        while (await listOrders.buildNext()) {
          await turn()
        }
        process.stdout.write('The sort keys of large zones are up to date\n')
      }
    })
  }
}
