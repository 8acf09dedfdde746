import type { HttpContext } from '@adonisjs/core/http'
import { verifyCode } from '#accounts/second_factor/second_factor'
import { recordInBackground } from '#audit/refused_calls'
import { codeForm } from '#validators/web/account'
import { goTo } from '#web/page/page'
import { pendingSecondFactor, signVisitorIn } from '#web/session/sign_in_session'

/** /login/code: the second factor after the password. */
export default class SignInCodeController {
  async create(ctx: HttpContext) {
    return (await pendingSecondFactor(ctx))
      ? codePage(ctx)
      : ctx.response.redirect().toPath('/login')
  }

  async store(ctx: HttpContext) {
    const who = await pendingSecondFactor(ctx)
    if (!who) {
      return goTo(ctx, '/login')
    }
    const { code = '' } = await ctx.request.validateUsing(codeForm)
    const outcome = await verifyCode(who.userId, code)
    if (outcome === 'totp' || outcome === 'recovery_code') {
      const path = await signVisitorIn(ctx, who, `password+${outcome}`)
      return goTo(ctx, path)
    }
    const { userId, username } = who
    recordInBackground(
      { userId, username, key: null, address: ctx.request.ip(), channel: 'web' },
      {
        action: 'login.failed',
        outcome: 'failed',
        detail: { method: 'second factor', call: 'POST /login/code' },
      }
    )
    return outcome === 'locked'
      ? codePage(ctx, { status: 429, message: 'login.code_locked' })
      : codePage(ctx, { status: 422, message: 'login.code_wrong' })
  }
}

function codePage(ctx: HttpContext, failed: { status: number; message: string } | null = null) {
  ctx.response.status(failed?.status ?? 200)
  return ctx.view.render('pages/login_code', { message: failed?.message ?? null })
}
