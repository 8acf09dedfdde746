import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { createUserFor } from '#accounts/users/creation'
import {
  deleteUser,
  demandUserDeletion,
  type ZoneRecipient,
  type OwnershipTransfers,
} from '#accounts/users/deletion'
import {
  isLookup,
  listUsers,
  showUser,
  userBatches,
  USER_LIST,
  withLookups,
  type ListedUser,
} from '#accounts/users/directory'
import {
  assignTemplate,
  demandTemplateEdit,
  demandUserEdit,
  updateUser,
} from '#accounts/users/update'
import type { UserWithFacts } from '#accounts/users/row'
import { unlockUser } from '#accounts/users/unlock'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { stamped } from '#controllers/support/stamped'
import { streamList } from '#controllers/support/streamed_list'
import { invalid } from '#exceptions/refusal'
import { success, timestamp } from '#transformers/envelope'
import { userDetail, userItem } from '#transformers/accounts/user'
import {
  assignTemplateValidator,
  createUserValidator,
  deleteUserValidator,
  updateUserValidator,
} from '#validators/accounts/user'
import { writeValidator } from '#validators/fields'
import { UserZones } from '#zones/ownership/user_zones'

/** /api/v2/users */
@inject()
export default class UsersController {
  constructor(private readonly zones: UserZones) {}

  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'user.list' })
    const query = withLookups(listQueryOf(ctx, USER_LIST), ctx.request.qs())
    const message = 'Users retrieved successfully'
    if (!query.page && !isLookup(query)) {
      return streamList(ctx, this.#batches(userBatches(ctx.actor, query)), {
        member: 'users',
        item: (item) => item,
        message,
        extras: { meta: timestamp() },
      })
    }
    const { users, pageInfo } = await listUsers(ctx.actor, query)
    return success(
      { users: await this.#items(users) },
      message,
      pageInfo ? { ...pagedList(ctx, USER_LIST, query, pageInfo), meta: timestamp() } : {}
    )
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'user.create' })
    const input = await validBody(ctx, createUserValidator, (members) => {
      if (isPresent(members.groups)) {
        demand(ctx.actor, { action: 'user.set_groups' })
      }
      demandTemplateRight(ctx.actor, null, members.perm_templ)
    })
    const outcome = await accountWrite(ctx, input, (terms) =>
      stamped(() =>
        createUserFor(terms, {
          ...input,
          templateId: input.perm_templ,
          useLdap: input.use_ldap,
        })
      )
    )
    return answerOutcome(ctx, outcome, ({ id, groups }) => {
      ctx.response.status(201)
      return success({ user_id: id, groups, ...ldapWarning(input) }, 'User created successfully', {
        meta: timestamp(),
      })
    })
  }

  async show(ctx: HttpContext) {
    const user = await stamped(() => showUser(ctx.actor, addressId(ctx)))
    return success({ user: userDetail(user) }, 'User information retrieved successfully', {
      meta: timestamp(),
    })
  }

  async update(ctx: HttpContext) {
    const id = addressId(ctx)
    const user = await stamped(() => demandUserEdit(ctx.actor, id))
    const input = await validBody(ctx, updateUserValidator, (members) =>
      demandTemplateRight(ctx.actor, user, members.perm_templ)
    )
    const outcome = await accountWrite(ctx, input, (terms) =>
      stamped(() =>
        updateUser(terms, id, { ...input, templateId: input.perm_templ, useLdap: input.use_ldap })
      )
    )
    return answerOutcome(ctx, outcome, () =>
      success({ user_id: id, ...ldapWarning(input) }, 'User updated successfully', {
        meta: timestamp(),
      })
    )
  }

  async assign(ctx: HttpContext) {
    const id = addressId(ctx)
    const user = await stamped(() => demandTemplateEdit(ctx.actor, id))
    const input = await validBody(ctx, assignTemplateValidator, (members) =>
      demandTemplateRight(ctx.actor, user, members.perm_templ)
    )
    const { perm_templ: templateId } = input
    if (templateId === undefined) {
      throw invalid('Missing required field: perm_templ')
    }
    const outcome = await accountWrite(ctx, input, (terms) =>
      stamped(() => assignTemplate(terms, id, templateId))
    )
    return answerOutcome(ctx, outcome, () =>
      success(
        { user_id: id, perm_templ: templateId },
        'Permission template assigned successfully',
        { meta: timestamp() }
      )
    )
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    await demandUserDeletion(ctx.actor, id)
    const input = await optionalBody(ctx, deleteUserValidator)
    const outcome = await accountWrite(ctx, input, (terms) =>
      deleteUser(terms, id, inheritanceOf(input), this.zones)
    )
    return answerOutcome(ctx, outcome, (count) => {
      const zones = count === 0 ? '' : `. ${count} ${count === 1 ? 'zone' : 'zones'} transferred`
      return success({ zones_affected: count }, `User deleted successfully${zones}`, {
        meta: timestamp(),
      })
    })
  }

  async unlock(ctx: HttpContext) {
    const id = addressId(ctx)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => stamped(() => unlockUser(terms, id)))
    return answerOutcome(ctx, outcome, (isUnlocked) => {
      const message = isUnlocked ? 'User unlocked successfully' : 'User is not locked'
      return success({ user_id: id, unlocked: isUnlocked }, message, { meta: timestamp() })
    })
  }

  async *#batches(batches: AsyncGenerator<ListedUser[], void>) {
    for await (const users of batches) {
      yield await this.#items(users)
    }
  }

  /** Users of a list, with the number of zones that each owns. */
  async #items(users: ListedUser[]) {
    const counts = await this.zones.counts(users)
    return users.map((user) => userItem(user, counts.get(user.id) ?? 0))
  }
}

