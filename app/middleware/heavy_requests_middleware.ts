import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import api from '#config/api'
import { Turns } from '#middleware/turns'

/** So long a request waits for its turn; a test shortens it. */
export const HEAVY_TURNS = { waitMs: 20_000 }

const ZONE = '/zones/:id'
const TEMPLATE = '/zone-templates/:id'

/** Reads, by their routes below the API or the web interface, whose cost grows with the size of a zone. */
const READS = [
  ...['/export', '/at', '/at/file', '/diff', '/restore', '/text', '/ptr'].map((at) => ZONE + at),
  ...['/history', '/history/:entry', '/history/:entry/undo'].map((at) => ZONE + at),
  ...['/zones', '/drift'].map((at) => TEMPLATE + at),
  '/server/consistency/:check',
]

/** Writes, and plans of writes, whose cost grows with what is sent or with the size of a zone. */
const WRITES = [
  ...['/import', '/import/plan', '/import/apply', '/text', '/text/plan'].map((at) => ZONE + at),
  ...['/text/apply', '/text/check', '/ptr/plan', '/ptr/apply'].map((at) => ZONE + at),
  ...['/plan', '/apply', '/clone', '/restore', '/history/:entry/undo'].map((at) => ZONE + at),
  ...['/records/bulk', '/save-template', '/change-requests'].map((at) => ZONE + at),
  ...['/dnssec', '/dnssec/sign', '/dnssec/rectify'].map((at) => ZONE + at),
  ...['/approve', '/rebase'].map((at) => `/change-requests/:id${at}`),
  ...['/changes', '/zones/bulk', '/zones/bulk/apply', `${TEMPLATE}/sync`],
  ...['', '/plan', '/apply'].map((at) => `/zones/new/file${at}`),
  ...['/plan', '/apply'].map((at) => `/server/consistency/:check${at}`),
  '/trash/:id/restore',
]

/** Routes whose requests may be heavy, by what they do. */
export const HEAVY = { reads: new Set(READS), writes: new Set(WRITES) }

const turns = new Turns({
  most: () => api.max_heavy_requests,
  waitMs: () => HEAVY_TURNS.waitMs,
  tooMany: () =>
    `You have as many large requests under way as you may (${api.max_heavy_requests}, setting api.max_heavy_requests): try again in a moment`,
})

/**
 * Lets each user have a bounded number of requests under way in this process that may cost much
 * (`api.max_heavy_requests`), so that nobody takes the time of all others. More of the same user wait for their turn; after
 * 20 seconds they get a 429.
 */
export default class HeavyRequestsMiddleware {
  async handle({ actor, request, response, route }: HttpContext, next: NextFn) {
    const pattern = (route?.pattern ?? '').replace(/^\/api\/v2/, '')
    const isRead = ['GET', 'HEAD'].includes(request.method())
    if ((isRead ? HEAVY.reads : HEAVY.writes).has(pattern)) {
      await turns.take(response.response, String(actor.userId ?? actor.username))
    }
    return next()
  }
}
