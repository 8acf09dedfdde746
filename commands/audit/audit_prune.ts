import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

const MAX_DAYS = 36_500

/** Deletes old events of the audit log. */
export default class AuditPrune extends BaseCommand {
  static commandName = 'audit:prune'
  static description = 'Delete old events of the audit log; the rest can still be verified'
  static help = [
    'Without --older-than, uses the setting logging.audit_retention_days, like the job of this name.',
    'With --by-settings, the value 0 (never) is not an error.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.number({ description: 'Delete events older than this number of days' })
  declare olderThan?: number

  @flags.boolean({ description: 'Use the settings; do nothing if they delete nothing' })
  declare bySettings: boolean

  @flags.boolean({ description: 'Only count' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Print {"events":..,"dry_run":..}' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { maintainer } = await import('#access/actor')
      const { pruneLog } = await import('#audit/pruner')
      const { printJson, printLines } = await import('#terminal/output')
      const { Progress } = await import('#terminal/progress')
      const dryRun = Boolean(this.dryRun)
      const days = await this.#days()
      const progress = new Progress()
      const events =
        days === null
          ? 0
          : await pruneLog(maintainer(), days, dryRun, (removed) =>
              progress.print(`Removed ${removed} events`)
            )
      progress.end()
      const verb = dryRun ? 'Would remove' : 'Removed'
      await (this.json
        ? printJson({ events, dry_run: dryRun })
        : printLines([`${verb} ${events} ${events === 1 ? 'event' : 'events'}`]))
    })
  }

  /** Minimum age of the deleted events in days; null deletes nothing. */
  async #days(): Promise<number | null> {
    const { default: logging } = await import('#config/logging')
    const { invalid } = await import('#exceptions/refusal')
    const { wholeNumber } = await import('#terminal/flags')
    if (this.bySettings && this.olderThan !== undefined) {
      throw invalid('Give --by-settings or --older-than, not both')
    }
    if (this.bySettings) {
      return logging.audit_retention_days || null
    }
    if (this.olderThan !== undefined) {
      return wholeNumber('older-than', this.olderThan, { min: 0, max: MAX_DAYS })
    }
    if (logging.audit_retention_days === 0) {
      throw invalid(
        'Give --older-than=<days>: the setting logging.audit_retention_days is 0 (never)'
      )
    }
    return logging.audit_retention_days
  }
}
