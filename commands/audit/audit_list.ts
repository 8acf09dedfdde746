import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import { reportRefusals } from '#exceptions/command_errors'

/** Maximum number of listed events. */
const MAX_LIMIT = 100_000

/** Lists events of the audit log. */
export default class AuditList extends BaseCommand {
  static commandName = 'audit:list'
  static description = 'Show events of the audit log, newest first'
  static options: CommandOptions = { startApp: true }

  @flags.number({ description: 'Maximum number of events', default: 50 })
  declare limit: number

  @flags.string({ description: 'Only events of this user' })
  declare user?: string

  @flags.string({ description: 'Only this action, e.g. login.failed or login' })
  declare action?: string

  @flags.string({ description: 'Only events of this object, e.g. user, zone:12 or user:carol' })
  declare object?: string

  @flags.string({ description: 'Only events from this time on (ISO 8601)' })
  declare since?: string

  @flags.string({ description: 'Only events up to this time (ISO 8601)' })
  declare until?: string

  @flags.boolean({ description: 'Print {"entries":[..]}, as the API' })
  declare json: boolean

  async run() {
    await reportRefusals(this, () => this.#print())
  }

  async #print() {
    const { AUDIT_AREAS } = await import('#audit/actions')
    const { listEvents } = await import('#audit/reader')
    const { eventLine } = await import('#terminal/audit_text')
    const { wholeNumber } = await import('#terminal/flags')
    const { printJson, printLines } = await import('#terminal/output')
    const { auditItem } = await import('#transformers/audit')
    const limit = wholeNumber('limit', this.limit, { min: 1, max: MAX_LIMIT })
    const events = await listEvents(AUDIT_AREAS, await this.#filter(), { offset: 0, limit })
    await (this.json
      ? printJson({ entries: events.map((event) => auditItem(event, true)) })
      : printLines(events.map(eventLine)))
  }

  async #filter() {
    const { actionFilter, objectFilter } = await import('#audit/filter')
    const { moment } = await import('#zones/history/point')
    const { user, action, object, since, until } = this
    return {
      ...(user === undefined ? {} : { user }),
      ...(action === undefined ? {} : { action: actionFilter(action) }),
      ...(object === undefined ? {} : { object: objectFilter(object) }),
      ...(since === undefined ? {} : { since: moment('since', since) }),
      ...(until === undefined ? {} : { until: moment('until', until) }),
    }
  }
}
