import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { hasPermission, isSuperUser } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { PERMISSIONS, isPermission, type Permission } from '#access/permissions'
import { commandOptions } from '#accounts/terms'
import { holderCounts, findHolders } from '#accounts/templates/holders'
import {
  findTemplate,
  listTemplates,
  TEMPLATE_LIST,
  type TemplateDetail,
} from '#accounts/templates/permission_templates'
import {
  createTemplate,
  decideOnTemplate,
  deleteTemplate,
  demandTemplateCreation,
  demandTemplateDeletion,
  openTemplate,
  updateTemplate,
} from '#accounts/templates/writes'
import { rowIdIn } from '#database/rows/row_ids'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { permissionTemplateValidator } from '#validators/accounts/permission_template'
import { deletionForm, templateForm } from '#validators/web/people'
import { formBody, plainLines } from '#web/forms/body'
import { formTerms, versionForRedisplay } from '#web/forms/version'
import { addressWith, columnsOf, pageQuery, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { accountTag } from '#web/accounts/account_tag'
import { denialOf, type Denial } from '#web/accounts/denial'
import { reachOf, PERMISSION_AREAS, requestedRights } from '#web/accounts/rights'
import { templateMembers } from '#web/accounts/edit_conflict'
import { storedMembers } from '#web/forms/edit_conflict'

/** Values of a template form. */
interface ShownForm {
  name: string
  description: string
  type: string
  rights: Permission[]
  /** Version that the form was loaded with. */
  tag?: string
}

/** /permission-templates */
export default class TemplatePagesController {
  async index(ctx: HttpContext) {
    const { actor } = ctx
    const query = pageQuery(ctx, TEMPLATE_LIST)
    const { rows, total } = await listTemplates(actor, query)
    const counts = await holderCounts(actor)
    const { type } = query.filters
    return ctx.view.render('pages/permission_templates/index', {
      templates: rows.map((row) => ({ ...row, holders: counts.get(row.id) ?? 0 })),
      columns: columnsOf(ctx, ['name', 'template_type'], query),
      pager: pagerOf(ctx, query.page, total ?? rows.length, rows.length),
      kinds: [undefined, 'user', 'group'].map((one) => ({
        href: addressWith(ctx, { type: one ?? null }),
        label: `templates.kind_${one ?? 'all'}`,
        current: one === type,
      })),
      q: query.q ?? '',
      hidden: { sort: (ctx.request.qs().sort as string | undefined) ?? '', type: type ?? '' },
      everything: addressWith(ctx, { q: null }),
      creation: denialOf(authorize(actor, { action: 'template.create', grants: new Set() })),
    })
  }

  /** The form of a new template, perhaps a copy. */
  async create(ctx: HttpContext) {
    demandTemplateCreation(ctx.actor)
    const { copy, type } = ctx.request.qs() as { copy?: string; type?: string }
    const from = copy === undefined ? null : await findTemplate(ctx.actor, rowIdIn(copy))
    const name = from ? ctx.i18n.t('templates.copy_of', { name: from.name }) : ''
    return newPage(ctx, {
      name,
      description: from?.description ?? '',
      type: from?.template_type ?? (type === 'group' ? 'group' : 'user'),
      rights: from ? rightsOf(from) : [],
    })
  }

  async store(ctx: HttpContext) {
    demandTemplateCreation(ctx.actor)
    const values = await submitted(ctx, new Set())
    try {
      const { id } = await createTemplate(commandOptions(ctx.actor), await inputOf(values))
      return goTo(ctx, `/permission-templates/${id}`, ctx.i18n.t('templates.created'))
    } catch (error) {
      return newPage(ctx, values, formProblem(ctx, error))
    }
  }

  async show(ctx: HttpContext) {
    return editPage(ctx, await findTemplate(ctx.actor, addressId(ctx)))
  }

  async update(ctx: HttpContext) {
    const id = addressId(ctx)
    await openTemplate(ctx.actor, id)
    const stored = await findTemplate(ctx.actor, id)
    const values = await submitted(ctx, new Set(rightsOf(stored)))
    try {
      const terms = formTerms(ctx.actor, values.tag, accountTag)
      await updateTemplate(terms, id, await inputOf(values))
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('users.people_moved'))
      return editPage(ctx, await findTemplate(ctx.actor, id), values, problem)
    }
    return goTo(ctx, `/permission-templates/${id}`, ctx.i18n.t('templates.saved'))
  }

  async deletion(ctx: HttpContext) {
    await demandTemplateDeletion(ctx.actor, addressId(ctx))
    return deletionPage(ctx)
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    await demandTemplateDeletion(ctx.actor, id)
    const { sure } = await ctx.request.validateUsing(deletionForm)
    if (sure === undefined) {
      return deletionPage(ctx, { status: 422, message: ctx.i18n.t('users.people_tick') })
    }
    try {
      await deleteTemplate(commandOptions(ctx.actor), id)
    } catch (error) {
      return deletionPage(ctx, formProblem(ctx, error))
    }
    const canView = authorize(ctx.actor, { action: 'template.view' }).allowed
    return goTo(ctx, canView ? '/permission-templates' : '/', ctx.i18n.t('templates.deleted'))
  }
}

