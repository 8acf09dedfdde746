import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Synchronises the zone index with the server's list of zones. */
export default class ZonesSync extends BaseCommand {
  static commandName = 'zones:sync'
  static description = 'Synchronise the list of zones with the server (dns.backend=api)'
  static help = [
    'A zone that is missing at the server for some minutes is removed from the lists; its owners and history stay, in case it',
    'returns. Reads zones with a changed serial, at most a thousand and for a minute; all of them with --all.',
    'The service does this once a minute.',
    'With dns.backend=sql there is no such list; only interrupted DNSSEC changes are recovered.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({
    description:
      'Print {"zones":..,"added":..,"changed":..,"missing":..,"removed":..,"refreshed":..,"waiting":..,"unread":[..],"settled":..}, or {"zones":null} where there is no list',
  })
  declare json: boolean

  @flags.boolean({ description: 'Read all zones with a changed serial, without a limit' })
  declare all: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { BackendManager } = await import('#backends/manager')
      const { adoptAllZones } = await import('#changes/recovery/reconcile')
      const { synchroniseZones } = await import('#changes/recovery/sync_server')
      const { printJson, printLines } = await import('#terminal/output')
      const manager = await this.app.container.make(BackendManager)
      const backend = manager.use()
      const synced = await synchroniseZones(
        backend,
        this.all ? { maxZones: Infinity, maxMs: Infinity } : {}
      )
      if (synced) {
        await adoptAllZones(backend)
      }
      for (const name of synced?.unread ?? []) {
        process.stderr.write(`Zone ${name} was changed by another tool and cannot be read\n`)
        this.exitCode = 1
      }
      if (this.json) {
        await printJson(synced ?? { zones: null })
      } else if (synced) {
        const { zones, added, changed, missing, removed, settled } = synced
        const { refreshed, waiting } = synced
        await printLines([
          `${zones} zones; ${added} new, ${changed} changed, ${missing} missing, ${removed} removed`,
          ...(refreshed > 0 ? [`${refreshed} zones read again`] : []),
          ...(waiting > 0
            ? [`${waiting} zones are waiting to be read again; --all reads them now`]
            : []),
          ...(settled > 0 ? [`${settled} interrupted writes settled`] : []),
        ])
      } else {
        await printLines(['The zones are in the database; nothing to synchronise'])
      }
    })
  }
}
