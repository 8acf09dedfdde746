import type { HttpContext } from '@adonisjs/core/http'
import { countRequestFrom } from '#accounts/password_reset/limits'
import { canSendResets } from '#accounts/password_reset/is_enabled'
import { forgottenForm } from '#validators/web/account'
import { goTo } from '#web/page/page'
import { sendReset } from '#web/session/reset_mail'

/** /password/forgotten */
export default class ForgottenPasswordController {
  create(ctx: HttpContext) {
    return page(ctx)
  }

  /** Answers equally and in equal time for every name: the work starts after the answer. */
  async store(ctx: HttpContext) {
    const { who = '' } = await ctx.request.validateUsing(forgottenForm)
    if (!canSendResets()) {
      return page(ctx, { status: 404 })
    }
    const address = ctx.request.ip()
    if (!(await countRequestFrom(address))) {
      return page(ctx, { status: 429, message: 'password.reset_busy' })
    }
    ctx.response.onFinish(() =>
      sendReset({ usernameOrEmail: who, address, locale: ctx.i18n.locale })
    )
    return goTo(ctx, '/password/forgotten/sent')
  }

  showSent(ctx: HttpContext) {
    return ctx.view.render('pages/password/sent')
  }
}

function page(ctx: HttpContext, { status = 200, message = null as string | null } = {}) {
  ctx.response.status(status)
  return ctx.view.render('pages/password/forgotten', { message, isOn: canSendResets() })
}
