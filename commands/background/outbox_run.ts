import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Processes the outbox once. The service does so continuously. */
export default class OutboxRun extends BaseCommand {
  static commandName = 'outbox:run'
  static description = 'Deliver due notifications to the DNS server once; exit code 1 if one fails'
  static options: CommandOptions = { startApp: true }

  async run() {
    const { configuredClient } = await import('#backends/powerdns_api/configured')
    const { createOutboxWorker } = await import('#background/outbox/configured')
    const { invalid } = await import('#exceptions/refusal')
    await reportRefusals(this, async () => {
      if (!configuredClient().isConfigured) {
        throw invalid('There is no DNS server to notify: set pdns_api.url and pdns_api.key')
      }
      const worker = await createOutboxWorker(this.app)
      const { delivered, failed } = await worker.runOnce()
      process.stdout.write(`${delivered} delivered, ${failed} failed\n`)
      this.exitCode = failed > 0 ? 1 : 0
    })
  }
}
