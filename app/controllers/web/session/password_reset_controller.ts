import type { HttpContext } from '@adonisjs/core/http'
import { findResetAccount, redeemReset } from '#accounts/password_reset/redeem'
import { tokenHash } from '#accounts/password_reset/requests'
import { Refusal } from '#exceptions/refusal'
import { resetForm } from '#validators/web/account'
import { goTo } from '#web/page/page'

const PATH = '/password/reset'
/** Session key of the hash of the token, under which the reset is stored. */
const TOKEN_KEY = 'reset'

/** /password/reset: target of the link in the mail. */
export default class PasswordResetController {
  async edit(ctx: HttpContext) {
    const { token } = ctx.request.qs() as { token?: string }
    if (token !== undefined) {
      // Removes the token from the URL, which the browser history would store.
      ctx.session.put(TOKEN_KEY, tokenHash(token))
      return goTo(ctx, PATH)
    }
    return page(ctx)
  }

  async update(ctx: HttpContext) {
    const { wanted = '', repeated } = await ctx.request.validateUsing(resetForm)
    if (wanted === '') {
      return page(ctx, { wanted: ctx.i18n.t('password.empty') })
    }
    if (wanted !== repeated) {
      return page(ctx, { repeated: ctx.i18n.t('password.different') })
    }
    try {
      const isSet = await redeemReset(hashIn(ctx), wanted, ctx.request.ip())
      if (!isSet) {
        return page(ctx)
      }
    } catch (error) {
      if (error instanceof Refusal && error.status === 400) {
        return page(ctx, { wanted: error.message })
      }
      throw error
    }
    ctx.session.forget(TOKEN_KEY)
    return goTo(ctx, '/login', ctx.i18n.t('password.reset_done'))
  }
}

async function page(ctx: HttpContext, problems: Record<string, string> | null = null) {
  const account = await findResetAccount(hashIn(ctx))
  ctx.response.status(account ? (problems ? 422 : 200) : 410)
  return ctx.view.render('pages/password/reset', { account, problems: problems ?? {} })
}

function hashIn({ session }: HttpContext): string {
  const hash: unknown = session.get(TOKEN_KEY)
  return typeof hash === 'string' ? hash : ''
}
