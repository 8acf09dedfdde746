import type { HttpContext } from '@adonisjs/core/http'
import { entityTags } from '#controllers/support/entity_tags'

/**
 * Sets the entity tag of the answer. Returns true if the client has this state: the answer is a 304
 * without a body (RFC 9110, 13.1.2).
 */
export function isFresh({ request, response }: HttpContext, tag: string): boolean {
  response.header('ETag', tag)
  const isRead = request.method() === 'GET' || request.method() === 'HEAD'
  const header = request.header('if-none-match')?.trim() ?? ''
  const headerTags = entityTags(header) ?? []
  const isKnown = header === '*' || headerTags.some((item) => item.replace(/^W\//, '') === tag)
  if (!isRead || !isKnown) {
    return false
  }
  response.status(304)
  return true
}
