import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { requireView, canViewMetadata } from '#access/demand'
import { joinYielding } from '#database/event_loop'
import { writeZoneFile } from '#dns/zonefile/index'
import { invalid, Refusal } from '#exceptions/refusal'
import { pageOf, pagerOf } from '#web/page/list_page'
import { typedPoint } from '#web/format/date_input'
import { shownDiffs } from '#web/plans/plan_view'
import { propertyLines } from '#web/plans/planned'
import { pastRecords } from '#web/zones/zone_version_view'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneHistory, type HistoryPoint, type ZoneAt } from '#zones/history/history'

/** Maximum of characters on the page; the download is complete. */
const MAX_CHARACTERS = 200_000

/** /zones/{id}/at, /zones/{id}/diff: a former state of the zone, and changes between two states. */
@inject()
export default class ZonePastController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly history: ZoneHistory
  ) {}

  async at(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const { point = '', view } = words(ctx)
    const pageMembers = { point, isFile: view === 'file', ...this.#view(ctx, openedZone) }
    try {
      const zoneAt = await this.history.stateAt(openedZone, pointOf(ctx, 'point'))
      const pages = pageMembers.isFile ? await fileView(zoneAt) : rowsView(ctx, zoneAt)
      return ctx.view.render('pages/zones/history/at', {
        ...pageMembers,
        then: zoneAt,
        problem: null,
        ...pages,
      })
    } catch (error) {
      const problem = problemIn(ctx, error)
      return ctx.view.render('pages/zones/history/at', { ...pageMembers, then: null, problem })
    }
  }

  /** The former state as a download. */
  async file(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const { zone, rrsets, comments, entry } = await this.history.stateAt(
      openedZone,
      pointOf(ctx, 'point')
    )
    const name = `${zone.name}-${entry}`.replaceAll(/[^A-Za-z0-9._-]/g, '_')
    ctx.response.header('Content-Type', 'text/dns; charset=utf-8')
    ctx.response.header('Content-Disposition', `attachment; filename="${name}.zone"`)
    return joinYielding(writeZoneFile({ apex: zone.name, rrsets, comments }))
  }

  async diff(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const { from = '', to = '' } = words(ctx)
    const pageMembers = { from, to, ...this.#view(ctx, openedZone) }
    try {
      const endPoint: HistoryPoint = to.trim() === '' ? 'now' : pointOf(ctx, 'to')
      const diff = await this.history.diff(openedZone, pointOf(ctx, 'from'), endPoint)
      const { before, after } = diff.properties
      const withMetadata = canViewMetadata(ctx.actor, openedZone.facts)
      return ctx.view.render('pages/zones/history/diff', {
        ...pageMembers,
        problem: null,
        diff: {
          from: diff.from,
          to: diff.to,
          rrsets: diff.changes.length,
          ...(await shownDiffs(openedZone.zone.name, diff.changes)),
          properties: propertyLines(before, after, withMetadata),
        },
      })
    } catch (error) {
      const problem = problemIn(ctx, error)
      return ctx.view.render('pages/zones/history/diff', { ...pageMembers, diff: null, problem })
    }
  }

  /** The history shows all former records: it requires the right to view the content. */
  async #open(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    requireView(ctx.actor, openedZone.facts)
    return openedZone
  }

  #view(ctx: HttpContext, openedZone: OpenZone) {
    return { zone: zoneHead(ctx.actor, openedZone, 'history') }
  }
}

function rowsView(ctx: HttpContext, zoneAt: ZoneAt) {
  const records = pastRecords(zoneAt)
  const page = pageOf(ctx)
  const rows = records.slice(page.offset, page.offset + page.size)
  return { rows: rows.map((one) => one()), pager: pagerOf(ctx, page, records.length, rows.length) }
}

async function fileView({ zone, rrsets, comments }: ZoneAt) {
  const text = await joinYielding(writeZoneFile({ apex: zone.name, rrsets, comments }))
  return { text: text.slice(0, MAX_CHARACTERS), isCut: text.length > MAX_CHARACTERS }
}

function pointOf(ctx: HttpContext, field: string): HistoryPoint {
  const text = words(ctx)[field]?.trim() ?? ''
  if (text === '') {
    throw invalid('Enter a version: the number of a change, or a time such as 2026-11-20 12:00')
  }
  return typedPoint(field, text, ctx.preferences.timeZone)
}

/** The message for an error that the page shows; rethrows others. */
function problemIn(ctx: HttpContext, error: unknown): string {
  if (error instanceof Refusal && [400, 404, 409].includes(error.status)) {
    ctx.response.status(error.status === 400 ? 422 : error.status)
    return error.message
  }
  throw error
}

function words({ request }: HttpContext): Record<string, string | undefined> {
  return request.qs() as Record<string, string | undefined>
}