/**
 * Requires the right to assign templates for any value, so that others learn nothing from the
 * answer. The stored value is no assignment.
 *
 * @param user null for a new one
 */
function demandTemplateRight(actor: Actor, user: UserWithFacts | null, value: unknown): void {
  if (isPresent(value) && (user === null || !names(value, user.permission_template_id))) {
    demand(actor, {
      action: 'user.assign_template',
      user: user?.facts ?? null,
      template: new Set(),
    })
  }
}

/** Whether a member of any type is this id. */
function names(value: unknown, id: number): boolean {
  return value === id || value === String(id)
}

/**
 * Warning that LDAP sign-in is not implemented. Clients send the member, so that it is accepted.
 */
function ldapWarning({ use_ldap: useLdap }: { use_ldap?: boolean | null }) {
  const warning =
    "Field 'use_ldap': sign-in through LDAP is not supported yet, so this user cannot sign in; send false with a 'password' to enable sign-in"
  return useLdap ? { warnings: [warning] } : {}
}

/** A null member counts as absent. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

type RecipientIds = { user?: number; group?: number }

/**
 * The new owners of the zones. Throws a 400 `Refusal` if a user and a group are named for the same
 * zone, or a zone twice.
 */
function inheritanceOf(input: Infer<typeof deleteUserValidator>): OwnershipTransfers {
  const { transfer_to_user_id: user, transfer_to_group_id: group, zone_transfers: single } = input
  const defaultOwner = recipientOf(
    { user, group },
    "'transfer_to_user_id' and 'transfer_to_group_id'"
  )
  const zones = new Map(
    (single ?? []).map((one) => [
      one.zone_id,
      recipientOf({ user: one.user_id, group: one.group_id }, "'user_id' and 'group_id'"),
    ])
  )
  if (zones.size < (single?.length ?? 0)) {
    throw invalid("Field 'zone_transfers': each zone can be listed only once")
  }
  return { defaultOwner, zones }
}

function recipientOf({ user, group }: RecipientIds, fields: string): ZoneRecipient | null {
  if (user !== undefined && group !== undefined) {
    throw invalid(`Only one of ${fields} can be given`)
  }
  if (user !== undefined) return { kind: 'user', id: user }
  return group === undefined ? null : { kind: 'group', id: group }
}
