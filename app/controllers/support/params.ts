import type { HttpContext } from '@adonisjs/core/http'
import { LARGEST_ID } from '#database/rows/row_ids'

/** The zone id of the path. The route accepts digits only. */
export function zoneId({ params }: HttpContext): number {
  return Number(params.id)
}

/** An id of the path, digits only. 0, which no row has, for a number that is too long for an id. */
export function addressId({ params }: HttpContext, name = 'id'): number {
  const id = Number(params[name])
  return id <= LARGEST_ID ? id : 0
}
