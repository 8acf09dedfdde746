import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { findKeyOwner, openKey } from '#accounts/keys/access'
import { addKey, changeKey } from '#accounts/keys/api_keys'
import { KEY_LIST, listKeys } from '#accounts/keys/list'
import { checkKeyTag } from '#accounts/keys/tag'
import { commandOptions } from '#accounts/terms'
import api from '#config/api'
import { draftFrom, UNRESTRICTED, wantedZones } from '#controllers/api/keys/key_draft'
import { keyZonesOf } from '#controllers/api/keys/key_zones_of'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { keyItemFor, keyPage, secretPage } from '#controllers/web/keys/key_page'
import { apiKeyItem } from '#transformers/accounts/api_key'
import { keyForm } from '#validators/web/keys'
import { keyOwnerNamed, userNamed } from '#web/forms/choices'
import {
  bodyOfKey,
  DEFAULT_KEY_VALUES,
  valuesOfForm,
  valuesOfKey,
  type KeyValues,
} from '#web/accounts/key_form'
import { KEY_PRESETS, presetNamed, presetValues } from '#web/accounts/key_presets'
import { keyView } from '#web/accounts/key_view'
import { columnsOf, pagerOf, pageQuery } from '#web/page/list_page'
import { onceOnly, formToken } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { currentUser } from '#web/session/current_user'
import { KeyZones } from '#zones/ownership/key_zones'
import { ZoneList } from '#zones/list/zone_list'

/** Zones that the search of the form finds. */
const MAX_SUGGESTED_ZONES = 20

/** /settings/api-keys */
@inject()
export default class KeysController {
  constructor(
    private readonly zones: KeyZones,
    private readonly zoneList: ZoneList
  ) {}

  /** Own keys; for administrators also all, or those of a user. */
  async index(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    const { of: whose = '', user = '' } = ctx.request.qs() as { of?: string; user?: string }
    const seesAll = authorize(actor, { action: 'api_key.list', userId: null }).allowed
    const isAll = seesAll && whose === 'all' && user === ''
    const userId = seesAll && user !== '' ? await userNamed(user) : null
    const owner = isAll ? null : await findKeyOwner(actor, userId, 'api_key.list')
    const query = pageQuery(ctx, KEY_LIST)
    const { rows, total = 0 } = await listKeys(actor, owner?.id ?? null, query, null)
    const visible = await this.zones.visible(
      actor,
      new Map(rows.flatMap(({ scope }) => [...(scope.zones ?? [])]))
    )
    const keys = rows.map((key) => {
      const item = apiKeyItem(key, {
        zone: (id) => visible.has(id),
        pattern: (name) => this.zones.mayName(actor, name),
      })
      return keyView(key, item)
    })
    return ctx.view.render('pages/keys/index', {
      keys,
      q: query.q ?? '',
      user,
      seesAll,
      ...denialsOf(actor, { othersDenial: { action: 'api_key.list', userId: null } }),
      isAll,
      isOwn: owner?.id === actor.userId,
      owner: owner?.username ?? null,
      most: seesAll ? null : api.max_keys_per_user,
      sorted: columnsOf(ctx, ['name', 'owner', 'last_used_at', 'expires_at'], query),
      pager: pagerOf(ctx, query.page, total ?? 0, rows.length),
      apiEnabled: api.enabled,
    })
  }

  create(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    demand(actor, { action: 'api_key.create', userId: actor.userId })
    const { preset: asked, names = '' } = ctx.request.qs() as { preset?: string; names?: string }
    const preset = presetNamed(asked)
    const title = preset ? ctx.i18n.t(`keys.preset_${preset}`) : ''
    const values = preset ? presetValues(preset, names.slice(0, 10_000), title) : DEFAULT_KEY_VALUES
    return newPage(ctx, values, { preset, names })
  }

  async store(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    demand(actor, { action: 'api_key.create', userId: actor.userId })
    const form = await ctx.request.validateUsing(keyForm)
    const values = valuesOfForm(form)
    if (form.find !== undefined) {
      return newPage(ctx, values, await this.#findZones(ctx, values))
    }
    try {
      const created = await onceOnly(ctx, form.once, async (terms) => {
        const isOther = values.owner !== '' && values.owner !== actor.username
        const userId = isOther ? await keyOwnerNamed(actor, values.owner) : null
        const owner = await findKeyOwner(actor, userId, 'api_key.create')
        const body = await bodyOfKey(values, ctx.preferences.timeZone, (key, data) =>
          ctx.i18n.t(key, data)
        )
        const zones = await keyZonesOf(this.zones, actor, owner.id, wantedZones(body))
        const draft = draftFrom(body, { name: body.name, scope: UNRESTRICTED }, zones)
        return addKey(owner, draft, terms)
      })
      if (!created) {
        return goTo(ctx, '/settings/api-keys', ctx.i18n.t('keys.made_already'), 'warning')
      }
      return await secretPage(ctx, this.zones, created.id, created.key)
    } catch (error) {
      return newPage(ctx, values, { problem: formProblem(ctx, error) })
    }
  }

  edit(ctx: HttpContext) {
    return keyPage(ctx, this.zones, addressId(ctx))
  }

  async update(ctx: HttpContext) {
    const { actor } = ctx
    const id = addressId(ctx)
    const identity = await openKey(actor, id, 'api_key.edit')
    const form = await ctx.request.validateUsing(keyForm)
    const values = valuesOfForm(form)
    if (form.find !== undefined) {
      const suggestions = await this.#findZones(ctx, values)
      return keyPage(ctx, this.zones, id, { values, tag: form.tag, ...suggestions })
    }
    const { timeZone } = ctx.preferences
    const { row, scope } = identity
    const all = scope.zones ?? new Map<number, string>()
    try {
      checkKeyTag(identity, form.tag ?? '')
      const { item, visible } = await keyItemFor(ctx, this.zones, identity)
      const knownKey = { values: valuesOfKey(item, timeZone), zones: all, shownZoneIds: visible }
      const body = await bodyOfKey(values, timeZone, (key, data) => ctx.i18n.t(key, data), knownKey)
      const zones = await keyZonesOf(this.zones, actor, row.user_id, wantedZones(body), all)
      await changeKey(
        id,
        (current) => {
          checkKeyTag(current, form.tag ?? '')
          return draftFrom(body, { name: current.row.name, scope: current.scope }, zones)
        },
        commandOptions(actor)
      )
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('keys.moved'))
      return keyPage(ctx, this.zones, id, { problem, values, tag: form.tag })
    }
    return goTo(ctx, `/settings/api-keys/${id}`, ctx.i18n.t('keys.saved'))
  }

  /** Names of zones that the search of the form finds. */
  async #findZones(ctx: HttpContext, { zone_q: q }: KeyValues) {
    const zones = await this.zoneList.suggest(ctx.actor, q, MAX_SUGGESTED_ZONES)
    return { found: zones.map(({ name }) => name) }
  }
}

interface NewPage {
  problem?: FormProblem | null
  preset?: string | null
  names?: string
  found?: string[] | null
}

function newPage(ctx: HttpContext, values: KeyValues, more: NewPage = {}) {
  const { problem = null, preset = null, names = '', found = null } = more
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/keys/new', {
    values,
    problem,
    preset,
    names,
    found,
    presets: KEY_PRESETS,
    hiddenZones: 0,
    once: formToken(),
    ...denialsOf(ctx.actor, { othersDenial: { action: 'api_key.list', userId: null } }),
  })
}
