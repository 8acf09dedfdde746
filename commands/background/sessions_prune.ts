import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Deletes expired sessions of the web interface. */
export default class SessionsPrune extends BaseCommand {
  static commandName = 'sessions:prune'
  static description = 'Delete ended sessions of the web interface'
  static help = ['Also deletes expired links for new passwords, and stored results of forms.']
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
