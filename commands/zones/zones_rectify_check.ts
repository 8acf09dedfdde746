import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals, errorText } from '#exceptions/command_errors'

/** Finds and repairs signed zones that other tools changed without rectifying them. */
export default class ZonesRectifyCheck extends BaseCommand {
  static commandName = 'zones:rectify-check'
  static description = 'Find and rectify signed zones with wrong NSEC data'
  static help = [
    'Other tools can write rows with a wrong auth or ordername, or without empty non-terminals.',
    'Rectifies zones one by one; records and serials do not change. Exit code of --dry-run: 1 if some are wrong, 2 if',
    'some cannot be compared, because a server behind its API does not show these rows.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Only show the zones' })
  declare dryRun: boolean

  @flags.boolean({
    description:
      'Print {"checked":..,"zones":[..],"not_compared":..,"dry_run":..}, with "error" where one ended it',
  })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { BackendManager } = await import('#backends/manager')
      const { rectifyZones } = await import('#changes/signing/rectify')
      const { printJson, printLines } = await import('#terminal/output')
      const { Progress } = await import('#terminal/progress')
      const progress = new Progress()
      const dryRun = Boolean(this.dryRun)
      const manager = await this.app.container.make(BackendManager)
      const zones: { zone_id: number; zone_name: string; rows: number }[] = []
      let [checked, notCompared] = [0, 0]
      const report = () => ({ checked, zones, not_compared: notCompared, dry_run: dryRun })
      try {
        for await (const { zone, rows } of rectifyZones(manager.use(), maintainer(), dryRun)) {
          checked += rows === null ? 0 : 1
          notCompared += rows === null ? 1 : 0
          progress.print(`Checked ${checked + notCompared} signed zones`)
          if (rows !== null && rows > 0) {
            progress.end()
            zones.push({ zone_id: zone.id, zone_name: zone.name, rows })
            await (this.json
              ? null
              : printLines([`${zone.name}: ${rows} ${wrongRowsText(rows, dryRun)}`]))
          }
        }
      } catch (error) {
        // Repaired zones are committed, so the report includes them.
        await (this.json ? printJson({ ...report(), error: await errorText(error) }) : null)
        throw error
      } finally {
        progress.end()
      }
      await (this.json
        ? printJson(report())
        : printLines([
            ...(notCompared > 0 ? [notComparedText(notCompared, dryRun)] : []),
            ...(checked > 0 || notCompared === 0
              ? [`Checked ${checked} signed zones, ${zones.length} of them had wrong rows`]
              : []),
          ]))
      this.exitCode = !dryRun ? 0 : zones.length > 0 ? 1 : notCompared > 0 ? 2 : 0
    })
  }
}

function wrongRowsText(rows: number, dryRun: boolean): string {
  const noun = rows === 1 ? 'row' : 'rows'
  return dryRun ? `${noun} wrong` : `${noun} fixed`
}

/** Result line for zones whose rows the product cannot read. */
function notComparedText(zones: number, dryRun: boolean): string {
  const signed = zones === 1 ? '1 signed zone' : `${zones} signed zones`
  return dryRun
    ? `Not compared: ${signed}. The name server does not show their rows; without --dry-run, it rectifies them`
    : `Not compared: ${signed}. The name server rectified them, but does not report wrong rows`
}
