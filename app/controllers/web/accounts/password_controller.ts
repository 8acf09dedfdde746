import type { HttpContext } from '@adonisjs/core/http'
import { changeOwnPassword } from '#accounts/users/own_password'
import { Refusal } from '#exceptions/refusal'
import { passwordForm } from '#validators/web/account'
import { accountTabs } from '#web/page/account_tabs'
import { goTo } from '#web/page/page'
import { currentUser } from '#web/session/current_user'
import { startSession } from '#web/session/sign_in_session'

/** Errors by field of the form. */
type Problems = Partial<Record<'current' | 'wanted' | 'repeated', string>>

/** /account/password */
export default class PasswordController {
  edit(ctx: HttpContext) {
    return page(ctx)
  }

  async update(ctx: HttpContext) {
    const { current = '', wanted = '', repeated } = await ctx.request.validateUsing(passwordForm)
    const { actor, session } = currentUser(ctx)
    if (wanted === '' || wanted !== repeated) {
      const problem = wanted === '' ? 'password.empty' : 'password.different'
      return page(ctx, { [wanted === '' ? 'wanted' : 'repeated']: ctx.i18n.t(problem) })
    }
    try {
      const isChanged = await changeOwnPassword(actor, current, wanted)
      if (!isChanged) {
        return page(ctx, { current: ctx.i18n.t('password.wrong') })
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 400) {
        return page(ctx, { wanted: error.message })
      }
      throw error
    }
    // All sessions were ended; this browser gets a new one.
    startSession(ctx, { userId: actor.userId, remembered: session.remembered })
    return goTo(ctx, '/account/password', ctx.i18n.t('password.changed'))
  }
}

function page(ctx: HttpContext, problems: Problems | null = null) {
  ctx.response.status(problems ? 422 : 200)
  return ctx.view.render('pages/account/password', {
    tabs: accountTabs('password'),
    problems: problems ?? {},
    username: ctx.actor.username,
  })
}
