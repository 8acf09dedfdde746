import type { HttpContext } from '@adonisjs/core/http'
import {
  confirm,
  prepareSecret,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
  takeCode,
} from '#accounts/second_factor/second_factor'
import { base32, keyUri } from '#accounts/second_factor/totp'
import interfaceSettings from '#config/interface'
import { codeForm } from '#validators/web/account'
import { accountTabs } from '#web/account_tabs'
import { toast } from '#web/page'
import { qrCode } from '#web/qr_code'
import { whoIs } from '#web/signed_in'

const PATH = '/account/second-factor'

/** /account/second-factor */
export default class SecondFactorController {
  async show(ctx: HttpContext) {
    return page(ctx)
  }

  /** Turns it on. */
  async store(ctx: HttpContext) {
    const { code = '' } = await ctx.request.validateUsing(codeForm)
    const codes = await confirm(whoIs(ctx).actor, code)
    return codes ? codesPage(ctx, codes) : page(ctx, 'code.wrong')
  }

  /** Makes new recovery codes. */
  async renew(ctx: HttpContext) {
    const problem = await problemOfCode(ctx)
    return problem ? page(ctx, problem) : codesPage(ctx, await renewRecoveryCodes(whoIs(ctx).actor))
  }

  /** Turns it off. */
  async destroy(ctx: HttpContext) {
    const problem = await problemOfCode(ctx)
    if (problem) {
      return page(ctx, problem)
    }
    await removeSecondFactor(whoIs(ctx).actor)
    toast(ctx, { kind: 'done', text: ctx.i18n.t('second_factor.removed') })
    return ctx.response.redirect().status(303).toPath(PATH)
  }
}

/** Whoever finds a window open has no code: it is asked for again. */
async function problemOfCode(ctx: HttpContext): Promise<string | null> {
  const { code = '' } = await ctx.request.validateUsing(codeForm)
  const outcome = await takeCode(whoIs(ctx).actor.userId, code)
  return outcome === 'wrong' || outcome === 'locked' ? `code.${outcome}` : null
}

async function page(ctx: HttpContext, problem: string | null = null) {
  const { actor } = whoIs(ctx)
  const { isOn, recoveryCodes } = await secondFactorOf(actor.userId)
  const secret = isOn ? null : await prepareSecret(actor.userId)
  const names = { issuer: interfaceSettings.title, account: actor.username }
  ctx.response.status(problem ? 422 : 200)
  return ctx.view.render('pages/account/second_factor', {
    tabs: accountTabs('second-factor'),
    recoveryCodes,
    secret: secret && base32(secret).replaceAll(/(.{4})(?=.)/g, '$1 '),
    picture: secret && qrCode(keyUri(secret, names)),
    problem: problem && ctx.i18n.t(problem),
  })
}

/** Shown once, in the answer to the form: they are stored as hashes. */
function codesPage(ctx: HttpContext, codes: string[]) {
  return ctx.view.render('pages/account/recovery_codes', {
    tabs: accountTabs('second-factor'),
    codes,
  })
}
