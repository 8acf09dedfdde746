import type { HttpContext } from '@adonisjs/core/http'
import { NAMED, namesLike } from '#web/choices'

/** /names: users or groups whose names have what is being typed into a field, as JSON. */
export default class NamesController {
  async index({ request, response, actor }: HttpContext) {
    const { of = '', q = '' } = request.qs() as Record<string, string | undefined>
    const kind = NAMED.find((one) => one === of)
    response.header('Cache-Control', 'no-store')
    return { names: kind ? await namesLike(actor, kind, q.slice(0, 300)) : [] }
  }
}
