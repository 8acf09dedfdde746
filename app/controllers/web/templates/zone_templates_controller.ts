import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { templateHead } from '#controllers/web/accounts/template_page'
import { templateDeletionForm, zoneTemplateForm } from '#validators/web/zone_templates'
import { versionForRedisplay } from '#web/forms/version'
import { columnsOf, pagerOf, pageQuery } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { storedNow } from '#web/forms/edit_conflict'
import { templateInput } from '#web/zones/template_form'
import { copyZoneTemplate } from '#zones/templates/copy'
import { templateTag } from '#zones/templates/tags'
import {
  createZoneTemplate,
  deleteZoneTemplate,
  updateZoneTemplate,
} from '#zones/templates/template_writes'
import {
  listZoneTemplates,
  openZoneTemplate,
  viewZoneTemplate,
  ZONE_TEMPLATE_LIST,
  type ZoneTemplateDetail,
} from '#zones/templates/zone_templates'

interface Values {
  name?: string
  description?: string
  is_global?: string
  tag?: string
}

/** /zone-templates */
export default class ZoneTemplatesController {
  async index(ctx: HttpContext) {
    const { actor } = ctx
    const query = pageQuery(ctx, ZONE_TEMPLATE_LIST)
    const { rows, total } = await listZoneTemplates(actor, query)
    return ctx.view.render('pages/zone_templates/index', {
      templates: rows.map((template) => ({
        ...template,
        isOwn: template.ownerId !== null && template.ownerId === actor.userId,
      })),
      q: query.q ?? '',
      sorted: columnsOf(ctx, ['name', 'zones_linked'], query),
      pager: pagerOf(ctx, query.page, total ?? 0, rows.length),
      ...denialsOf(actor, { creation: CREATE_OWN }),
    })
  }

  /** An empty template, or a copy of the one in the URL. */
  async create(ctx: HttpContext) {
    demand(ctx.actor, { action: 'zone_template.create', isGlobal: false })
    const source = await sourceOf(ctx, (ctx.request.qs() as { from?: string }).from)
    const name = source ? ctx.i18n.t('zone_templates.copy_of', { name: source.name }) : ''
    const description = source?.description ?? ''
    return newPage(ctx, { name: name.slice(0, 128), description }, source)
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    demand(actor, { action: 'zone_template.create', isGlobal: false })
    const form = await ctx.request.validateUsing(zoneTemplateForm)
    const isGlobal = form.is_global !== undefined
    const source = await sourceOf(ctx, form.from)
    try {
      demand(actor, { action: 'zone_template.create', isGlobal })
      const input = { ...(await templateInput(form, (key) => ctx.i18n.t(key))), isGlobal }
      const { id } = source
        ? await copyZoneTemplate(intentOf(actor), source.id, input)
        : await createZoneTemplate(intentOf(actor), input)
      return goTo(
        ctx,
        `/zone-templates/${id}`,
        ctx.i18n.t('zone_templates.made', { name: input.name })
      )
    } catch (error) {
      return newPage(ctx, form, source, formProblem(ctx, error))
    }
  }

  async edit(ctx: HttpContext) {
    return settingsPage(ctx, await viewZoneTemplate(ctx.actor, addressId(ctx)))
  }

  async update(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    const form = await ctx.request.validateUsing(zoneTemplateForm)
    try {
      // Without the right, the form has no checkbox, and the value stays.
      const mayDecide = mayBeGlobal(ctx)
      const isGlobal = mayDecide ? form.is_global !== undefined : template.isGlobal
      const patch = { ...(await templateInput(form, (key) => ctx.i18n.t(key))), isGlobal }
      await updateZoneTemplate(intentOf(ctx.actor), template.id, patch, form.tag ?? '')
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('zone_templates.moved'))
      return settingsPage(ctx, await viewZoneTemplate(ctx.actor, template.id), form, problem)
    }
    return goTo(ctx, `/zone-templates/${template.id}/settings`, ctx.i18n.t('zone_templates.saved'))
  }

  async destroy(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    const { sure } = await ctx.request.validateUsing(templateDeletionForm)
    if (sure === undefined) {
      const message = ctx.i18n.t('zone_templates.delete_unsure')
      return settingsPage(ctx, template, undefined, { status: 422, message })
    }
    await deleteZoneTemplate(intentOf(ctx.actor), template.id)
    const text = ctx.i18n.t('zone_templates.deleted', { name: template.name })
    return goTo(ctx, '/zone-templates', text)
  }
}

const LABELS = { name: 'zone_templates.name', description: 'zone_templates.description' }

const CREATE_OWN = { action: 'zone_template.create', isGlobal: false } as const
const CREATE_GLOBAL = { action: 'zone_template.create', isGlobal: true } as const

function mayBeGlobal({ actor }: HttpContext): boolean {
  return authorize(actor, CREATE_GLOBAL).allowed
}

async function sourceOf(ctx: HttpContext, from: string | undefined) {
  return from ? viewZoneTemplate(ctx.actor, Number(from)) : null
}

function newPage(
  ctx: HttpContext,
  values: Values,
  source: ZoneTemplateDetail | null,
  problem: FormProblem | null = null
) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zone_templates/new', {
    values,
    problem,
    source: source && { id: source.id, name: source.name, records: source.records.length },
    ...denialsOf(ctx.actor, { globalDenial: CREATE_GLOBAL }),
  })
}

function settingsPage(
  ctx: HttpContext,
  template: ZoneTemplateDetail,
  values?: Values,
  problem: FormProblem | null = null
) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zone_templates/settings', {
    template: templateHead(ctx.actor, template, 'settings'),
    values: values ?? {
      name: template.name,
      description: template.description,
      is_global: template.isGlobal ? '1' : undefined,
    },
    problem,
    storedNow: storedNow(ctx, problem, LABELS, template, values ?? {}),
    tag: versionForRedisplay(templateTag(template), problem, values?.tag),
    ...denialsOf(ctx.actor, { globalDenial: CREATE_GLOBAL, copyDenial: CREATE_OWN }),
  })
}
