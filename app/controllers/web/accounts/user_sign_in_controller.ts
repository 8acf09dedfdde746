import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { endSessionsFor, resetSecondFactor, readSignInState } from '#accounts/users/sign_in_state'
import { sessionEndForm } from '#validators/web/people'
import { agentName } from '#web/session/user_agent'
import { goTo } from '#web/page/page'
import { userHead } from '#web/accounts/user_head'
import { currentUser } from '#web/session/current_user'

/** /users/{id}/sessions: sessions of a user, for administrators. */
export default class UserSignInController {
  async show(ctx: HttpContext) {
    const id = addressId(ctx)
    const { actor, session: current } = currentUser(ctx)
    const { username, sessions, secondFactor } = await readSignInState(actor, id)
    return ctx.view.render('pages/users/sessions', {
      head: userHead(actor, { id, username }, 'sessions'),
      secondFactor,
      sessions: sessions.map((session) => ({
        id: session.id,
        address: session.address,
        agent: agentName(session.agent) ?? ctx.i18n.t('account.sessions_unknown_browser'),
        lastSeenAt: session.lastSeenAt,
        createdAt: session.createdAt,
        isOwn: session.id === current.id,
      })),
    })
  }

  /** Ends one session, or all except the current one. */
  async end(ctx: HttpContext) {
    const { actor, session: current } = currentUser(ctx)
    const { session } = await ctx.request.validateUsing(sessionEndForm)
    const sessionId = session === undefined || session === '' ? null : Number(session)
    const count = await endSessionsFor(actor, addressId(ctx), sessionId, current.id)
    return back(ctx, ctx.i18n.t('users.sessions_ended', { count }))
  }

  async reset(ctx: HttpContext) {
    const isOff = await resetSecondFactor(ctx.actor, addressId(ctx))
    return back(ctx, ctx.i18n.t(isOff ? 'users.factor_off' : 'users.factor_none'))
  }
}

function back(ctx: HttpContext, text: string) {
  return goTo(ctx, `/users/${addressId(ctx)}/sessions`, text)
}
