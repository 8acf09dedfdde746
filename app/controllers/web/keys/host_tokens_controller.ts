import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { findKeyOwner, openKey } from '#accounts/keys/access'
import { deleteKey } from '#accounts/keys/api_keys'
import { KEY_LIST, listKeys } from '#accounts/keys/list'
import { parseExpiry } from '#accounts/keys/options'
import { checkKeyTag, keyTag } from '#accounts/keys/tag'
import { commandOptions } from '#accounts/terms'
import dyndns from '#config/dyndns'
import { createHostToken } from '#controllers/api/keys/host_token_input'
import { tokenSecretPage } from '#controllers/web/keys/dyndns_page'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { keyPage } from '#controllers/web/keys/key_page'
import { notFound } from '#exceptions/refusal'
import { hostTokenItem } from '#transformers/dynamic_dns'
import { hostTokenForm, keyActionForm } from '#validators/web/keys'
import { keyOwnerNamed } from '#web/forms/choices'
import { networksIn, wordsOf } from '#web/accounts/key_form'
import { columnsOf, LARGE_PAGE_ROWS, pagerOf, pageQuery } from '#web/page/list_page'
import { zonedTimestamp } from '#web/format/date_input'
import { onceOnly, formToken } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { currentUser } from '#web/session/current_user'
import { HostsOfTokens } from '#zones/dynamic_dns/token_hosts'
import { KeyZones } from '#zones/ownership/key_zones'

type Values = Partial<Record<'hostnames' | 'txt' | 'name' | 'owner' | 'networks', string>> & {
  expires_at?: string
}

/** /dyndns/tokens: host tokens. */
@inject()
export default class HostTokensController {
  constructor(
    private readonly hosts: HostsOfTokens,
    private readonly zones: KeyZones
  ) {}

  async index(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    const isAll = seesAll(ctx)
    const owner = isAll ? null : await findKeyOwner(actor, null, 'api_key.list', true)
    const query = pageQuery(ctx, KEY_LIST, LARGE_PAGE_ROWS)
    const { rows, total } = await listKeys(actor, owner?.id ?? null, query, 'dyndns')
    return ctx.view.render('pages/dyndns/tokens', {
      tokens: rows.map((row) => ({
        ...hostTokenItem(row, (name) => this.zones.mayName(actor, name)),
        trouble: row.problem,
        tag: keyTag({ row, scope: row.scope }),
      })),
      isAll,
      q: query.q ?? '',
      most: isAll ? null : dyndns.max_tokens_per_user,
      sorted: columnsOf(ctx, ['name', 'owner', 'last_used_at', 'expires_at'], query),
      maxRows: LARGE_PAGE_ROWS,
      pager: pagerOf(ctx, query.page, total ?? 0, rows.length),
    })
  }

  create(ctx: HttpContext) {
    const { hostname } = ctx.request.qs() as { hostname?: string }
    return newPage(ctx, { hostnames: hostname?.slice(0, 1000) })
  }

  async store(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    const form = await ctx.request.validateUsing(hostTokenForm)
    try {
      const created = await onceOnly(ctx, form.once, async (terms) => {
        const owner = form.owner?.trim() ?? ''
        const isOther = owner !== '' && owner !== actor.username
        const expiry = form.expires_at?.trim()
        const input = {
          names: wordsOf(form.hostnames),
          userId: isOther ? await keyOwnerNamed(actor, owner, true) : null,
          withTxt: form.txt !== undefined,
          name: form.name?.trim() || undefined,
          networks: networksIn(form.networks, (key, data) => ctx.i18n.t(key, data)),
          expiresAt: expiry
            ? parseExpiry(zonedTimestamp('expires_at', expiry, ctx.preferences.timeZone))
            : null,
        }
        return createHostToken(this.hosts, input, terms)
      })
      if (!created) {
        return goTo(ctx, '/dyndns/tokens', ctx.i18n.t('keys.made_already'), 'warning')
      }
      return await tokenSecretPage(ctx, created.id, created.key)
    } catch (error) {
      return newPage(ctx, form, formProblem(ctx, error))
    }
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    const { row } = await openKey(ctx.actor, id, 'api_key.delete')
    if (row.purpose !== 'dyndns') {
      throw notFound('API key not found')
    }
    const { sure, tag = '' } = await ctx.request.validateUsing(keyActionForm)
    if (sure === undefined) {
      return goTo(ctx, `/settings/api-keys/${id}`)
    }
    try {
      await deleteKey(id, commandOptions(ctx.actor), (current) => checkKeyTag(current, tag))
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('keys.moved_first'))
      return keyPage(ctx, this.zones, id, { problem })
    }
    return goTo(ctx, '/dyndns/tokens', ctx.i18n.t('dyndns.deleted', { name: row.name }))
  }
}

const ALL_TOKENS = { action: 'api_key.list', userId: null, isHostToken: true } as const

function seesAll({ actor }: HttpContext): boolean {
  return authorize(actor, ALL_TOKENS).allowed
}

function newPage(ctx: HttpContext, values: Values, problem: FormProblem | null = null) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/dyndns/new_token', {
    values,
    problem,
    once: formToken(),
    ...denialsOf(ctx.actor, { othersDenial: ALL_TOKENS, denial: { action: 'dyndns.use' } }),
  })
}
