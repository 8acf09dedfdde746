import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals, errorText } from '#exceptions/command_errors'

/** Maintains pending change requests: marks outdated ones, applies due ones, expires and deletes old ones. */
export default class ChangeRequestsSweep extends BaseCommand {
  static commandName = 'change-requests:sweep'
  static description =
    'Find outdated change requests, apply due ones, and expire and delete old ones'
  static help = [
    'Marks outdated actions of pending requests. By the settings approval.*: cancels outdated and old requests,',
    'applies scheduled ones that are due, and deletes decided ones after their retention.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.boolean({
    description:
      'Print {"checked":..,"requests":[..],"removed":..}, with "error" where one ended it',
  })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { BackendManager } = await import('#backends/manager')
      const { sweepRequests } = await import('#review/sweep')
      const { printJson, printLines } = await import('#terminal/output')
      const manager = await this.app.container.make(BackendManager)
      const requests: { id: number; zone_name: string; outcome: string }[] = []
      const sweep = sweepRequests(manager.use())
      try {
        for (;;) {
          const step = await sweep.next()
          if (step.done) {
            const { checked, removed } = step.value
            await (this.json
              ? printJson({ checked, requests, removed })
              : printLines([
                  `Checked ${checked} change requests, ${requests.length} of them updated; deleted ${removed}`,
                ]))
            return
          }
          const { id, zone, outcome } = step.value
          requests.push({ id, zone_name: zone, outcome: outcome })
          await (this.json ? null : printLines([`#${id} (${zone}): ${outcome}`]))
        }
      } catch (error) {
        // Completed steps are committed, so the report includes them.
        await (this.json ? printJson({ requests, error: await errorText(error) }) : null)
        throw error
      }
    })
  }
}
