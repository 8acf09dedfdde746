import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { findKeyOwner, openKey } from '#accounts/keys/access'
import { deleteKey } from '#accounts/keys/api_keys'
import { KEY_LIST, keyBatches, listKeys, toShownKey, type ShownKey } from '#accounts/keys/list'
import { parseExpiry } from '#accounts/keys/options'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { createHostToken } from '#controllers/api/keys/host_token_input'
import { answerList } from '#controllers/support/declared_list'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { rowIdFilter } from '#controllers/support/row_id_filter'
import { endpointOf } from '#controllers/api/docs/endpoint'
import { notFound } from '#exceptions/refusal'
import { hostTokenItem } from '#transformers/dynamic_dns'
import { success } from '#transformers/envelope'
import { hostTokenValidator, tokenMembers } from '#validators/dynamic_dns'
import { writeValidator } from '#validators/fields'
import { recipesFor } from '#zones/dynamic_dns/router_guides'
import { HostsOfTokens } from '#zones/dynamic_dns/token_hosts'
import { KeyZones } from '#zones/ownership/key_zones'

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
    const owner = all ? null : await findKeyOwner(actor, userId, 'api_key.list', true)
    const ownerId = owner?.id ?? null
    const item = (token: ShownKey) => this.#item(ctx, token)
    return answerList(
      ctx,
      KEY_LIST,
      {
        page: (query) => listKeys(actor, ownerId, query, 'dyndns'),
        batches: (query) => keyBatches(actor, ownerId, query, 'dyndns'),
      },
      { member: 'tokens', item, message: 'Tokens retrieved successfully' }
    )
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    ctx.repeatable = false
    const body = await validBody(ctx, hostTokenValidator, tokenMembers)
    const input = {
      names: [...(body.hostnames ?? []), ...(body.hostname ? [body.hostname] : [])],
      userId: body.user_id ?? null,
      withTxt: body.txt ?? false,
      name: body.name,
      networks: body.networks ?? [],
      expiresAt: parseExpiry(body.expires_at ?? undefined),
    }
    const outcome = await accountWrite(ctx, body, (terms) =>
      createHostToken(this.hostsOfTokens, input, terms)
    )
    return answerOutcome(ctx, outcome, async ({ id, key, hosts }) => {
      ctx.response.status(201)
      return success(
        {
          token: this.#item(ctx, toShownKey(await openKey(actor, id, 'api_key.view'))),
          secret: key,
          recipes: recipesFor({ endpoint: endpointOf(ctx), hosts, secret: key }),
        },
        'Token created successfully. It is shown only once.'
      )
    })
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    const { row } = await openKey(ctx.actor, id, 'api_key.delete')
    if (row.purpose !== 'dyndns') {
      throw notFound('API key not found')
    }
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => deleteKey(id, terms))
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }

  #item({ actor }: HttpContext, token: ShownKey) {
    return hostTokenItem(token, (name) => this.zones.mayName(actor, name))
  }
}
