import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { endpointOf } from '#controllers/api/docs/endpoint'
import { absoluteName } from '#dns/names'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { recipesFor } from '#zones/dynamic_dns/router_guides'

/** /api/v2/dynamic-dns/recipes */
export default class DyndnsRecipesController {
  /** Router settings for a host, with a placeholder for the token. */
  handle(ctx: HttpContext) {
    demand(ctx.actor, { action: 'dyndns.use' })
    const text = ctx.request.qs().hostname as string | undefined
    if (!text) {
      throw invalid("Query parameter 'hostname' is required: the host to configure")
    }
    const hosts = text.split(',').map((name) => absoluteName(name.trim()))
    const recipes = recipesFor({ endpoint: endpointOf(ctx), hosts, secret: 'TOKEN' })
    return success({ recipes }, 'Router guides retrieved successfully')
  }
}
