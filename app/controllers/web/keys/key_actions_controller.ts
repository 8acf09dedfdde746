import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { openKey } from '#accounts/keys/access'
import { changeKey, deleteKey, regenerateKey } from '#accounts/keys/api_keys'
import { checkKeyTag } from '#accounts/keys/tag'
import { commandOptions } from '#accounts/terms'
import { tokenSecretPage } from '#controllers/web/keys/dyndns_page'
import { formProblem } from '#controllers/web/accounts/account_form_errors'
import { backOf, keyPage, secretPage } from '#controllers/web/keys/key_page'
import { keyActionForm } from '#validators/web/keys'
import { onceOnly } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { KeyZones } from '#zones/ownership/key_zones'

/** Actions without a form: /settings/api-keys/{id}/enable and others. */
@inject()
export default class KeyActionsController {
  constructor(private readonly zones: KeyZones) {}

  enable(ctx: HttpContext) {
    return this.#switch(ctx, true)
  }

  disable(ctx: HttpContext) {
    return this.#switch(ctx, false)
  }

  /** Replaces the secret of the key, and shows it once. */
  async regenerate(ctx: HttpContext) {
    const id = addressId(ctx)
    const { row } = await openKey(ctx.actor, id, 'api_key.edit')
    const { sure, once, tag = '' } = await ctx.request.validateUsing(keyActionForm)
    if (sure === undefined) {
      return this.#refusedPage(ctx, id, 'keys.regenerate_unsure')
    }
    let renewed: { key: string } | null
    try {
      renewed = await onceOnly(ctx, once, (terms) =>
        regenerateKey(id, terms, (current) => checkKeyTag(current, tag))
      )
    } catch (error) {
      return this.#problem(ctx, id, error)
    }
    if (!renewed) {
      return goTo(ctx, `/settings/api-keys/${id}`, ctx.i18n.t('keys.made_already'), 'warning')
    }
    const { key } = renewed
    return row.purpose === 'dyndns'
      ? tokenSecretPage(ctx, id, key)
      : secretPage(ctx, this.zones, id, key)
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    const { row } = await openKey(ctx.actor, id, 'api_key.delete')
    const { sure, tag = '' } = await ctx.request.validateUsing(keyActionForm)
    if (sure === undefined) {
      return this.#refusedPage(ctx, id, 'keys.delete_unsure')
    }
    try {
      await deleteKey(id, commandOptions(ctx.actor), (current) => checkKeyTag(current, tag))
    } catch (error) {
      return this.#problem(ctx, id, error)
    }
    return goTo(ctx, backOf(row.purpose).href, ctx.i18n.t('keys.deleted', { name: row.name }))
  }

  async #switch(ctx: HttpContext, enabled: boolean) {
    const id = addressId(ctx)
    await openKey(ctx.actor, id, 'api_key.edit')
    const { tag = '' } = await ctx.request.validateUsing(keyActionForm)
    try {
      await changeKey(
        id,
        (current) => {
          checkKeyTag(current, tag)
          return { name: current.row.name, scope: current.scope, enabled }
        },
        commandOptions(ctx.actor)
      )
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('keys.moved'))
      return keyPage(ctx, this.zones, id, { problem })
    }
    return goTo(
      ctx,
      `/settings/api-keys/${id}`,
      ctx.i18n.t(enabled ? 'keys.enabled' : 'keys.disabled')
    )
  }

  #problem(ctx: HttpContext, id: number, error: unknown) {
    const problem = formProblem(ctx, error, ctx.i18n.t('keys.moved_first'))
    return keyPage(ctx, this.zones, id, { problem })
  }

  #refusedPage(ctx: HttpContext, id: number, message: string) {
    const problem = { status: 422, message: ctx.i18n.t(message) }
    return keyPage(ctx, this.zones, id, { problem })
  }
}
