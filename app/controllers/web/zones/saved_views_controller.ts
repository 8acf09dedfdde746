import type { HttpContext } from '@adonisjs/core/http'
import { deleteView, saveView } from '#accounts/preferences/saved_views'
import { Refusal } from '#exceptions/refusal'
import { savedViewForm } from '#validators/web/zones'
import { goTo } from '#web/page/page'
import { currentUser } from '#web/session/current_user'

/** Parameters that a view stores. */
const QUERY_PARTS = ['q', 'tree', 'sort', 'columns']

/** /zones/views */
export default class SavedViewsController {
  async store(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    const form = await ctx.request.validateUsing(savedViewForm)
    const query = stateIn(form.query ?? '')
    try {
      await saveView(actor.userId, form.name ?? '', query)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return goTo(ctx, listOf(query), error.message, 'error')
    }
    return goTo(ctx, listOf(query), ctx.i18n.t('zones.view_saved', { name: form.name ?? '' }))
  }

  async destroy(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    await deleteView(actor.userId, Number(ctx.params.id))
    return goTo(ctx, '/zones', ctx.i18n.t('zones.view_forgotten'))
  }
}

/** The text becomes part of a link: only parameters of lists are stored. */
function stateIn(text: string): string {
  const parameters = new URLSearchParams(text)
  const state = new URLSearchParams()
  for (const part of QUERY_PARTS) {
    const value = parameters.get(part)
    if (value) state.set(part, value)
  }
  return state.toString()
}

function listOf(query: string): string {
  return query === '' ? '/zones' : `/zones?${query}`
}
