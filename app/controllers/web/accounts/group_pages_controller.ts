import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import type { Infer } from '@vinejs/vine/types'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { findGroup, GROUP_LIST, listGroups, openGroup } from '#accounts/groups/groups'
import { createGroup, deleteGroup, readGroupContents, updateGroup } from '#accounts/groups/writes'
import { commandOptions } from '#accounts/terms'
import { findLeastPrivileged } from '#accounts/users/template'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { createGroupValidator, updateGroupValidator } from '#validators/accounts/group'
import { deletionForm, groupForm } from '#validators/web/people'
import { permissionTemplateNames } from '#web/forms/choices'
import { formBody, plainLines } from '#web/forms/body'
import { formTerms, versionForRedisplay } from '#web/forms/version'
import { addressWith, columnsOf, pageQuery, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialOf } from '#web/accounts/denial'
import { groupHead } from '#web/accounts/group_head'
import { accountTag } from '#web/accounts/account_tag'
import { storedNow } from '#web/forms/edit_conflict'
import { GroupZones } from '#zones/ownership/group_zones'

type Form = Infer<typeof groupForm>

/** Labels of the members of a group. */
const LABELS = {
  name: 'groups.name',
  description: 'groups.description',
  template: 'groups.template',
}

/** /groups */
@inject()
export default class GroupPagesController {
  constructor(private readonly zones: GroupZones) {}

  async index(ctx: HttpContext) {
    const query = pageQuery(ctx, GROUP_LIST)
    const { rows, total } = await listGroups(ctx.actor, query, this.#counts(ctx))
    const templates = await permissionTemplateNames('group')
    const names = new Map(templates.map(({ id, name }) => [id, name]))
    return ctx.view.render('pages/groups/index', {
      groups: rows.map((group) => ({
        ...group,
        template: names.get(group.permission_template_id),
      })),
      columns: columnsOf(ctx, ['name', 'member_count', 'zone_count', 'created_at'], query),
      pager: pagerOf(ctx, query.page, total ?? rows.length, rows.length),
      q: query.q ?? '',
      sort: (ctx.request.qs().sort as string | undefined) ?? '',
      everything: addressWith(ctx, { q: null }),
      creation: denialOf(authorize(ctx.actor, { action: 'group.manage' })),
    })
  }

  async create(ctx: HttpContext) {
    demand(ctx.actor, { action: 'group.manage' })
    return newPage(ctx)
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'group.manage' })
    const form = await ctx.request.validateUsing(groupForm)
    try {
      const members = { name: '', perm_templ_id: 0, ...membersOf(form) }
      const input = await formBody(createGroupValidator, members)
      const { name, description = '', perm_templ_id: templateId } = input
      const draft = { name, description, templateId }
      const { id } = await createGroup(commandOptions(ctx.actor), draft)
      return goTo(ctx, `/groups/${id}/members`, ctx.i18n.t('groups.created'))
    } catch (error) {
      return newPage(ctx, form, formProblem(ctx, error))
    }
  }

  async show(ctx: HttpContext) {
    return this.#page(ctx)
  }

  async update(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const form = await ctx.request.validateUsing(groupForm)
    try {
      const input = await formBody(updateGroupValidator, membersOf(form))
      const { name, description, perm_templ_id: templateId } = input
      const terms = formTerms(ctx.actor, form.tag, accountTag)
      await updateGroup(terms, id, { name, description, templateId })
    } catch (error) {
      return this.#page(ctx, formProblem(ctx, error, ctx.i18n.t('users.people_moved')), form)
    }
    return goTo(ctx, `/groups/${id}`, ctx.i18n.t('groups.saved'))
  }

  async deletion(ctx: HttpContext) {
    await openGroup(ctx.actor, addressId(ctx))
    return this.#deletion(ctx)
  }

  async destroy(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const { sure, tag } = await ctx.request.validateUsing(deletionForm)
    if (sure === undefined) {
      return this.#deletion(ctx, { status: 422, message: ctx.i18n.t('users.people_tick') })
    }
    try {
      await deleteGroup(formTerms(ctx.actor, tag, accountTag), id, { isConfirmed: true })
    } catch (error) {
      return this.#deletion(ctx, formProblem(ctx, error, ctx.i18n.t('users.people_moved')))
    }
    return goTo(ctx, '/groups', ctx.i18n.t('groups.deleted'))
  }

  async #page(ctx: HttpContext, problem: FormProblem | null = null, form: Form = {}) {
    const group = await findGroup(ctx.actor, addressId(ctx), this.#counts(ctx))
    ctx.response.status(problem?.status ?? 200)
    const templates = await permissionTemplateNames('group')
    const nameOf = (id: string) => templates.find((one) => String(one.id) === id)?.name ?? ''
    const { name, description } = group
    const templateId = String(group.permission_template_id)
    const stored = { name, description, template: templateId }
    const values = {
      name: form.name ?? name,
      description: form.description ?? description,
      template: form.template ?? templateId,
    }
    return ctx.view.render('pages/groups/show', {
      head: groupHead(ctx.actor, group, 'group'),
      problem,
      group,
      tag: versionForRedisplay(accountTag(group), problem, form.tag),
      values,
      storedNow: storedNow(
        ctx,
        problem,
        LABELS,
        { ...stored, template: nameOf(stored.template) },
        { ...values, template: nameOf(values.template) }
      ),
      templates,
      denial: denialOf(authorize(ctx.actor, { action: 'group.manage' })),
    })
  }

  async #deletion(ctx: HttpContext, problem: FormProblem | null = null) {
    // Before the counts, so that a change in between is refused.
    const tag = accountTag(await readGroupContents(ctx.actor, addressId(ctx)))
    const group = await findGroup(ctx.actor, addressId(ctx), this.#counts(ctx))
    const head = groupHead(ctx.actor, group, 'group')
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/groups/delete', { head, group, tag, problem })
  }

  #counts({ actor }: HttpContext) {
    return (ids: number[]) => this.zones.counts(actor, ids)
  }
}

/** Members of the API body; a field that the form lacks is absent. */
function membersOf({ name, description, template }: Form) {
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    description: plainLines(description),
    ...(template ? { perm_templ_id: template } : {}),
  }
}

async function newPage(ctx: HttpContext, form: Form = {}, problem: FormProblem | null = null) {
  ctx.response.status(problem?.status ?? 200)
  // The default is the template with the fewest rights.
  const minimalTemplateId = await findLeastPrivileged(db.connection(), 'group')
  return ctx.view.render('pages/groups/new', {
    problem,
    values: {
      name: form.name ?? '',
      description: form.description ?? '',
      template: form.template ?? String(minimalTemplateId ?? ''),
    },
    templates: await permissionTemplateNames('group'),
  })
}
