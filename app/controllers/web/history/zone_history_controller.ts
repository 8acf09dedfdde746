import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { DateTime } from 'luxon'
import { requireView, canView, canViewMetadata } from '#access/demand'
import { HISTORY_ACTIONS } from '#changes/journal/filters'
import { CHANNELS, queryIn } from '#controllers/api/history/history_query'
import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'
import { recordTypes } from '#dns/records/registry'
import { historyEntry } from '#web/zones/history_view'
import { longPage, pageOf, pagerOf } from '#web/page/list_page'
import { zonedTimestamp } from '#web/format/date_input'
import { labelsOf, plainReason } from '#web/forms/api_error_text'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneHistory } from '#zones/history/history'

/** Maximum of entries of a page: each shows its changes. */
const MAX_ENTRIES = 50
/** Maximum RRsets and lines of an entry in the list, and maximum RRsets on the page of one entry. */
const LIST_LIMITS = { rrsets: 30, lines: 12, withText: false }
const ENTRY_LIMITS = { rrsets: 10_000, withText: true }

const FILTERS = ['user', 'name', 'type', 'action', 'channel', 'since', 'until'] as const

/** /zones/{id}/history */
@inject()
export default class ZoneHistoryController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly history: ZoneHistory
  ) {}

  async index(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    const filters = filtersOf(ctx)
    const page = longPage(pageOf(ctx, MAX_ENTRIES))
    const withChanges = canView(ctx.actor, openedZone.facts)
    const pageMembers = {
      ...this.#view(ctx, openedZone, withChanges),
      filters,
      fields: { since: timeField(filters.since), until: timeField(filters.until) },
      types: recordTypes().map(({ type }) => type),
    }
    try {
      const { query } = queryIn(inUtc(filters, ctx.preferences.timeZone), openedZone.zone.name)
      const window = { offset: page.offset, limit: page.size }
      const { entries, total, isMore, journal } = await this.history.list(
        openedZone,
        query,
        window,
        page.maxCount
      )
      const details = withChanges
        ? await journal.withFirstChanges(entries, LIST_LIMITS.rrsets)
        : entries.map((entry) => ({ ...entry, changes: [], total: 0 }))
      const terms = entryTerms(ctx, openedZone, LIST_LIMITS)
      const shownEntries = await Promise.all(details.map((entry) => historyEntry(entry, terms)))
      return ctx.view.render('pages/zones/history/index', {
        ...pageMembers,
        entries: shownEntries,
        pager: pagerOf(ctx, page, { total, isMore }, entries.length),
        problem: null,
      })
    } catch (error) {
      if (error instanceof InvalidDns || (error instanceof Refusal && error.status === 400)) {
        ctx.response.status(422)
        const problem = plainReason(error.message, labelsOf(ctx, 'history', FILTERS))
        const emptyList = { entries: [], pager: pagerOf(ctx, page, 0, 0), problem }
        return ctx.view.render('pages/zones/history/index', { ...pageMembers, ...emptyList })
      }
      throw error
    }
  }

  /** One entry with all changes. */
  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    requireView(ctx.actor, openedZone.facts)
    const number = Number(ctx.params.entry)
    const { journal } = await this.history.openHistory(openedZone.zone)
    const head = await journal.entryWithoutChanges(number)
    if (!head) {
      throw await this.history.missingEntry(journal, number)
    }
    const [entry] = await journal.withFirstChanges([head], ENTRY_LIMITS.rrsets)
    return ctx.view.render('pages/zones/history/entry', {
      ...this.#view(ctx, openedZone, true),
      one: await historyEntry(entry, entryTerms(ctx, openedZone, ENTRY_LIMITS)),
    })
  }

  #view(ctx: HttpContext, openedZone: OpenZone, withChanges: boolean) {
    return {
      zone: zoneHead(ctx.actor, openedZone, 'history'),
      withChanges,
      actions: HISTORY_ACTIONS,
      channels: CHANNELS,
    }
  }
}

function entryTerms(
  ctx: HttpContext,
  openedZone: OpenZone,
  { lines, withText }: { lines?: number; withText: boolean }
) {
  const withMetadata = canViewMetadata(ctx.actor, openedZone.facts)
  return { apex: openedZone.zone.name, lines, withText, withMetadata }
}

function filtersOf({ request }: HttpContext): Record<(typeof FILTERS)[number], string> {
  const parameters = request.qs() as Record<string, string | undefined>
  const entries = FILTERS.map((name) => [name, (parameters[name] ?? '').trim()])
  return Object.fromEntries(entries) as Record<(typeof FILTERS)[number], string>
}

/** A timestamp with the field for it: a browser's field would be empty for an invalid value. */
function timeField(text: string): { kind: 'datetime-local' | 'text'; value: string } {
  const value = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(value)
  const isTaken = value === '' || (isWhole && DateTime.fromISO(value).isValid)
  return isTaken ? { kind: 'datetime-local', value } : { kind: 'text', value: text }
}

/** Times are entered in the time zone of the user. */
function inUtc(filters: Record<string, string>, timeZone: string): Record<string, string> {
  const times = Object.fromEntries(
    ['since', 'until'].map((name) => [name, zonedTimestamp(name, filters[name], timeZone)])
  )
  return { ...filters, ...times }
}
