import type { HttpContext } from '@adonisjs/core/http'
import type { Intent } from '#changes/model/intent'
import { applyAtFrom, checkTime } from '#changes/requests/create'
import { zonedTimestamp } from '#web/format/date_input'

/**
 * How a form wants its change filed (`@!reason`, `@!askButton`): what has to go through review is, and all of it where
 * somebody asks for review, or names the moment at which it is to be applied. Throws a 400 `Refusal` for a moment that is none, or past.
 */
export function reviewTerms({
  request,
  preferences,
}: HttpContext): Required<Pick<Intent, 'review' | 'applyAt'>> {
  const text = String(request.input('apply_at', '') ?? '').trim()
  const typed = zonedTimestamp('apply_at', text, preferences.timeZone)
  const applyAt = applyAtFrom(typed === '' ? undefined : typed)
  checkTime(applyAt)
  const isAsked = applyAt !== null || request.input('review') === 'ask'
  return { review: isAsked ? 'ask' : 'file', applyAt }
}
