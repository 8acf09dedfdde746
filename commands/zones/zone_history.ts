import { BaseCommand, args, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Maximum number of listed entries. */
const MAX_LIMIT = 100_000

/** Lists the journal of a zone. */
export default class ZoneHistoryCommand extends BaseCommand {
  static commandName = 'zone:history'
  static description = 'Show the history of a zone, newest first'
  static options: CommandOptions = { startApp: true }

  @args.string({ description: 'Name of the zone' })
  declare zone: string

  @flags.number({ description: 'Maximum number of entries', default: 20 })
  declare limit: number

  @flags.string({ description: 'Only entries of this owner name: relative, @ or absolute' })
  declare name?: string

  @flags.string({ description: 'Only entries of this record type' })
  declare type?: string

  @flags.boolean({ description: 'Show the changes of each entry' })
  declare changes: boolean

  @flags.boolean({ description: 'Print {"entries":[..]}, as the API' })
  declare json: boolean

  async run() {
    await reportRefusals(this, () => this.#print())
  }

  async #print() {
    const { ownerName } = await import('#dns/names')
    const { entryLines } = await import('#terminal/history_text')
    const { printJson, printLines } = await import('#terminal/output')
    const { paintFor } = await import('#terminal/paint')
    const { wholeNumber } = await import('#terminal/flags')
    const { openZone } = await import('#terminal/zone')
    const { entryItem } = await import('#transformers/history')
    const { changeItem } = await import('#transformers/plan')
    const { ZoneHistory } = await import('#zones/history/history')
    const limit = wholeNumber('limit', this.limit, { min: 1, max: MAX_LIMIT })
    const openedZone = await openZone(this.app, this.zone)
    const history = await this.app.container.make(ZoneHistory)
    const query = {
      ...(this.name === undefined ? {} : { name: ownerName(this.name, openedZone.zone.name) }),
      ...(this.type === undefined ? {} : { type: this.type.toUpperCase() }),
    }
    const { entries, journal } = await history.list(openedZone, query, { offset: 0, limit })
    const details = this.changes ? await journal.withChanges(entries) : null
    const shown = entries.map((entry, index) => ({
      entry,
      changes: details ? details[index].changes : null,
    }))
    await (this.json
      ? printJson({
          entries: shown.map(({ entry, changes }) =>
            entryItem(entry, { changes: changes?.map(changeItem), withMetadata: true })
          ),
        })
      : printLines(shown.flatMap(({ entry, changes }) => entryLines(entry, changes, paintFor()))))
  }
}
