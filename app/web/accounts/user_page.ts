import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import type { Permission } from '#access/permissions'
import { canSendResets } from '#accounts/password_reset/is_enabled'
import { showUser } from '#accounts/users/directory'
import { findAssignableTemplates } from '#accounts/users/template'
import { groupNames } from '#web/forms/choices'
import type { FormProblem } from '#web/forms/errors'
import { versionForRedisplay } from '#web/forms/version'
import { accountTag } from '#web/accounts/account_tag'
import { denialOf } from '#web/accounts/denial'
import { storedNow } from '#web/forms/edit_conflict'
import { userHead } from '#web/accounts/user_head'

/** Values of the fields of a user. */
interface UserValues {
  username: string
  fullname: string
  email: string
  description: string
  active: boolean
  use_ldap: boolean
}

type TypedMembers = Partial<Record<'username' | 'fullname' | 'email' | 'description', string>> & {
  active?: string
  use_ldap?: string
  tag?: string
}

/** A refused form. */
interface ShownForm {
  problem?: FormProblem | null
  form?: TypedMembers
  /** Entity tag of a form without fields of the user. */
  tag?: string
  /** The permission template that was chosen. */
  chosenTemplate?: number
  /** Errors of fields of the account page. */
  problems?: Partial<Record<'current', string>>
}

/** Values of the fields of a user: the typed ones, or those of a new user. */
export function userValues(form?: TypedMembers): UserValues {
  return {
    username: form?.username ?? '',
    fullname: form?.fullname ?? '',
    email: form?.email ?? '',
    description: form?.description ?? '',
    active: !form || form.active !== undefined,
    use_ldap: form?.use_ldap !== undefined,
  }
}

/** The page of a user. Throws as `showUser`. */
export async function userPage(
  ctx: HttpContext,
  id: number,
  { problem = null, form, tag = form?.tag, chosenTemplate, problems = {} }: ShownForm = {}
) {
  const { actor } = ctx
  const user = await showUser(actor, id)
  const { facts } = user
  const storedValues: UserValues = {
    ...user,
    email: user.email ?? '',
    use_ldap: user.auth_method === 'ldap',
  }
  const password = denialOf(authorize(actor, { action: 'user.set_password', user: facts }))
  const guarded = authorize(actor, { action: 'user.change_guarded', user: facts, field: 'active' })
  const templates = await findAssignableTemplates(actor, facts)
  const typedValues = form && userValues(form)
  const template = new Set<Permission>()
  const assignment = { action: 'user.assign_template', user: facts, template } as const
  const values = {
    ...storedValues,
    ...typedValues,
    ...(guarded.allowed ? {} : protectedMembersOf(storedValues)),
  }
  const edit = denialOf(authorize(actor, { action: 'user.edit', user: facts }))
  const address = denialOf(authorize(actor, { action: 'user.set_email', user: facts }))
  // The address receives password reset links, so its change needs the password.
  const email = canSendResets() && user.auth_method === 'local' ? password : edit ? null : address
  const displayedValues = email ? { ...values, email: storedValues.email } : values
  ctx.response.status(problem?.status ?? (problems.current === undefined ? 200 : 422))
  return ctx.view.render('pages/users/show', {
    head: userHead(actor, user, 'account'),
    who: user,
    problem,
    problems,
    tag: versionForRedisplay(accountTag({ ...user, permissions: undefined }), problem, tag),
    values,
    storedNow: storedNow(
      ctx,
      problem,
      LABELS,
      textsOf(ctx, storedValues),
      textsOf(ctx, displayedValues)
    ),
    templates,
    isSelf: actor.userId === id,
    chosenTemplate: chosenTemplate ?? user.permission_template_id,
    groups: authorize(actor, { action: 'group.manage' }).allowed ? await groupNames(actor) : null,
    isElsewhere: !['local', 'ldap'].includes(user.auth_method),
    denials: {
      edit,
      guarded: denialOf(guarded),
      password,
      email,
      template: denialOf(authorize(actor, assignment)),
      groups: denialOf(authorize(actor, { action: 'group.manage' })),
      delete: denialOf(authorize(actor, { action: 'user.delete', user: facts })),
    },
  })
}

/** Members of a user, by the names of the form fields. */
const LABELS = {
  username: 'users.username',
  fullname: 'users.fullname',
  email: 'users.email',
  description: 'users.description',
  active: 'users.may_sign_in',
  use_ldap: 'users.ldap',
}

function textsOf({ i18n }: HttpContext, { active, use_ldap: useLdap, ...texts }: UserValues) {
  const word = (isOn: boolean) => i18n.t(isOn ? 'plan.on' : 'plan.off')
  const { username, fullname, email, description } = texts
  return { username, fullname, email, description, active: word(active), use_ldap: word(useLdap) }
}

/** Members that users may change about themselves only with a right. */
function protectedMembersOf({ username, active, use_ldap: useLdap }: UserValues) {
  return { username, active, use_ldap: useLdap }
}
