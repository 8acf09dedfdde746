import type { HttpContext } from '@adonisjs/core/http'
import type { Channel } from '#access/actor'
import { HISTORY_ACTIONS, type HistoryAction, type HistoryQuery } from '#changes/journal/filters'
import { ownerName } from '#dns/names'
import { invalid } from '#exceptions/refusal'
import { eitherPoint, entryNumber, moment, pointFrom } from '#zones/history/point'
import type { HistoryPoint } from '#zones/history/history'

export const CHANNELS: readonly Channel[] = ['api', 'web', 'dyndns', 'cli', 'job', 'external']

/**
 * Filters of a history list, and whether it includes the changes. Names are relative to the zone,
 * `@`, or absolute.
 */
export function historyQuery(
  ctx: HttpContext,
  apex: string
): { query: HistoryQuery; withChanges: boolean } {
  return queryIn(words(ctx), apex)
}

/** As `historyQuery`, for parameters from another source than the URL. */
export function queryIn(
  parameters: Record<string, string | undefined>,
  apex: string
): { query: HistoryQuery; withChanges: boolean } {
  const { name, type, user, channel, action, since, until, cursor, page, include } = parameters
  if (include && include !== 'changes') {
    throw invalid(`Query parameter 'include' must be changes, found ${quoteText(include)}`)
  }
  if (channel && !(CHANNELS as readonly string[]).includes(channel)) {
    throw invalid(
      `Query parameter 'channel' must be one of ${CHANNELS.join(', ')}, found ${quoteText(channel)}`
    )
  }
  if (cursor && page) {
    throw invalid("Send only one of the query parameters 'cursor' and 'page'")
  }
  const query = {
    ...(name ? { name: ownerName(name, apex) } : {}),
    ...(type ? { type: type.toUpperCase() } : {}),
    ...(user ? { username: user } : {}),
    ...(channel ? { channel } : {}),
    ...(action ? { action: actionOf(action) } : {}),
    ...(since ? { since: moment('since', since) } : {}),
    ...(until ? { until: moment('until', until) } : {}),
    ...(cursor ? { before: entryNumber('cursor', cursor) } : {}),
  }
  return { query, withChanges: include === 'changes' }
}

/** The point of `?entry=` or `?time=`. */
export function pointOf(ctx: HttpContext): HistoryPoint {
  const { entry, time } = words(ctx)
  return pointFrom(entry, time)
}

/** The point of a parameter that takes an entry or a time; undefined without it. */
export function pointIn(field: 'from' | 'to', ctx: HttpContext): HistoryPoint | undefined {
  const text = words(ctx)[field]
  return text ? eitherPoint(field, text) : undefined
}

function actionOf(text: string): HistoryAction {
  const action = HISTORY_ACTIONS.find((one) => one === text)
  if (!action) {
    const allowed = HISTORY_ACTIONS.join(', ')
    throw invalid(`Query parameter 'action' must be one of ${allowed}, found ${quoteText(text)}`)
  }
  return action
}

function words({ request }: HttpContext): Record<string, string | undefined> {
  return request.qs() as Record<string, string | undefined>
}

function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
