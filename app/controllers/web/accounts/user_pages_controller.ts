import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import type { Infer } from '@vinejs/vine/types'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { changeMembers } from '#accounts/groups/members'
import { commandOptions } from '#accounts/terms'
import { createUserFor } from '#accounts/users/creation'
import { listUsers, USER_LIST } from '#accounts/users/directory'
import { verifyOwnPassword } from '#accounts/users/own_password'
import { findUserById } from '#accounts/users/row'
import { readSignInSummaries } from '#accounts/users/sign_in_state'
import { findAssignableTemplates, findTemplatePermissions } from '#accounts/users/template'
import {
  assignTemplate,
  demandTemplateEdit,
  demandUserEdit,
  updateUser,
} from '#accounts/users/update'
import { unlockUser } from '#accounts/users/unlock'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import {
  assignTemplateValidator,
  createUserValidator,
  updateUserValidator,
} from '#validators/accounts/user'
import { userForm, userGroupForm, userTemplateForm } from '#validators/web/people'
import { groupChoices, groupNamed, groupNames, MAX_TICKS } from '#web/forms/choices'
import { formBody, plainLines } from '#web/forms/body'
import { formTerms } from '#web/forms/version'
import { addressWith, columnsOf, pageQuery, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialOf } from '#web/accounts/denial'
import { accountTag } from '#web/accounts/account_tag'
import { userPage, userValues } from '#web/accounts/user_page'
import { currentUser } from '#web/session/current_user'
import { UserZones } from '#zones/ownership/user_zones'

/** /users */
@inject()
export default class UserPagesController {
  constructor(private readonly zones: UserZones) {}

  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'user.list' })
    const query = pageQuery(ctx, USER_LIST)
    const { users, pageInfo } = await listUsers(ctx.actor, query)
    const counts = await this.zones.counts(users)
    const signIns = await readSignInSummaries(
      ctx.actor,
      users.map(({ id }) => id)
    )
    return ctx.view.render('pages/users/index', {
      users: users.map((one) => ({
        ...one,
        zones: counts.get(one.id) ?? 0,
        ...(signIns?.get(one.id) ?? {}),
      })),
      showsSignIn: signIns !== null,
      columns: columnsOf(ctx, ['username', 'fullname', 'email'], query),
      pager: pagerOf(ctx, query.page, pageInfo?.total ?? users.length, users.length),
      q: query.q ?? '',
      sort: (ctx.request.qs().sort as string | undefined) ?? '',
      everything: addressWith(ctx, { q: null }),
      creation: denialOf(authorize(ctx.actor, { action: 'user.create' })),
    })
  }

  async unlock(ctx: HttpContext) {
    const id = addressId(ctx)
    const isUnlocked = await unlockUser(commandOptions(ctx.actor), id)
    return goTo(ctx, `/users/${id}`, ctx.i18n.t(isUnlocked ? 'users.unlocked' : 'users.not_locked'))
  }

  async create(ctx: HttpContext) {
    demand(ctx.actor, { action: 'user.create' })
    return newPage(ctx)
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    demand(actor, { action: 'user.create' })
    const form = await ctx.request.validateUsing(userForm)
    try {
      const input = await formBody(createUserValidator, {
        ...membersOf(form),
        active: form.active !== undefined,
        use_ldap: form.use_ldap !== undefined,
        perm_templ: form.template || undefined,
        groups: groupsIn(form),
      })
      const { perm_templ: templateId, use_ldap: useLdap } = input
      const { id } = await createUserFor(commandOptions(actor), { ...input, templateId, useLdap })
      return goTo(ctx, `/users/${id}`, ctx.i18n.t('users.created'))
    } catch (error) {
      return newPage(ctx, form, formProblem(ctx, error))
    }
  }

  async show(ctx: HttpContext) {
    return userPage(ctx, addressId(ctx))
  }

  async update(ctx: HttpContext) {
    const id = addressId(ctx)
    const { actor } = ctx
    await demandUserEdit(actor, id)
    const form = await ctx.request.validateUsing(userForm)
    if (id === actor.userId) {
      const problem = await passwordProblem(ctx, form)
      if (problem) return problem
    }
    const ticks = (form.ticks ?? '').split(' ')
    const tick = (name: 'active' | 'use_ldap') =>
      ticks.includes(name) ? form[name] !== undefined : undefined
    try {
      const input = await formBody(updateUserValidator, {
        ...membersOf(form),
        active: tick('active'),
        use_ldap: tick('use_ldap'),
      })
      const terms = formTerms(actor, form.tag, accountTag)
      await updateUser(terms, id, { ...input, useLdap: input.use_ldap })
    } catch (error) {
      return userPage(ctx, id, { problem: refused(ctx, error), form })
    }
    return goToUser(ctx, id, 'users.saved')
  }

  async assign(ctx: HttpContext) {
    const id = addressId(ctx)
    await demandTemplateEdit(ctx.actor, id)
    const { template, tag, sure } = await ctx.request.validateUsing(userTemplateForm)
    try {
      const input = await formBody(assignTemplateValidator, { perm_templ: template ?? 0 })
      const templateId = input.perm_templ ?? 0
      if (id === ctx.actor.userId && sure === undefined && (await losesRights(ctx, templateId))) {
        const problem = { status: 422, message: ctx.i18n.t('users.assign_unsure') }
        return await userPage(ctx, id, { problem, tag, chosenTemplate: templateId })
      }
      const terms = formTerms(ctx.actor, tag, accountTag)
      await assignTemplate(terms, id, templateId)
    } catch (error) {
      return userPage(ctx, id, { problem: refused(ctx, error), tag })
    }
    return goToUser(ctx, id, 'users.assigned')
  }

  /** Adds a user to a group, or removes the user. */
  async regroup(ctx: HttpContext) {
    const id = addressId(ctx)
    demand(ctx.actor, { action: 'group.manage' })
    const { add, remove } = await ctx.request.validateUsing(userGroupForm)
    const changes = add === undefined ? { remove: [id] } : { add: [id] }
    try {
      const group = add === undefined ? Number(remove ?? 0) : await groupNamed(add)
      await changeMembers(commandOptions(ctx.actor), group, changes)
    } catch (error) {
      return userPage(ctx, id, { problem: refused(ctx, error) })
    }
    return goToUser(ctx, id, add === undefined ? 'users.left' : 'users.joined')
  }
}

