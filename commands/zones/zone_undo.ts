import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Undoes an entry of a zone's journal. */
export default class ZoneUndo extends BaseCommand {
  static commandName = 'zone:undo'
  static description = 'Show the changes of reverting a history entry; --apply applies them'
  static help = [
    'Refused if records were changed again later; --merge keeps later changes where possible.',
  ]
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @args.string({ description: 'Number of the entry, see zone:history' })
  declare entry: string

  @flags.boolean({ description: 'Keep later changes' })
  declare merge: boolean

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
      const { entryNumber } = await import('#zones/history/point')
      const { UndoEntry } = await import('#zones/history/undo')
      const number = entryNumber('entry', this.entry)
      const openedZone = await openZone(this.app, this.zone)
      const undo = await this.app.container.make(UndoEntry)
      const merge = Boolean(this.merge)
      await planOrApply(this, (intent) => undo.handle(intent, openedZone, number, { merge }))
    })
  }
}
