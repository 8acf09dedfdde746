import type { HttpContext } from '@adonisjs/core/http'
import type { Intent } from '#changes/model/intent'
import { parseApplyAt, checkApplyAt } from '#changes/requests/create'
import { zonedTimestamp } from '#web/format/date_input'

/**
 * Review options of a form (`@!reason`, `@!askButton`). A change is filed if it needs a review, if the user requests one, or
 * if it has a time of application. Throws a 400 `Refusal` for an invalid or past time.
 */
export function reviewTerms({
  request,
  preferences,
}: HttpContext): Required<Pick<Intent, 'review' | 'applyAt'>> {
  const text = String(request.input('apply_at', '') ?? '').trim()
  const typed = zonedTimestamp('apply_at', text, preferences.timeZone)
  const applyAt = parseApplyAt(typed === '' ? undefined : typed)
  checkApplyAt(applyAt)
  const isAsked = applyAt !== null || request.input('review') === 'ask'
  return { review: isAsked ? 'ask' : 'file', applyAt }
}
