import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { isSuperUser } from '#access/actor'
import { demand } from '#access/demand'
import { explain, EXPLAINED_ACTIONS, needsOf } from '#access/explain'
import { explainedSubject, type Subject } from '#accounts/explained_subject'
import { addressId } from '#controllers/api/account_terms'
import { zoneName } from '#dns/names'
import { InvalidDns } from '#dns/errors'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import { explanationItem } from '#transformers/explanation'
import { accountTabs } from '#web/account_tabs'
import { rightsMatrix } from '#web/people/matrix'
import { userHead } from '#web/people/user_head'
import { shownName } from '#web/shown_name'
import { whoIs } from '#web/signed_in'
import { ZoneDirectory } from '#zones/directory'

/** Decisions about a zone that the page explains. */
const ABOUT_ZONES = EXPLAINED_ACTIONS.filter((action) => needsOf(action).join() === 'zone')

/** /users/{id}/rights, /account/rights: what somebody may do, and why. */
@inject()
export default class UserRightsController {
  constructor(private readonly directory: ZoneDirectory) {}

  async show(ctx: HttpContext) {
    return this.#page(ctx, addressId(ctx), 'pages/users/rights')
  }

  async own(ctx: HttpContext) {
    return this.#page(ctx, whoIs(ctx).actor.userId, 'pages/account/rights')
  }

  async #page(ctx: HttpContext, userId: number, template: string) {
    demand(ctx.actor, { action: 'user.view', userId })
    const subject = await explainedSubject(ctx.actor, { userId, keyId: null })
    const { actor, obstacles } = subject
    const asked = ((ctx.request.qs() as { zone?: string }).zone ?? '').trim()
    const zone = asked === '' ? null : await this.#zone(ctx, subject, asked)
    return ctx.view.render(template, {
      tabs: accountTabs('rights'),
      head: userHead(ctx.actor, { id: userId, username: actor.username }, 'rights'),
      template: actor.template ?? null,
      groups: actor.groups.map(({ id, name }) => ({ id, name })),
      isAdministrator: isSuperUser(actor),
      obstacles,
      areas: rightsMatrix(actor),
      asked,
      zone,
      path: ctx.request.url(),
    })
  }

  /** What they may do with a zone that the visitor may know of; a hidden one is missing. */
  async #zone(ctx: HttpContext, subject: Subject, asked: string) {
    try {
      const { zone, facts } = await this.directory.visibleNamed(ctx.actor, zoneName(asked))
      return {
        name: shownName(zone.name),
        id: zone.id,
        problem: null,
        decisions: ABOUT_ZONES.map((action) =>
          explanationItem(action, subject, explain(subject.actor, action, { zone: facts }))
        ),
      }
    } catch (error) {
      if (error instanceof InvalidDns) {
        ctx.response.status(422)
        return { problem: error.message }
      }
      if (!(error instanceof Refusal) || error.status !== 404) throw error
      auditRefusal(error, ctx)
      ctx.response.status(404)
      return { problem: error.message }
    }
  }
}
