import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { commandOptions } from '#accounts/terms'
import {
  deleteUser,
  demandUserDeletion,
  RecipientMissing,
  type ZoneRecipient,
} from '#accounts/users/deletion'
import { findUserById } from '#accounts/users/row'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { openRequestsOf } from '#review/request_list'
import { userDeletionForm } from '#validators/web/people'
import { groupNamed, recipientChoices, userNamed } from '#web/forms/choices'
import { goTo } from '#web/page/page'
import { userHead } from '#web/accounts/user_head'
import { localized } from '#web/forms/localized_error'
import { displayName } from '#web/page/display_name'
import { UserZones } from '#zones/ownership/user_zones'

/** Maximum of zones with a field of their own. */
const MAX_ZONES = 200
/** Maximum of listed change requests. */
const MAX_REQUESTS = 50
/** Value of a zone that stays with its other owners. */
const KEEP_ZONE = '-'

/** /users/{id}/delete: consequences of a deletion, and new owners of the zones. */
@inject()
export default class UserDeletionController {
  constructor(private readonly zones: UserZones) {}

  async show(ctx: HttpContext) {
    await demandUserDeletion(ctx.actor, addressId(ctx))
    return this.#page(ctx)
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    await demandUserDeletion(ctx.actor, id)
    const form = await ctx.request.validateUsing(userDeletionForm)
    if (form.sure === undefined) {
      return this.#page(ctx, { status: 422, message: ctx.i18n.t('users.people_tick') })
    }
    try {
      const zones = new Map<number, ZoneRecipient | null>()
      for (const zone of (form.zones ?? '').split(',').filter(Boolean)) {
        const word = wordOf(ctx, zone)
        if (word !== '')
          zones.set(
            Number(zone),
            word === KEEP_ZONE ? null : await findRecipientByName(ctx.actor, word)
          )
      }
      const word = form.heir?.trim() ?? ''
      const defaultOwner = word === '' ? null : await findRecipientByName(ctx.actor, word)
      const count = await deleteUser(
        commandOptions(ctx.actor),
        id,
        { defaultOwner, zones },
        this.zones
      )
      const mayList = authorize(ctx.actor, { action: 'user.list' }).allowed
      return goTo(ctx, mayList ? '/users' : '/', ctx.i18n.t('users.deleted', { count }))
    } catch (error) {
      return this.#page(ctx, formProblem(ctx, inWords(ctx, error)))
    }
  }

  async #page(ctx: HttpContext, problem: FormProblem | null = null) {
    ctx.response.status(problem?.status ?? 200)
    const id = addressId(ctx)
    const user = await findUserById(db.connection(), id)
    const zones = await this.zones.listOwned(ctx.actor, id, MAX_ZONES)
    const counts = await this.zones.counts([{ id }])
    return ctx.view.render('pages/users/delete', {
      head: userHead(ctx.actor, user, 'account'),
      problem,
      zones: zones.map((zone) => ({
        ...zone,
        name: displayName(zone.name),
        value: wordOf(ctx, String(zone.id)),
      })),
      // Includes zones that the actor cannot view.
      total: counts.get(id) ?? 0,
      // They cannot be applied without their author.
      requests: await openRequestsOf(id, MAX_REQUESTS),
      heir: (ctx.request.input('heir', '') as unknown) || '',
      heirs: await recipientChoices(ctx.actor, id),
    })
  }
}

/** The error with the labels of the form. */
function inWords({ i18n }: HttpContext, error: unknown): unknown {
  return error instanceof RecipientMissing
    ? localized(i18n.t(`users.heir_${error.problem}`, { zone: displayName(error.name).text }))
    : error
}

/** The submitted text for a zone. */
function wordOf({ request }: HttpContext, zone: string): string {
  const word: unknown = request.input(`zone_${zone}`)
  return typeof word === 'string' ? word.trim() : ''
}

/**
 * The new owner named by `group: name`, or by a user name, optionally after `user:`. Throws a 400
 * `Refusal` for an unknown name, and 403 for groups if the actor may not manage them.
 */
async function findRecipientByName(actor: Actor, word: string): Promise<ZoneRecipient> {
  const [, kind, name] = /^(?:(user|group):)?\s*(.*)$/su.exec(word)!
  if (kind === 'group') {
    demand(actor, { action: 'group.manage' })
    return { kind, id: await groupNamed(name) }
  }
  return { kind: 'user', id: await userNamed(name) }
}