function rightsOf({ permissions }: TemplateDetail): Permission[] {
  return permissions.map(({ name }) => name).filter(isPermission)
}

async function submitted({ request }: HttpContext, stored: ReadonlySet<Permission>) {
  const {
    name = '',
    description = '',
    type = 'user',
    tag,
    ticks = [],
  } = await request.validateUsing(templateForm)
  const scopeOfField = (key: string) => {
    const word: unknown = request.input(`reach_${key}`)
    return typeof word === 'string' ? word : undefined
  }
  const rights = requestedRights(stored, scopeOfField, ticks)
  return { name: name.trim(), description, type, tag, rights }
}

async function inputOf({ name, description, type, rights }: ShownForm) {
  const input = await formBody(permissionTemplateValidator, {
    name,
    description: plainLines(description),
    template_type: type,
    permissions: rights.map((right) => PERMISSIONS[right].id),
  })
  const { name: named = '', description: text = '', permissions = [] } = input
  return { name: named, description: text, type: input.template_type ?? 'user', permissions }
}

/** The rights by area, with their current state and whether the actor may choose them. */
function cards(
  { actor }: HttpContext,
  rights: Permission[],
  stored: Permission[],
  mayAdd: boolean
) {
  const permissions = new Set(rights)
  const storedPermissions = new Set(stored)
  const isOpen = (permission: Permission | null) =>
    permission === null ||
    storedPermissions.has(permission) ||
    isSuperUser(actor) ||
    (mayAdd && hasPermission(actor, permission))
  return PERMISSION_AREAS.map(({ area, scales, single }) => ({
    area,
    scales: scales.map((scale) => ({
      key: scale.key,
      steps: scale.steps.map(({ reach, permission }) => ({
        reach,
        checked: reach === reachOf(scale, permissions),
        isOpen: isOpen(permission),
      })),
    })),
    single: single.map((name) => ({ name, checked: permissions.has(name), isOpen: isOpen(name) })),
    isNarrowed: [
      ...single,
      ...scales.flatMap(({ steps }) => steps.map((step) => step.permission)),
    ].some((permission) => !isOpen(permission)),
  }))
}

function newPage(ctx: HttpContext, shown: ShownForm, problem: FormProblem | null = null) {
  const areas = cards(ctx, shown.rights, [], true)
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/permission_templates/edit', {
    template: null,
    problem,
    values: shown,
    areas,
    isNarrowed: areas.some((area) => area.isNarrowed),
    isActors: false,
    storedNow: null,
    tag: '',
    denials: { edit: null, delete: null, copy: null } satisfies Denials,
    holders: null,
  })
}

type Denials = Record<'edit' | 'delete' | 'copy', Denial | null>

async function editPage(
  ctx: HttpContext,
  template: TemplateDetail,
  values?: ShownForm,
  problem: FormProblem | null = null
) {
  const { actor } = ctx
  const rights = rightsOf(template)
  const decisions = await decideOnTemplate(actor, template)
  const areas = cards(ctx, values?.rights ?? rights, rights, !decisions.isActors)
  const creation = authorize(actor, { action: 'template.create', grants: new Set(rights) })
  const known = { ...template, type: template.template_type, rights }
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/permission_templates/edit', {
    template,
    problem,
    values: values ?? known,
    storedNow: storedMembers(ctx, problem, templateMembers(ctx.i18n, known, values ?? known)),
    areas,
    isNarrowed: areas.some((area) => area.isNarrowed),
    isActors: decisions.isActors && !isSuperUser(actor),
    tag: versionForRedisplay(accountTag(template), problem, values?.tag),
    denials: {
      edit: denialOf(decisions.edit),
      delete: denialOf(decisions.delete),
      copy: denialOf(creation),
    } satisfies Denials,
    holders: await findHolders(actor, template.id),
  })
}

async function deletionPage(ctx: HttpContext, problem: FormProblem | null = null) {
  demand(ctx.actor, { action: 'template.view' })
  const id = addressId(ctx)
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/permission_templates/delete', {
    template: await findTemplate(ctx.actor, id),
    holders: await findHolders(ctx.actor, id),
    problem,
  })
}
