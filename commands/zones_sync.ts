import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Brings the list of zones up to date with the server's. */
export default class ZonesSync extends BaseCommand {
  static commandName = 'zones:sync'
  static description = 'Bring the list of zones up to date with the server (dns.backend=api)'
  static help = [
    'A zone that the server does not have any more leaves the lists when it was missing for some minutes; what is',
    'known of it stays, for when it comes back. The server does this once a minute by itself.',
    'With dns.backend=sql there is no such list; only signing that was cut off is looked after.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({
    description:
      'Print {"zones":..,"added":..,"changed":..,"missing":..,"removed":..,"settled":..}, or {"zones":null} where there is no list',
  })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { BackendManager } = await import('#backends/manager')
      const { adoptAllZones } = await import('#changes/zone_sweep')
      const { synchroniseZones } = await import('#changes/zone_synchronisation')
      const { printJson, printLines } = await import('#terminal/output')
      const manager = await this.app.container.make(BackendManager)
      const backend = manager.use()
      const synced = await synchroniseZones(backend)
      if (synced) {
        await adoptAllZones(backend)
      }
      if (this.json) {
        await printJson(synced ?? { zones: null })
      } else if (synced) {
        const { zones, added, changed, missing, removed, settled } = synced
        await printLines([
          `${zones} zones; ${added} new, ${changed} changed, ${missing} missing, ${removed} removed`,
          ...(settled > 0 ? [`${settled} writes that were cut off are settled`] : []),
        ])
      } else {
        await printLines(['The zones are in the database itself; there is nothing to do'])
      }
    })
  }
}
