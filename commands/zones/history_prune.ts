import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

const MAX_DAYS = 36_500
const MAX_ENTRIES = 1_000_000_000

/** Deletes old entries of the journal. */
export default class HistoryPrune extends BaseCommand {
  static commandName = 'history:prune'
  static description = 'Delete old history entries of all zones'
  static help = [
    'Deletes entries by --older-than or --keep, except the --newest of each zone.',
    'Keeps the entries that restore zones in the trash. Deleted entries cannot be reverted.',
    'With --by-settings, like the job of this name, uses history.retention_days and history.min_entries.',
  ]
  static options: CommandOptions = { startApp: true }

  @flags.number({ description: 'Delete entries older than this number of days' })
  declare olderThan?: number

  @flags.number({ description: 'Keep this number of entries of each zone' })
  declare keep?: number

  @flags.number({ description: 'Newest entries of each zone that are never deleted', default: 100 })
  declare newest: number

  @flags.boolean({ description: 'Use the settings; do nothing if they delete nothing' })
  declare bySettings: boolean

  @flags.boolean({ description: 'Only count' })
  declare dryRun: boolean

  @flags.boolean({ description: 'Print {"entries":..,"zones":..,"dry_run":..}' })
  declare json: boolean

  async run() {
    await reportRefusals(this, async () => {
      const { pruneJournal } = await import('#changes/journal/pruner')
      const { printJson, printLines } = await import('#terminal/output')
      const { Progress } = await import('#terminal/progress')
      const dryRun = Boolean(this.dryRun)
      const policy = await this.#policy()
      const progress = new Progress()
      const { entries, zones } =
        policy === null
          ? { entries: 0, zones: 0 }
          : await pruneJournal(policy, dryRun, (pruned) =>
              progress.print(`${pruned.entries} entries of ${pruned.zones} zones`)
            )
      progress.end()
      if (!dryRun && entries > 0) {
        await this.#record({ entries, zones })
      }
      const verb = dryRun ? 'Would remove' : 'Removed'
      await (this.json
        ? printJson({ entries, zones, dry_run: dryRun })
        : printLines([
            `${verb} ${countedNoun(entries, 'entry', 'entries')} of ${countedNoun(zones, 'zone', 'zones')}`,
          ]))
    })
  }

  async #record(detail: { entries: number; zones: number }) {
    const { maintainer } = await import('#access/actor')
    const { record } = await import('#audit/record')
    const { default: db } = await import('@adonisjs/lucid/services/db')
    await record(db.connection(), maintainer(), { action: 'history.pruned', detail })
  }

  /** Which entries are deleted; null for none. */
  async #policy() {
    const { invalid } = await import('#exceptions/refusal')
    const { wholeNumber } = await import('#terminal/flags')
    const { olderThan, keep, newest } = this
    if (this.bySettings) {
      const { default: history } = await import('#config/history')
      if (olderThan !== undefined || keep !== undefined) {
        throw invalid('Give --by-settings, or --older-than and --keep, not both')
      }
      const { retention_days: days, min_entries: minEntries } = history
      return days === 0 ? null : { olderThanDays: days, minNewest: minEntries }
    }
    if (olderThan === undefined && keep === undefined) {
      throw invalid('Give --older-than=<days>, --keep=<entries> or both')
    }
    const entries = { min: 1, max: MAX_ENTRIES }
    return {
      olderThanDays:
        olderThan === undefined
          ? undefined
          : wholeNumber('older-than', olderThan, { min: 0, max: MAX_DAYS }),
      maxEntries: keep === undefined ? undefined : wholeNumber('keep', keep, entries),
      minNewest: wholeNumber('newest', newest, entries),
    }
  }
}

function countedNoun(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
