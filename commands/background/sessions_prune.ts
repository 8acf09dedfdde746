import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Removes sessions of the web interface that ended by themselves. */
export default class SessionsPrune extends BaseCommand {
  static commandName = 'sessions:prune'
  static description = 'Remove sessions of the web interface that have ended'
  static help = [
    'Nobody can use them anyway. Links for new passwords that are too old go with them, and so do pages that were kept to be come back to.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({ description: 'Print {"removed":..}' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { pruneSessions } = await import('#accounts/sessions/sessions')
      const { pruneResets } = await import('#accounts/password_reset/requests')
      const { pruneFormResults } = await import('#web/forms/form_results')
      const { printJson, printLines } = await import('#terminal/output')
      const removed = await pruneSessions()
      await pruneResets()
      await pruneFormResults()
      await (this.json
        ? printJson({ removed })
        : printLines([`Removed ${removed} ${removed === 1 ? 'session' : 'sessions'}`]))
    })
  }
}
