import type { HttpContext } from '@adonisjs/core/http'
import { readSecondFactor } from '#accounts/second_factor/second_factor'
import { lockout } from '#accounts/sign_in/lockout'
import { signIn } from '#accounts/sign_in/sign_in'
import { anonymousActor } from '#audit/event'
import { recordInBackground } from '#audit/refused_calls'
import interfaceSettings from '#config/interface'
import { Refusal } from '#exceptions/refusal'
import { signInForm } from '#validators/web/sign_in'
import { goTo } from '#web/page/page'
import { SESSION_ENDED } from '#web/session/store'
import { startSecondFactor, signVisitorIn, signVisitorOut } from '#web/session/sign_in_session'

/** /login, /logout */
export default class SessionController {
  create(ctx: HttpContext) {
    return ctx.signedIn ? ctx.response.redirect().toPath('/') : signInPage(ctx)
  }

  async store(ctx: HttpContext) {
    const { username = '', password = '', remember } = await ctx.request.validateUsing(signInForm)
    const address = ctx.request.ip()
    try {
      const actor = await signIn({ username, password, address, channel: 'web' })
      if (actor?.userId) {
        const who = { userId: actor.userId, remember: remember !== undefined }
        const { isOn } = await readSecondFactor(actor.userId)
        if (isOn) {
          await startSecondFactor(ctx, { ...who, username: actor.username })
          return goTo(ctx, '/login/code')
        }
        const path = await signVisitorIn(ctx, who, 'password')
        return goTo(ctx, path)
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 429) {
        return signInPage(ctx, { status: 429, message: 'login.busy', username })
      }
      throw error
    }
    recordInBackground(anonymousActor(address, 'web'), {
      action: 'login.failed',
      outcome: 'failed',
      detail: { method: 'password', call: 'POST /login' },
    })
    const isLocked = await lockout.isLocked({ username, address })
    const message = isLocked ? 'login.locked' : 'login.failed'
    return signInPage(ctx, { status: isLocked ? 429 : 422, message, username })
  }

  async destroy(ctx: HttpContext) {
    await signVisitorOut(ctx)
    return goTo(ctx, '/login')
  }
}

/** The form with the submitted values except for the password, and the error. */
function signInPage(
  ctx: HttpContext,
  failed: { status: number; message: string; username: string } | null = null
) {
  ctx.response.status(failed?.status ?? 200)
  return ctx.view.render('pages/login', {
    message: failed?.message ?? null,
    hasEnded: ctx.session.has(SESSION_ENDED),
    username: failed?.username ?? '',
    remembers: interfaceSettings.remember_days > 0,
    days: interfaceSettings.remember_days,
  })
}
