import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { actorOfUser } from '#accounts/authenticate'
import { keyOwner, openKey } from '#accounts/keys/access'
import { addKey, deleteKey } from '#accounts/keys/api_keys'
import { hostTokenScope } from '#accounts/keys/host_tokens'
import { KEY_LIST, listKeys, shownKey, type ShownKey } from '#accounts/keys/list'
import { expiryFrom } from '#accounts/keys/options'
import { accountTerms, addressId } from '#controllers/api/account_terms'
import { listQueryOf, pagedList } from '#controllers/api/paging'
import { optionalBody, validBody } from '#controllers/api/request_body'
import { rowIdFilter } from '#controllers/api/row_id_filter'
import { endpointOf } from '#controllers/api/endpoint'
import { cidr } from '#dns/networks'
import { notFound } from '#exceptions/refusal'
import { hostTokenItem } from '#transformers/dynamic_dns'
import { success } from '#transformers/envelope'
import { hostTokenValidator } from '#validators/dynamic_dns'
import { writeValidator } from '#validators/write'
import { recipesFor } from '#zones/dynamic_dns/recipes'
import { HostsOfTokens } from '#zones/dynamic_dns/token_hosts'
import { KeyZones } from '#zones/key_zones'

/** /api/v2/dynamic-dns/tokens */
@inject()
export default class HostTokensController {
  constructor(
    private readonly hostsOfTokens: HostsOfTokens,
    private readonly zones: KeyZones
  ) {}

  async index(ctx: HttpContext) {
    const { actor } = ctx
    const userId = rowIdFilter(ctx, 'user_id')
    const everybodys = { action: 'api_key.list' as const, userId: null, isHostToken: true }
    const all = userId === null && authorize(actor, everybodys).allowed
    const owner = all ? null : await keyOwner(actor, userId, 'api_key.list', true)
    const query = listQueryOf(ctx, KEY_LIST)
    const listed = await listKeys(actor, owner?.id ?? null, query, 'dyndns')
    return success(
      { tokens: listed.rows.map((token) => this.#item(ctx, token)) },
      'Tokens retrieved successfully',
      pagedList(KEY_LIST, query, listed)
    )
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    ctx.repeatable = false
    const body = await validBody(ctx, hostTokenValidator)
    const names = [...(body.hostnames ?? []), ...(body.hostname ? [body.hostname] : [])]
    const { hosts, zones } = await this.hostsOfTokens.resolve([actor], names)
    const owner = await keyOwner(actor, body.user_id ?? null, 'api_key.create', true)
    const user = await actorOfUser(owner.id, actor.door)
    if (!user) {
      throw notFound('User not found')
    }
    await this.hostsOfTokens.resolve([user.actor], names)
    const networks = (body.networks ?? []).map((text, index) => cidr(text, `networks.${index}`))
    const scope = hostTokenScope({
      hosts,
      withTxt: body.txt ?? false,
      // A key for some zones makes no token for more.
      zones: actor.key?.zones ? zones : null,
      networks: networks.length > 0 ? networks : (actor.key?.networks?.slice() ?? null),
      expiresAt: expiryFrom(body.expires_at ?? undefined),
    })
    const name = body.name ?? hosts.join(', ').slice(0, 200)
    const { id, key } = await addKey(owner, { name, scope }, accountTerms(ctx, body), 'dyndns')
    ctx.response.status(201)
    return success(
      {
        token: this.#item(ctx, shownKey(await openKey(actor, id, 'api_key.view'))),
        secret: key,
        recipes: recipesFor({ endpoint: endpointOf(ctx), hosts, secret: key }),
      },
      'Token created successfully. It is shown this once only.'
    )
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    const { row } = await openKey(ctx.actor, id, 'api_key.delete')
    if (row.purpose !== 'dyndns') {
      throw notFound('API key not found')
    }
    const body = await optionalBody(ctx, writeValidator)
    await deleteKey(id, accountTerms(ctx, body))
    ctx.response.status(204)
  }

  #item({ actor }: HttpContext, token: ShownKey) {
    return hostTokenItem(token, (name) => this.zones.mayName(actor, name))
  }
}
