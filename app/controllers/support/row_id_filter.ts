import type { HttpContext } from '@adonisjs/core/http'
import { invalid } from '#exceptions/refusal'

/**
 * The row id of a query parameter; null if it is absent or empty. Throws 400 if it is no whole
 * number.
 */
export function rowIdFilter({ request }: HttpContext, name: string): number | null {
  const text = request.qs()[name] as string | undefined
  if (text === undefined || text === '') {
    return null
  }
  if (!/^\d{1,15}$/.test(text)) {
    throw invalid(
      `Query parameter '${name}' must be a whole number, found ${JSON.stringify(text.slice(0, 100))}`
    )
  }
  return Number(text)
}
