import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals, saidOf } from '#exceptions/command_errors'

/** Finds and repairs signed zones that other tools wrote without rectifying them. */
export default class ZonesRectifyCheck extends BaseCommand {
  static commandName = 'zones:rectify-check'
  static description = 'Find signed zones that prove denials wrongly, and put them right'
  static help = [
    'Rows of other tools may say wrongly which names are authoritative, which exist, and in which order.',
    'Zones are repaired one by one; their records and serials stay. With --dry-run, 1 means that some are wrong.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Only say which zones are wrong' })
  declare dryRun: boolean

  @flags.boolean({
    description: 'Print {"checked":..,"zones":[..],"dry_run":..}, with "error" where one ended it',
  })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { BackendManager } = await import('#backends/manager')
      const { rectifyZones } = await import('#changes/rectify')
      const { printJson, printLines } = await import('#terminal/output')
      const { Progress } = await import('#terminal/progress')
      const progress = new Progress()
      const dryRun = Boolean(this.dryRun)
      const manager = await this.app.container.make(BackendManager)
      const zones: { zone_id: number; zone_name: string; rows: number }[] = []
      let checked = 0
      try {
        for await (const { zone, rows } of rectifyZones(manager.use(), maintainer(), dryRun)) {
          checked++
          progress.tell(`Checked ${checked} signed zones`)
          if (rows > 0) {
            progress.end()
            zones.push({ zone_id: zone.id, zone_name: zone.name, rows })
            await (this.json ? null : printLines([`${zone.name}: ${rows} ${wrong(rows, dryRun)}`]))
          }
        }
      } catch (error) {
        // What was put right stays so, and who asked has to know it.
        const told = { checked, zones, dry_run: dryRun, error: await saidOf(error) }
        await (this.json ? printJson(told) : null)
        throw error
      } finally {
        progress.end()
      }
      await (this.json
        ? printJson({ checked, zones, dry_run: dryRun })
        : printLines([`Checked ${checked} signed zones, ${zones.length} of them had wrong rows`]))
      this.exitCode = dryRun && zones.length > 0 ? 1 : 0
    })
  }
}

function wrong(rows: number, dryRun: boolean): string {
  const what = rows === 1 ? 'row' : 'rows'
  return dryRun ? `${what} wrong` : `${what} put right`
}
