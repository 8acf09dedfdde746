import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { Refusal } from '#exceptions/refusal'
import { autoprimaryForm } from '#validators/web/name_server'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { unaskedReason } from '#web/forms/errors'
import {
  columnsOf,
  LARGE_PAGE_ROWS,
  type PagedQuery,
  pageQuery,
  pagerOf,
} from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { storedNow, type StoredState } from '#web/forms/edit_conflict'
import { AUTOPRIMARY_LIST, Autoprimaries, autoprimaryTag } from '#zones/autoprimaries'

type Form = Infer<typeof autoprimaryForm>

type AutoprimaryPage = PagedQuery<keyof typeof AUTOPRIMARY_LIST.sort, never>

const PATH = '/server/autoprimaries'
const LABELS = { account: 'server.autoprimaries_account' }

/** /server/autoprimaries */
@inject()
export default class AutoprimariesController {
  constructor(private readonly autoprimaries: Autoprimaries) {}

  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.view_autoprimaries' })
    return this.#page(ctx)
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.add_autoprimaries' })
    const form = await ctx.request.validateUsing(autoprimaryForm)
    try {
      await this.autoprimaries.add(intentOf(ctx.actor), inputOf(form))
    } catch (error) {
      const problem = formProblem(ctx, error)
      return authorize(ctx.actor, { action: 'server.view_autoprimaries' }).allowed
        ? this.#page(ctx, form, problem)
        : this.#form(ctx, form, problem, { action: PATH })
    }
    return back(ctx, 'server.autoprimaries_added')
  }

  async edit(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.edit_autoprimaries' })
    const { ip = '', nameserver = '' } = ctx.request.qs() as Record<string, string | undefined>
    try {
      const { account } = await this.autoprimaries.find(ctx.actor, { ip, nameserver })
      const identityFields = {
        known_ip: ip,
        known_nameserver: nameserver,
        tag: autoprimaryTag({ account }),
      }
      return await this.#form(ctx, { ip, nameserver, account, ...identityFields })
    } catch (error) {
      return this.#page(ctx, {}, formProblem(ctx, error))
    }
  }

  async update(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.edit_autoprimaries' })
    const form = await ctx.request.validateUsing(autoprimaryForm)
    const { key, seen } = knownIn(form)
    try {
      await this.autoprimaries.change(intentOf(ctx.actor), key, inputOf(form), seen)
    } catch (error) {
      return this.#refusedPage(ctx, form, error)
    }
    return back(ctx, 'server.autoprimaries_changed')
  }

  async destroy(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.edit_autoprimaries' })
    const form = await ctx.request.validateUsing(autoprimaryForm)
    const { key, seen } = knownIn(form)
    try {
      const stored = await this.autoprimaries.find(ctx.actor, key)
      if (form.sure === undefined) {
        const unsure = { status: 422, message: ctx.i18n.t('server.autoprimaries_unsure') }
        return await this.#form(ctx, { ...form, ...key, account: stored.account }, unsure)
      }
      await this.autoprimaries.remove(intentOf(ctx.actor), key, seen)
    } catch (error) {
      return this.#refusedPage(ctx, { ...form, ...key, account: undefined }, error)
    }
    return back(ctx, 'server.autoprimaries_removed')
  }

  /** The form with its errors, and the stored values after an edit conflict. */
  async #refusedPage(ctx: HttpContext, form: Form, error: unknown) {
    if (!(error instanceof Refusal) || error.status !== 412) {
      return this.#form(ctx, form, formProblem(ctx, error))
    }
    const { account } = await this.autoprimaries.find(ctx.actor, knownIn(form).key)
    const problem = { status: 412, message: ctx.i18n.t('server.autoprimaries_moved') }
    const formValues = {
      ...form,
      account: form.account ?? account,
      tag: autoprimaryTag({ account }),
    }
    const storedMembers = storedNow(ctx, problem, LABELS, { account }, formValues)
    return this.#form(ctx, formValues, problem, { stored: storedMembers })
  }

  async #page(ctx: HttpContext, values: Form = {}, problem: FormProblem | null = null) {
    const query = pageQuery(ctx, AUTOPRIMARY_LIST, LARGE_PAGE_ROWS)
    const pageMembers = await this.#listOrProblem(ctx, query)
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/server/autoprimaries', {
      ...pageMembers,
      maxRows: LARGE_PAGE_ROWS,
      q: query.q ?? '',
      columns: columnsOf(ctx, ['ip', 'nameserver', 'account'], query, PATH),
      values,
      problem,
      denials: denialsOf(ctx.actor, {
        add: { action: 'server.add_autoprimaries' },
        edit: { action: 'server.edit_autoprimaries' },
      }),
    })
  }

  async #listOrProblem(ctx: HttpContext, query: AutoprimaryPage) {
    try {
      const { rows, total } = await this.autoprimaries.list(ctx.actor, query)
      const pager = pagerOf(ctx, query.page, total ?? rows.length, rows.length, PATH)
      return { rows, pager, unasked: null }
    } catch (error) {
      const unasked = unaskedReason(ctx, error)
      if (!unasked) throw error
      return { rows: [], pager: null, unasked }
    }
  }

  #form(
    ctx: HttpContext,
    values: Form,
    problem: FormProblem | null = null,
    { action = `${PATH}/edit`, stored }: { action?: string; stored?: StoredState } = {}
  ) {
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/server/autoprimary', {
      values,
      problem,
      action,
      storedNow:
        stored ?? storedNow(ctx, problem, LABELS, { account: values.account ?? '' }, values),
      back: PATH,
    })
  }
}

/** The key of the autoprimary and the version of the form; without a version, none matches. */
function knownIn({ known_ip: ip = '', known_nameserver: nameserver = '', tag = '' }: Form) {
  return { key: { ip, nameserver }, seen: tag }
}

function inputOf({ ip = '', nameserver = '', account = '' }: Form) {
  return { ip: ip.trim(), nameserver: nameserver.trim(), account: account.trim() }
}

function back(ctx: HttpContext, message: string) {
  return goTo(ctx, PATH, ctx.i18n.t(message))
}
