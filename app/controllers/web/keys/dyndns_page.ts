import type { HttpContext } from '@adonisjs/core/http'
import { openKey } from '#accounts/keys/access'
import { toShownKey } from '#accounts/keys/list'
import { endpointOf } from '#controllers/api/docs/endpoint'
import { recipesFor } from '#zones/dynamic_dns/router_guides'

/** The only page that shows the token of some hosts, with router settings. */
export async function tokenSecretPage(ctx: HttpContext, id: number, secret: string) {
  const key = toShownKey(await openKey(ctx.actor, id, 'api_key.view'))
  const hosts = (key.scope.patterns ?? []).map(({ name }) => name)
  const endpoint = endpointOf(ctx)
  return ctx.view.render('pages/dyndns/secret', {
    name: key.name,
    trouble: key.problem,
    hosts,
    secret,
    endpoint,
    recipes: recipesFor({ endpoint, hosts, secret }),
  })
}