/**
 * The page with an error if the actor changes password or mail address of the own account without
 * the password: a session may be left open. null without an error.
 */
async function passwordProblem(ctx: HttpContext, form: Infer<typeof userForm>) {
  const { actor } = currentUser(ctx)
  const { userId } = actor
  if (form.password) {
    const problem = { status: 422, message: ctx.i18n.t('users.own_password_there') }
    return userPage(ctx, userId, { problem, form })
  }
  const email = form.email?.trim()
  const stored = await findUserById(db.connection(), userId)
  const isSame = email === undefined || email === (stored.email ?? '')
  if (isSame || (await verifyOwnPassword(actor, form.current ?? ''))) {
    return null
  }
  return userPage(ctx, userId, { form, problems: { current: ctx.i18n.t('password.wrong') } })
}

/** Selected groups, and the one that was named; undefined without any. */
function groupsIn({ groups, group }: Infer<typeof userForm>): (number | string)[] | undefined {
  const named = group?.trim() ? [group.trim()] : []
  return groups || named.length > 0 ? [...(groups ?? []).map(Number), ...named] : undefined
}

/** A few groups are checkboxes. If there are many, the user enters a name; earlier selections stay. */
async function groupFields(actor: Actor, form?: Infer<typeof userForm>) {
  const all = await groupChoices(actor)
  if (all.length <= MAX_TICKS) {
    return { groups: all, named: null }
  }
  const ticked = all.filter(({ id }) => form?.groups?.includes(String(id)))
  return { groups: ticked, named: { value: form?.group ?? '', options: await groupNames(actor) } }
}

/** Members of the API body. */
function membersOf({ username, fullname, email, description, password }: Infer<typeof userForm>) {
  return {
    username: username?.trim(),
    fullname,
    email: email?.trim(),
    description: plainLines(description),
    password,
  }
}

/**
 * Whether the template would reduce the rights of the actor. The assignment reports a missing
 * template.
 */
async function losesRights({ actor }: HttpContext, templateId: number): Promise<boolean> {
  const newPermissions = await findTemplatePermissions(db.connection(), templateId)
  const isAll = newPermissions?.has('user_is_ueberuser') === true
  return (
    newPermissions !== null &&
    !isAll &&
    [...actor.permissions].some((one) => !newPermissions.has(one))
  )
}

function refused(ctx: HttpContext, error: unknown): FormProblem {
  return formProblem(ctx, error, ctx.i18n.t('users.people_moved'))
}

function goToUser(ctx: HttpContext, id: number, message: string) {
  return goTo(ctx, `/users/${id}`, ctx.i18n.t(message))
}

async function newPage(
  ctx: HttpContext,
  form?: Infer<typeof userForm>,
  problem: FormProblem | null = null
) {
  const { actor } = ctx
  ctx.response.status(problem?.status ?? 200)
  const mayGroups = authorize(actor, { action: 'user.set_groups' }).allowed
  return ctx.view.render('pages/users/new', {
    problem,
    values: userValues(form),
    templates: await findAssignableTemplates(actor, null),
    template: form?.template ?? '',
    ...(mayGroups ? await groupFields(actor, form) : { groups: [], named: null }),
    inGroups: form?.groups ?? [],
  })
}
