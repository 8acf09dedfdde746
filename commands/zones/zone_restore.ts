import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Makes the records of a zone what they were. */
export default class ZoneRestore extends BaseCommand {
  static commandName = 'zone:restore'
  static description = 'Show what bringing a zone back to a point would change; --apply does it'
  static help = ['Give one of --entry and --time.']
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @flags.string({ description: 'As it was after this entry of the history' })
  declare entry?: string

  @flags.string({ description: 'As it was at this time, such as 2026-11-20T12:00:00Z' })
  declare time?: string

  @flags.string({ description: 'Only this owner name: relative, @ or absolute' })
  declare name?: string

  @flags.string({ description: 'Only this record type at --name' })
  declare type?: string

  @flags.boolean({ description: 'Change the zone; without it the plan is shown and nothing done' })
  declare apply: boolean

  @flags.boolean({ description: 'Print what the API answers: {"plan":..} or {"change":..}' })
  declare json: boolean

  @flags.string({ description: 'Why; kept in the journal' })
  declare reason?: string

  async run() {
    await reportRefusals(this, async () => {
      const { openZone } = await import('#terminal/zone')
      const { planOrApply } = await import('#terminal/write')
      const { pointFrom } = await import('#zones/history/point')
      const { RestoreZone } = await import('#zones/history/restore')
      const point = pointFrom(this.entry, this.time)
      const scope = { name: this.name, type: this.type }
      const open = await openZone(this.app, this.zone)
      const restore = await this.app.container.make(RestoreZone)
      await planOrApply(this, (intent) => restore.handle(intent, open, point, scope))
    })
  }
}
