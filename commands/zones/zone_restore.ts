import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Restores the records of a zone to an earlier version. */
export default class ZoneRestore extends BaseCommand {
  static commandName = 'zone:restore'
  static description = 'Show the changes of restoring an earlier version; --apply applies them'
  static help = ['Requires --entry or --time.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @flags.string({ description: 'The version after this history entry' })
  declare entry?: string

  @flags.string({ description: 'The version at this time, e.g. 2026-11-20T12:00:00Z' })
  declare time?: string

  @flags.string({ description: 'Only this owner name: relative, @ or absolute' })
  declare name?: string

  @flags.string({ description: 'Only this record type at --name' })
  declare type?: string

  @flags.boolean({ description: 'Apply the changes; without it, they are only shown' })
  declare apply: boolean

  @flags.boolean({ description: 'Print the answer of the API: {"plan":..} or {"change":..}' })
  declare json: boolean

  @flags.string({ description: 'Reason, stored in the history' })
  declare reason?: string

  async run() {
    await reportRefusals(this, async () => {
      const { openZone } = await import('#terminal/zone')
      const { planOrApply } = await import('#terminal/write')
      const { pointFrom } = await import('#zones/history/point')
      const { RestoreZone } = await import('#zones/history/restore')
      const point = pointFrom(this.entry, this.time)
      const scope = { name: this.name, type: this.type }
      const openedZone = await openZone(this.app, this.zone)
      const restore = await this.app.container.make(RestoreZone)
      await planOrApply(this, (intent) => restore.handle(intent, openedZone, point, scope))
    })
  }
}
