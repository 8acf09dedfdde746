import type { HttpContext } from '@adonisjs/core/http'
import { entityTags } from '#controllers/support/entity_tags'

/**
 * Puts the object's entity tag on the answer. True when a reader has this very state already: then the
 * answer is a 304 and needs no body (RFC 9110, 13.1.2).
 */
export function isFresh({ request, response }: HttpContext, tag: string): boolean {
  response.header('ETag', tag)
  const isRead = request.method() === 'GET' || request.method() === 'HEAD'
  const header = request.header('if-none-match')?.trim() ?? ''
  const known = entityTags(header) ?? []
  const isKnown = header === '*' || known.some((item) => item.replace(/^W\//, '') === tag)
  if (!isRead || !isKnown) {
    return false
  }
  response.status(304)
  return true
}
