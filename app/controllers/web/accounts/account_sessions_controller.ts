import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { revokeSession, revokeSessionsOf, listSessions } from '#accounts/sessions/sessions'
import { isRowId } from '#database/rows/row_ids'
import { record } from '#audit/record'
import { accountTabs } from '#web/page/account_tabs'
import { agentName } from '#web/session/user_agent'
import { goTo } from '#web/page/page'
import { currentUser, type WebActor } from '#web/session/current_user'

/** /account/sessions */
export default class AccountSessionsController {
  async index(ctx: HttpContext) {
    const { actor, session: current } = currentUser(ctx)
    const sessions = await listSessions(actor.userId)
    return ctx.view.render('pages/account/sessions', {
      tabs: accountTabs('sessions'),
      sessions: sessions.map(({ id, address, agent, createdAt, lastSeenAt, expiresAt }) => ({
        id,
        address,
        agent: agentName(agent) ?? ctx.i18n.t('account.sessions_unknown_browser'),
        createdAt,
        lastSeenAt,
        expiresAt,
        isOwn: id === current.id,
      })),
    })
  }

  async destroy(ctx: HttpContext) {
    const { actor } = currentUser(ctx)
    const id = Number(ctx.params.id)
    const isEnded = isRowId(id) && (await revokeSession(actor.userId, id))
    await logEnded(actor, isEnded ? 1 : 0)
    return back(ctx, isEnded ? 'account.sessions_ended' : 'account.sessions_gone')
  }

  async destroyOthers(ctx: HttpContext) {
    const { actor, session } = currentUser(ctx)
    await logEnded(actor, await revokeSessionsOf(db.connection(), actor.userId, session.id))
    return back(ctx, 'account.sessions_others_ended')
  }
}

/** Logs sessions that were ended from another session. */
async function logEnded(actor: WebActor, ended: number): Promise<void> {
  if (ended > 0) {
    const detail = { reason: 'ended from another session', sessions: ended }
    await record(db.connection(), actor, { action: 'login.ended', detail })
  }
}

function back(ctx: HttpContext, message: string) {
  return goTo(ctx, '/account/sessions', ctx.i18n.t(message))
}
