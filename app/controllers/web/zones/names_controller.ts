import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { SUGGESTION_KINDS, SuggestedNames } from '#web/forms/autocomplete'

/** /names: suggestions for a field as JSON. */
@inject()
export default class NamesController {
  constructor(private readonly names: SuggestedNames) {}

  async index({ request, response, actor }: HttpContext) {
    const { of = '', q = '' } = request.qs() as Record<string, string | undefined>
    const kind = SUGGESTION_KINDS.find((one) => one === of)
    response.header('Cache-Control', 'no-store')
    return { names: kind ? await this.names.like(actor, kind, q.slice(0, 300)) : [] }
  }
}
