import { BaseCommand } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Processes the outbox as a job and deletes old rows. */
export default class OutboxWork extends BaseCommand {
  static commandName = 'outbox:work'
  static description = 'Deliver overdue notifications, and delete old ones'
  static help = [
    'The job of this name; the service does the same after each change. Failed notifications are retried',
    'later and are not an error here: see node ace outbox:list.',
  ]
  static options: CommandOptions = { startApp: true }

  async run() {
    await reportRefusals(this, async () => {
      const { configuredClient } = await import('#backends/powerdns_api/configured')
      const { createOutboxWorker } = await import('#background/outbox/configured')
      const { purgeOutbox } = await import('#background/outbox/store')
      const { printLines } = await import('#terminal/output')
      await purgeOutbox()
      if (!configuredClient().isConfigured) {
        return printLines([
          'There is no DNS server to notify: pdns_api.url and pdns_api.key are empty',
        ])
      }
      const worker = await createOutboxWorker(this.app)
      const { delivered, failed } = await worker.runOnce()
      return printLines([`${delivered} delivered, ${failed} failed`])
    })
  }
}
