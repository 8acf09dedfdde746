import type { HttpContext } from '@adonisjs/core/http'
import env from '#start/env'

/** Where the application is found from outside, without slash at the end: as `APP_URL` says, else as it was asked. */
export function endpointOf({ request }: HttpContext): string {
  const found =
    URL.parse(env.get('APP_URL') ?? '') ?? URL.parse(`${request.protocol()}://${request.host()}`)
  return (found?.href ?? 'http://localhost').replace(/\/+$/, '')
}
