import type { HttpContext } from '@adonisjs/core/http'
import { openKey } from '#accounts/keys/access'
import type { KeyIdentity } from '#accounts/keys/identity'
import { toShownKey } from '#accounts/keys/list'
import { keyTag } from '#accounts/keys/tag'
import api from '#config/api'
import { endpointOf } from '#controllers/api/docs/endpoint'
import type { FormProblem } from '#web/forms/errors'
import { apiKeyItem } from '#transformers/accounts/api_key'
import { versionForRedisplay } from '#web/forms/version'
import { valuesOfKey, type KeyValues } from '#web/accounts/key_form'
import { keyView } from '#web/accounts/key_view'
import { formToken } from '#web/forms/form_token'
import { denialsOf } from '#web/accounts/denial'
import type { KeyZones } from '#zones/ownership/key_zones'

/** Data of a key page, in addition to the key. */
export interface KeyPage {
  problem?: FormProblem | null
  /** Submitted values; default: those of the key. */
  values?: KeyValues
  /** Zones found for the form; null without a search. */
  found?: string[] | null
  /** Version of the submitted form. */
  tag?: string
}

/** Returns a key, without zones and patterns that the actor may not view. */
export async function keyItemFor(ctx: HttpContext, zones: KeyZones, identity: KeyIdentity) {
  const { actor } = ctx
  const visible = await zones.visible(actor, identity.scope.zones ?? new Map<number, string>())
  const key = toShownKey(identity)
  const item = apiKeyItem(key, {
    zone: (id) => visible.has(id),
    pattern: (name) => zones.mayName(actor, name),
  })
  return { key, item, visible }
}

/** The page of a key, with its properties and actions. */
export async function keyPage(
  ctx: HttpContext,
  zones: KeyZones,
  id: number,
  { problem = null, values, found = null, tag }: KeyPage = {}
) {
  const identity = await openKey(ctx.actor, id, 'api_key.view')
  const { key, item, visible } = await keyItemFor(ctx, zones, identity)
  const { row, scope } = identity
  const facts = { id, userId: row.user_id, scope, isHostToken: row.purpose === 'dyndns' }
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/keys/show', {
    key: keyView(key, item),
    back: backOf(row.purpose),
    problem,
    values: values ?? valuesOfKey(item, ctx.preferences.timeZone),
    hiddenZones: (scope.zones?.size ?? 0) - visible.size,
    found,
    tag: versionForRedisplay(keyTag(identity), problem, tag),
    once: formToken(),
    denials: denialsOf(ctx.actor, {
      edit: { action: 'api_key.edit', key: facts },
      delete: { action: 'api_key.delete', key: facts },
    }),
    apiEnabled: api.enabled,
    endpoint: endpointOf(ctx),
    snippet: curlOf(endpointOf(ctx), 'YOUR_KEY'),
  })
}

/** The only page that shows a secret. It is the answer to the form, so that no URL leads to it. */
export async function secretPage(ctx: HttpContext, zones: KeyZones, id: number, secret: string) {
  const identity = await openKey(ctx.actor, id, 'api_key.view')
  const { key, item } = await keyItemFor(ctx, zones, identity)
  return ctx.view.render('pages/keys/secret', {
    key: keyView(key, item),
    secret,
    endpoint: endpointOf(ctx),
    snippet: curlOf(endpointOf(ctx), secret),
    apiEnabled: api.enabled,
  })
}

/** The list that contains the key. */
export function backOf(purpose: string | null): { href: string; label: string } {
  return purpose === 'dyndns'
    ? { href: '/dyndns/tokens', label: 'dyndns.tokens' }
    : { href: '/settings/api-keys', label: 'keys.title' }
}

/** A command that tests a key. */
export function curlOf(endpoint: string, secret: string): string {
  return `curl -H 'X-API-Key: ${secret}' '${endpoint}/api/v2/zones?per_page=5'`
}
