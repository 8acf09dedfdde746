import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import type { AuditArea } from '#access/rules/audit_rules'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { AUDIT_AREAS } from '#audit/actions'
import { actionFilter, objectFilter, type AuditFilter } from '#audit/filter'
import { countEvents, listEvents } from '#audit/reader'
import { paged, pageOf } from '#controllers/support/paging'
import { auditItem } from '#transformers/audit'
import { success } from '#transformers/envelope'
import { moment } from '#zones/history/point'

/** Default page of the list. */
const FIRST_PAGE = { number: 1, size: 100, offset: 0 }

/** /api/v2/audit */
export default class AuditController {
  /** Events of the areas that the caller may view, the newest first. */
  async index(ctx: HttpContext) {
    const areas = readableAreas(ctx.actor)
    const filter = auditFilter(ctx.request.qs() as Record<string, string | undefined>)
    const page = pageOf(ctx) ?? FIRST_PAGE
    const total = await countEvents(areas, filter)
    const events = await listEvents(areas, filter, { offset: page.offset, limit: page.size })
    const seesZones = areas.includes('zones')
    return success(
      { entries: events.map((event) => auditItem(event, seesZones)) },
      'Audit log retrieved successfully',
      paged(page, total)
    )
  }
}

/** Returns the areas whose events the actor may view. Throws a 403 `Refusal` if there are none. */
export function readableAreas(actor: Actor): AuditArea[] {
  const areas = AUDIT_AREAS.filter(
    (area) => authorize(actor, { action: 'audit.view', area }).allowed
  )
  if (areas.length === 0) {
    demand(actor, { action: 'audit.view', area: 'users' })
  }
  return areas
}

/** The filter of the parameters. Throws a 400 `Refusal`. */
export function auditFilter(words: Record<string, string | undefined>): AuditFilter {
  const { user, action, object, since, until } = words
  return {
    ...(user ? { user } : {}),
    ...(action ? { action: actionFilter(action) } : {}),
    ...(object ? { object: objectFilter(object) } : {}),
    ...(since ? { since: moment('since', since) } : {}),
    ...(until ? { until: moment('until', until) } : {}),
  }
}
