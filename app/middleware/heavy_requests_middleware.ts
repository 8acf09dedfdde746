import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import api from '#config/api'
import { RequestSlots } from '#middleware/request_slots'

/** How long a request waits for a slot, in milliseconds; a test shortens it. */
export const HEAVY_SLOTS = { waitMs: 20_000 }

const ZONE = '/zones/:id'
const TEMPLATE = '/zone-templates/:id'

/** Reads, by their routes below the API or the web interface, whose cost grows with the size of a zone. */
const READ_PATHS = [
  ...['/export', '/at', '/at/file', '/diff', '/restore', '/text', '/ptr'].map(
    (path) => ZONE + path
  ),
  ...['/history', '/history/:entry', '/history/:entry/undo'].map((path) => ZONE + path),
  ...['/zones', '/drift'].map((path) => TEMPLATE + path),
  '/server/consistency/:check',
]

/** Paths of writes and plans whose duration grows with the body or the zone. */
const WRITE_PATHS = [
  ...['/import', '/import/plan', '/import/apply', '/text', '/text/plan'].map((path) => ZONE + path),
  ...['/text/apply', '/text/check', '/ptr/plan', '/ptr/apply'].map((path) => ZONE + path),
  ...['/plan', '/apply', '/clone', '/restore', '/history/:entry/undo'].map((path) => ZONE + path),
  ...['/records/bulk', '/save-template', '/change-requests'].map((path) => ZONE + path),
  ...['/dnssec', '/dnssec/sign', '/dnssec/rectify'].map((path) => ZONE + path),
  ...['/approve', '/rebase'].map((path) => `/change-requests/:id${path}`),
  ...['/changes', '/zones/bulk', '/zones/bulk/apply', `${TEMPLATE}/sync`],
  ...['', '/plan', '/apply'].map((path) => `/zones/new/file${path}`),
  ...['/plan', '/apply'].map((path) => `/server/consistency/:check${path}`),
  '/trash/:id/restore',
]

/** Routes of expensive requests. */
export const HEAVY = { reads: new Set(READ_PATHS), writes: new Set(WRITE_PATHS) }

const slots = new RequestSlots({
  maxSlots: () => api.max_heavy_requests,
  waitMs: () => HEAVY_SLOTS.waitMs,
  tooMany: () =>
    `Too many large requests at once: at most ${api.max_heavy_requests} per user (setting api.max_heavy_requests); try again in a moment`,
})

/**
 * Limits how many expensive requests of one user run at once in this process (`api.max_heavy_requests`). More requests
 * of this user wait; after 20 seconds they get a 429. Other users are not affected.
 */
export default class HeavyRequestsMiddleware {
  async handle({ actor, request, response, route }: HttpContext, next: NextFn) {
    const pattern = (route?.pattern ?? '').replace(/^\/api\/v2/, '')
    const isRead = ['GET', 'HEAD'].includes(request.method())
    if ((isRead ? HEAVY.reads : HEAVY.writes).has(pattern)) {
      await slots.take(response.response, String(actor.userId ?? actor.username))
    }
    return next()
  }
}
