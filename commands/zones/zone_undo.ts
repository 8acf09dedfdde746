import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Takes an entry of a zone's journal back. */
export default class ZoneUndo extends BaseCommand {
  static commandName = 'zone:undo'
  static description = 'Show what taking an entry of the history back would change; --apply does it'
  static help = [
    'Refused where something was changed again since; --merge keeps both where they allow it.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @args.string({ description: 'Number of the entry, as zone:history shows it' })
  declare entry: string

  @flags.boolean({ description: 'Keep what was changed since, and take only this entry out' })
  declare merge: boolean

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
      const { entryNumber } = await import('#zones/history/point')
      const { UndoEntry } = await import('#zones/history/undo')
      const number = entryNumber('entry', this.entry)
      const open = await openZone(this.app, this.zone)
      const undo = await this.app.container.make(UndoEntry)
      const merge = Boolean(this.merge)
      await planOrApply(this, (intent) => undo.handle(intent, open, number, { merge }))
    })
  }
}
