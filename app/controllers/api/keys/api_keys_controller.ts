import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { addKey, changeKey, deleteKey, regenerateKey } from '#accounts/keys/api_keys'
import type { KeyDraft } from '#accounts/keys/change'
import { findKeyOwner, openKey } from '#accounts/keys/access'
import { KEY_LIST, keyBatches, listKeys, toShownKey, type ShownKey } from '#accounts/keys/list'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { draftFrom, UNRESTRICTED, wantedZones } from '#controllers/api/keys/key_draft'
import { keyZonesOf } from '#controllers/api/keys/key_zones_of'
import { answerList } from '#controllers/support/declared_list'
import { rowIdFilter } from '#controllers/support/row_id_filter'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { apiKeyItem } from '#transformers/accounts/api_key'
import { success } from '#transformers/envelope'
import {
  createApiKeyValidator,
  keyMembers,
  updateApiKeyValidator,
} from '#validators/accounts/api_key'
import { writeValidator } from '#validators/fields'
import { KeyZones } from '#zones/ownership/key_zones'

/** /api/v2/api-keys */
@inject()
export default class ApiKeysController {
  constructor(private readonly zones: KeyZones) {}

  async index(ctx: HttpContext) {
    const { actor } = ctx
    const userId = rowIdFilter(ctx, 'user_id')
    const all = userId === null && this.#seesAll(actor)
    const owner = all ? null : await findKeyOwner(actor, userId, 'api_key.list')
    const ownerId = owner?.id ?? null
    return answerList(
      ctx,
      KEY_LIST,
      {
        page: async (query) => {
          const page = await listKeys(actor, ownerId, query)
          return { ...page, rows: await this.#items(actor, page.rows) }
        },
        batches: (query) => this.#batches(actor, keyBatches(actor, ownerId, query)),
      },
      { member: 'api_keys', item: (item) => item, message: 'API keys retrieved successfully' }
    )
  }

  async show({ actor, params }: HttpContext) {
    const identity = await openKey(actor, Number(params.id), 'api_key.view')
    const [item] = await this.#items(actor, [toShownKey(identity)])
    return success({ api_key: item }, 'API key retrieved successfully')
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    ctx.repeatable = false
    demand(actor, { action: 'api_key.create', userId: actor.userId ?? 0 })
    const body = await validBody(ctx, createApiKeyValidator, keyMembers)
    const owner = await findKeyOwner(actor, body.user_id ?? null, 'api_key.create')
    const zones = await keyZonesOf(this.zones, actor, owner.id, wantedZones(body))
    const draft = draftFrom(body, { name: body.name, scope: UNRESTRICTED }, zones)
    const outcome = await accountWrite(ctx, body, (terms) => addKey(owner, draft, terms))
    return answerOutcome(ctx, outcome, async ({ id, key }) => {
      ctx.response.status(201)
      return success(
        { api_key: await this.#item(actor, id), key },
        'API key created successfully. The key is shown only once.'
      )
    })
  }

  async update(ctx: HttpContext) {
    const { actor } = ctx
    const id = Number(ctx.params.id)
    const { row, scope } = await openKey(actor, id, 'api_key.edit')
    const body = await validBody(ctx, updateApiKeyValidator, keyMembers)
    const currentZones = scope.zones ?? new Map<number, string>()
    const zones = await keyZonesOf(this.zones, actor, row.user_id, wantedZones(body), currentZones)
    const draft = (current: { row: { name: string }; scope: typeof scope }): KeyDraft =>
      draftFrom(body, { name: current.row.name, scope: current.scope }, zones)
    const outcome = await accountWrite(ctx, body, (terms) => changeKey(id, draft, terms))
    return answerOutcome(ctx, outcome, async () =>
      success({ api_key: await this.#item(actor, id) }, 'API key updated successfully')
    )
  }

  async destroy(ctx: HttpContext) {
    await openKey(ctx.actor, Number(ctx.params.id), 'api_key.delete')
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) =>
      deleteKey(Number(ctx.params.id), terms)
    )
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }

  async regenerate(ctx: HttpContext) {
    const id = Number(ctx.params.id)
    ctx.repeatable = false
    await openKey(ctx.actor, id, 'api_key.edit')
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => regenerateKey(id, terms))
    return answerOutcome(ctx, outcome, async ({ key }) =>
      success(
        { api_key: await this.#item(ctx.actor, id), key },
        'API key regenerated successfully. The key is shown only once.'
      )
    )
  }

  async enable(ctx: HttpContext) {
    return this.#switch(ctx, true)
  }

  async disable(ctx: HttpContext) {
    return this.#switch(ctx, false)
  }

  async #switch(ctx: HttpContext, enabled: boolean) {
    const id = Number(ctx.params.id)
    await openKey(ctx.actor, id, 'api_key.edit')
    const body = await optionalBody(ctx, writeValidator)
    const draft = ({ row: { name }, scope }: Awaited<ReturnType<typeof openKey>>): KeyDraft => ({
      name,
      scope,
      enabled,
    })
    const outcome = await accountWrite(ctx, body, (terms) => changeKey(id, draft, terms))
    return answerOutcome(ctx, outcome, async () =>
      success(
        { api_key: await this.#item(ctx.actor, id) },
        `API key ${enabled ? 'enabled' : 'disabled'} successfully`
      )
    )
  }

  #seesAll(actor: Actor): boolean {
    return authorize(actor, { action: 'api_key.list', userId: null }).allowed
  }

  /** The key after a change; an actor who may change it may view it. */
  async #item(actor: Actor, id: number) {
    const identity = await openKey(actor, id, 'api_key.view')
    const [item] = await this.#items(actor, [toShownKey(identity)])
    return item
  }

  async *#batches(actor: Actor, batches: AsyncGenerator<ShownKey[], void>) {
    for await (const keys of batches) {
      yield await this.#items(actor, keys)
    }
  }

  async #items(actor: Actor, keys: ShownKey[]) {
    const zones = new Map(keys.flatMap(({ scope }) => [...(scope.zones ?? [])]))
    const visible = await this.zones.visible(actor, zones)
    return keys.map((key) =>
      apiKeyItem(key, {
        zone: (id) => visible.has(id),
        pattern: (name) => key.id === actor.key?.id || this.zones.mayName(actor, name),
      })
    )
  }
}
