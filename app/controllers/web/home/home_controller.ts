import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { barChart } from '#web/page/bar_chart'
import { Dashboard } from '#controllers/web/home/dashboard'
import { displayName } from '#web/page/display_name'
import { currentUser } from '#web/session/current_user'
import { dailyChanges } from '#zones/overview/daily_changes'
import { recentChanges } from '#zones/overview/recent_changes'
import { zoneCounts } from '#zones/overview/zone_counts'

const MAX_RECENT_CHANGES = 10

/** / */
@inject()
export default class HomeController {
  constructor(private readonly dashboard: Dashboard) {}

  async handle(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    const attention = await this.dashboard.attention(actor)
    const { requests, jobs, troubles } = attention
    const waiting = (requests?.stale.total ?? 0) + (requests?.ready.total ?? 0)
    const counts = await zoneCounts(actor)
    const days = await dailyChanges(actor)
    const recent = await recentChanges(actor, MAX_RECENT_CHANGES)
    const day = (text: string) =>
      ctx.i18n.formatDate(new Date(text), { timeZone: 'UTC', day: 'numeric', month: 'short' })
    const maxOfKind = Math.max(1, ...(counts.byKind ?? []).map(({ count }) => count))
    return ctx.view.render('pages/home', {
      attention,
      isQuiet: !waiting && jobs.length === 0 && troubles.length === 0,
      total: counts.total,
      kinds: counts.byKind?.map((kind) => ({
        ...kind,
        width: Math.max(1, Math.round((kind.count / maxOfKind) * 100)),
      })),
      chart:
        days &&
        barChart(
          days.map(({ day: text, count, isCut }) => ({ label: day(text), value: count, isCut }))
        ),
      recent: recent.map((change) => ({ ...change, name: displayName(change.zoneName) })),
      server: await this.dashboard.server(actor),
    })
  }
}
