import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { findActorOfUser } from '#accounts/authenticate'
import { createFirstAdministrator, InvalidToken } from '#accounts/first_run/first_administrator'
import { readFirstRunState } from '#accounts/first_run/state'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { Refusal } from '#exceptions/refusal'
import { firstRunForm } from '#validators/web/sign_in'
import { goTo } from '#web/page/page'
import { signVisitorIn } from '#web/session/sign_in_session'
import { SampleZones } from '#zones/lifecycle/samples'

interface Values {
  token?: string
  username?: string
  sample?: string
}

/** /setup: creates the first administrator. Requires the token that the server printed. */
@inject()
export default class FirstRunController {
  constructor(private readonly samples: SampleZones) {}

  async create(ctx: HttpContext) {
    if ((await readFirstRunState()) === 'begun') {
      return refuseExternalAddress(ctx)
    }
    // The token is in the URL fragment, which browsers do not send: a script copies it into the
    // form.
    return page(ctx, { username: 'admin', sample: 'on' })
  }

  async store(ctx: HttpContext) {
    if ((await readFirstRunState()) === 'begun') {
      return refuseExternalAddress(ctx)
    }
    const values = await ctx.request.validateUsing(firstRunForm)
    const { token = '', username = '', password = '', repeated, sample } = values
    if (password !== (repeated ?? '')) {
      const message = ctx.i18n.t('login.first_run_differ')
      return page(ctx, { token, username, sample }, { status: 422, message })
    }
    try {
      const address = ctx.request.ip()
      const input = { token, username: username.trim(), password, address }
      const { id } = await createFirstAdministrator(input)
      await signVisitorIn(ctx, { userId: id, remember: false }, 'password')
      const zones = sample === undefined ? [] : await this.#samples(id, address)
      const text =
        zones.length > 0
          ? ctx.i18n.t('login.first_run_done_samples', { zones: zones.join(', ') })
          : ctx.i18n.t('login.first_run_done')
      return goTo(ctx, '/', text)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return page(ctx, { token, username, sample }, problemOf(ctx, error))
    }
  }

  async #samples(userId: number, address: string): Promise<string[]> {
    const found = await findActorOfUser(userId, 'web')
    return found ? this.samples.make({ ...found.actor, address }) : []
  }
}

/** After the setup, redirects to the sign-in page. */
function refuseExternalAddress(ctx: HttpContext) {
  return goTo(ctx, ctx.signedIn ? '/' : '/login')
}

function problemOf(ctx: HttpContext, error: Refusal): FormProblem {
  const problem = formProblem(ctx, error)
  if (error instanceof InvalidToken) {
    return { status: 403, message: ctx.i18n.t('login.first_run_wrong_token') }
  }
  return problem.status === 429
    ? { status: 429, message: ctx.i18n.t('login.first_run_too_many') }
    : problem
}

function page(ctx: HttpContext, values: Values, problem: FormProblem | null = null) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/first_run', { values, problem })
}
