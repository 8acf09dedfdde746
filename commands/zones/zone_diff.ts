import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Shows the differences between two versions of a zone. */
export default class ZoneDiff extends BaseCommand {
  static commandName = 'zone:diff'
  static description = 'Show the differences between two versions of a zone'
  static help = ['A version is the number of a history entry, or a time like 2026-11-20T12:00:00Z.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @flags.string({ description: 'First version; default: before the newest entry' })
  declare from?: string

  @flags.string({ description: 'Second version; default: the current one' })
  declare to?: string

  @flags.boolean({ description: 'Print the answer of the API: {"from":..,"to":..,"changes":[..]}' })
  declare json: boolean

  async run() {
    await reportRefusals(this, () => this.#print())
  }

  async #print() {
    const { printJson, printLines } = await import('#terminal/output')
    const { paintFor } = await import('#terminal/paint')
    const { changeLines, countsOf } = await import('#terminal/plan_text')
    const { openZone } = await import('#terminal/zone')
    const { changeItem } = await import('#transformers/plan')
    const { eitherPoint } = await import('#zones/history/point')
    const { ZoneHistory } = await import('#zones/history/history')
    const openedZone = await openZone(this.app, this.zone)
    const history = await this.app.container.make(ZoneHistory)
    const { lastEntry } = await history.open(openedZone.zone)
    const from =
      this.from === undefined
        ? { entry: Math.max(lastEntry - 1, 0) }
        : eitherPoint('from', this.from)
    const to = this.to === undefined ? 'now' : eitherPoint('to', this.to)
    const { changes, ...between } = await history.diff(openedZone, from, to)
    const lines = () => [
      ...changeLines(changes, paintFor()),
      `Zone ${openedZone.zone.name}, entry ${between.from} to ${between.to}: ${countsOf(changes)}`,
    ]
    await (this.json
      ? printJson({ ...between, changes: changes.map(changeItem) })
      : printLines(lines()))
  }
}
