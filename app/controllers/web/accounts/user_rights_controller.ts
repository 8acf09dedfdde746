import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { isSuperUser, type Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { explain, EXPLAINED_ACTIONS, requiredObjects } from '#access/explain'
import { findSubject, type Subject } from '#accounts/explained_subject'
import { KEY_LIST, listKeys } from '#accounts/keys/list'
import { zoneName } from '#dns/names'
import { InvalidDns } from '#dns/errors'
import { auditRefusal } from '#exceptions/audited_refusals'
import { notFound, Refusal } from '#exceptions/refusal'
import { isRowId } from '#database/rows/row_ids'
import { listQuery } from '#lists/query'
import { explanationItem } from '#transformers/accounts/explanation'
import { accountTabs } from '#web/page/account_tabs'
import { plainReason } from '#web/forms/api_error_text'
import { rightsMatrix } from '#web/accounts/matrix'
import { userHead } from '#web/accounts/user_head'
import { displayName, shownOwner } from '#web/page/display_name'
import { currentUser } from '#web/session/current_user'
import { ZoneDirectory } from '#zones/directory'
import { explainedObject } from '#zones/explain_target'

/** Actions on a zone that the page explains. */
const ZONE_ACTIONS = EXPLAINED_ACTIONS.filter((action) => requiredObjects(action).join() === 'zone')

/** Maximum of offered keys. */
const MAX_KEYS = 500

/** /users/{id}/rights, /account/rights: rights of a user, with reasons. */
@inject()
export default class UserRightsController {
  constructor(private readonly directory: ZoneDirectory) {}

  async show(ctx: HttpContext) {
    return this.#page(ctx, addressId(ctx), 'pages/users/rights')
  }

  async showOwn(ctx: HttpContext) {
    return this.#page(ctx, currentUser(ctx).actor.userId, 'pages/account/rights')
  }

  async #page(ctx: HttpContext, userId: number, template: string) {
    demand(ctx.actor, { action: 'user.view', userId })
    const asked = askedOf(ctx)
    const keyId = asked.key === '' ? null : Number(asked.key)
    if (keyId !== null && !isRowId(keyId)) {
      throw notFound('API key not found')
    }
    const subject = await findSubject(ctx.actor, { userId, keyId })
    const { actor, refusalReasons } = subject
    const zone = asked.zone === '' ? null : await this.#zone(ctx, subject, asked)
    return ctx.view.render(template, {
      tabs: accountTabs('rights'),
      head: userHead(ctx.actor, { id: userId, username: actor.username }, 'rights'),
      template: actor.template ?? null,
      groups: actor.groups.map(({ id, name }) => ({ id, name })),
      isAdministrator: isSuperUser(actor),
      obstacles: refusalReasons,
      // The texts address the user or name another one.
      reasons: currentUser(ctx).actor.userId === userId ? 'rights.reasons' : 'rights.reasons_told',
      areas: rightsMatrix(actor),
      asked,
      keys: await keysOf(ctx.actor, userId),
      zone,
      path: ctx.request.url(),
    })
  }

  /**
   * Rights on a zone that the actor can view, and on an RRset of it if one is named; a hidden zone
   * is missing.
   */
  async #zone(ctx: HttpContext, subject: Subject, asked: ExplainForm) {
    const { name, type } = asked
    try {
      const openedZone = await this.directory.visibleNamed(ctx.actor, zoneName(asked.zone))
      const { zone, facts } = openedZone
      const input = { zone: zone.id, name: name || '@', ...(type ? { type } : {}) }
      const labels = { zone: 'zone', name: 'name', type: 'type' }
      const rrset =
        name || type
          ? await explainedObject('rrset.write', input, labels, () => Promise.resolve(openedZone))
          : null
      return {
        name: displayName(zone.name),
        id: zone.id,
        problem: null,
        rrset: rrset && `${shownOwner(rrset.name!, zone.name).text} ${rrset.type}`,
        decisions: [...(rrset ? (['rrset.write'] as const) : []), ...ZONE_ACTIONS].map((action) =>
          explanationItem(action, subject, explain(subject.actor, action, rrset ?? { zone: facts }))
        ),
      }
    } catch (error) {
      if (error instanceof InvalidDns || (error instanceof Refusal && error.status === 400)) {
        ctx.response.status(422)
        return { problem: plainReason(error.message) }
      }
      if (!(error instanceof Refusal) || error.status !== 404) throw error
      auditRefusal(error, ctx)
      ctx.response.status(404)
      return { problem: plainReason(error.message) }
    }
  }
}

/** The submitted fields of the form. */
type ExplainForm = Record<'zone' | 'name' | 'type' | 'key', string>

function askedOf({ request }: HttpContext): ExplainForm {
  const words = request.qs() as Partial<ExplainForm>
  const word = (name: keyof ExplainForm) => (words[name] ?? '').trim()
  return { zone: word('zone'), name: word('name'), type: word('type'), key: word('key') }
}

/** Keys of a user, if the actor may list them. */
async function keysOf(actor: Actor, userId: number): Promise<{ value: string; label: string }[]> {
  if (!authorize(actor, { action: 'api_key.list', userId }).allowed) {
    return []
  }
  const page = { number: 1, size: MAX_KEYS, offset: 0 }
  const query = { ...listQuery(KEY_LIST, { sort: 'name' }), page }
  const { rows } = await listKeys(actor, userId, query)
  return rows.map(({ id, name, prefix }) => ({ value: String(id), label: `${name} (${prefix}…)` }))
}
