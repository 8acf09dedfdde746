import type { HttpContext } from '@adonisjs/core/http'
import {
  confirmSecondFactor,
  findPreparedSecret,
  prepareSecret,
  removeSecondFactor,
  renewRecoveryCodes,
  readSecondFactor,
  verifyCode,
} from '#accounts/second_factor/second_factor'
import { base32, keyUri } from '#accounts/second_factor/totp'
import { verifyOwnPassword } from '#accounts/users/own_password'
import interfaceSettings from '#config/interface'
import { codeForm, newFactorForm } from '#validators/web/account'
import { mustHaveSecondFactor } from '#access/second_factor'
import { accountTabs } from '#web/page/account_tabs'
import { goTo } from '#web/page/page'
import { qrCode } from '#web/page/qr_code'
import { currentUser } from '#web/session/current_user'

const PATH = '/account/second-factor'

type Problem = Partial<Record<'code' | 'password' | 'off', string>>

/** /account/second-factor */
export default class SecondFactorController {
  async show(ctx: HttpContext) {
    return page(ctx)
  }

  /** Enables the second factor. The password is required again: a session may be left open. */
  async store(ctx: HttpContext) {
    const { code = '', password = '' } = await ctx.request.validateUsing(newFactorForm)
    const { actor, session } = currentUser(ctx)
    if (!(await verifyOwnPassword(actor, password))) {
      return page(ctx, { password: 'password.wrong' })
    }
    const codes = await confirmSecondFactor(actor, code, session.id)
    return codes ? codesPage(ctx, codes) : page(ctx, { code: 'login.code_wrong' })
  }

  /** Creates new recovery codes. */
  async renew(ctx: HttpContext) {
    const problem = await problemOfCode(ctx)
    return problem
      ? page(ctx, { code: problem })
      : codesPage(ctx, await renewRecoveryCodes(currentUser(ctx).actor))
  }

  /** Disables the second factor. */
  async destroy(ctx: HttpContext) {
    const problem = await problemOfCode(ctx)
    if (problem) {
      return page(ctx, { off: problem })
    }
    const { actor } = currentUser(ctx)
    await removeSecondFactor(actor, { id: actor.userId, username: actor.username })
    return goTo(ctx, PATH, ctx.i18n.t('second_factor.removed'))
  }
}

/** Requires a code again, because another person may use an unattended session. */
async function problemOfCode(ctx: HttpContext): Promise<string | null> {
  const { code = '' } = await ctx.request.validateUsing(codeForm)
  const outcome = await verifyCode(currentUser(ctx).actor.userId, code)
  return outcome === 'wrong' || outcome === 'locked' ? `login.code_${outcome}` : null
}

/** The page with errors by field; `off` is the code that disables it. */
async function page(ctx: HttpContext, problem: Problem | null = null) {
  const { actor } = currentUser(ctx)
  const { isOn, recoveryCodes } = await readSecondFactor(actor.userId)
  const secret = isOn ? null : await secretToShow(actor.userId, problem !== null)
  const names = { issuer: interfaceSettings.title, account: actor.username }
  const messageOf = (text: string | undefined) => text && ctx.i18n.t(text)
  ctx.response.status(problem ? 422 : 200)
  return ctx.view.render('pages/account/second_factor', {
    tabs: accountTabs('second-factor'),
    recoveryCodes,
    secret: secret && base32(secret).replaceAll(/(.{4})(?=.)/g, '$1 '),
    picture: secret && qrCode(keyUri(secret, names)),
    problems: {
      code: messageOf(problem?.code),
      password: messageOf(problem?.password),
      off: messageOf(problem?.off),
    },
    username: actor.username,
    mustHave: mustHaveSecondFactor(actor),
  })
}

/** After a wrong code, the secret stays the one that the authenticator has. */
async function secretToShow(userId: number, isAgain: boolean): Promise<Buffer> {
  const storedSecret = isAgain ? await findPreparedSecret(userId) : null
  return storedSecret ?? prepareSecret(userId)
}

/** Shown once, in the answer to the form: only hashes are stored. */
function codesPage(ctx: HttpContext, codes: string[]) {
  return ctx.view.render('pages/account/recovery_codes', {
    tabs: accountTabs('second-factor'),
    codes,
  })
}
