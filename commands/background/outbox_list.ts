import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

const MAX_PRINTED = 1000

/** Lists the rows of the outbox that are not done. */
export default class OutboxList extends BaseCommand {
  static commandName = 'outbox:list'
  static description = 'Show pending and failed notifications to the DNS server'
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print a JSON object with waiting, given_up and events' })
  declare json: boolean

  async run() {
    const { timestampIn, readUnsettledEvents } = await import('#background/outbox/store')
    const { toListedEvent, formatOutboxTable } = await import('#background/outbox/report')
    await reportRefusals(this, async () => {
      const { waiting, abandoned, rows } = await readUnsettledEvents(MAX_PRINTED)
      const events = rows.map((row) => toListedEvent(row, timestampIn(0)))
      if (this.json) {
        const answer = { waiting, given_up: abandoned, events }
        process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
        return
      }
      const hasColours = process.stdout.isTTY && !process.env.NO_COLOR
      const table = events.length > 0 ? `${formatOutboxTable(events, hasColours)}\n` : ''
      const hidden = waiting + abandoned - events.length
      const hiddenText = hidden > 0 ? `; ${hidden} more not shown` : ''
      process.stdout.write(`${table}${waiting} waiting, ${abandoned} given up${hiddenText}\n`)
    })
  }
}
