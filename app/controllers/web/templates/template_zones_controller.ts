import { addressId, zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { templateHead } from '#controllers/web/accounts/template_page'
import { auditRefusal } from '#exceptions/audited_refusals'
import { templateZonesForm, zoneTemplateForm } from '#validators/web/zone_templates'
import { MAX_TEMPLATE_ZONES } from '#web/bulk/bulk'
import { templatePlans } from '#web/bulk/plans'
import { idsIn, itemsText } from '#web/bulk/form'
import { shownPlans } from '#web/bulk/result_view'
import { driftView } from '#web/zones/drift_view'
import { pageOf, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { displayName } from '#web/page/display_name'
import { templateInput } from '#web/zones/template_form'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { SaveZoneAsTemplate } from '#zones/templates/save_zone'
import { TemplateSync } from '#zones/templates/template_sync'
import { viewZoneTemplate, type ZoneTemplateDetail } from '#zones/templates/zone_templates'

/** Zones of a page: each is read and compared. */
const MAX_COMPARED = 50

/** /zone-templates/{id}/zones: zones with a link to the template; /zones/{id}/save-template */
@inject()
export default class TemplateZonesController {
  constructor(
    private readonly templates: TemplateSync,
    private readonly directory: ZoneDirectory,
    private readonly templateCreation: SaveZoneAsTemplate
  ) {}

  async index(ctx: HttpContext) {
    return this.#page(ctx, await viewZoneTemplate(ctx.actor, addressId(ctx)))
  }

  /** The plan of a sync of the selected zones; it is applied as a bulk action. */
  async sync(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    const form = await ctx.request.validateUsing(templateZonesForm)
    const ids = idsIn(form)
    const selectionProblem = this.#selectionProblem(ctx, ids)
    if (selectionProblem) {
      return this.#page(ctx, template, selectionProblem)
    }
    const localChanges = form.local_changes === 'overwrite' ? 'overwrite' : 'keep'
    const intent = intentOf(ctx.actor, { dryRun: true })
    const options = { localChanges, link: false } as const
    const outcomes = await this.templates.sync(intent, template, ids, options)
    const refusals = outcomes.flatMap((one) => ('refusal' in one ? [one.refusal] : []))
    const processedZones = outcomes.flatMap((one) => ('zone' in one ? [one.zone] : []))
    if (processedZones.length === 0) {
      return this.#page(ctx, template, formProblem(ctx, refusals[0]))
    }
    // A GET repeats the page: the refusals were logged by the POST.
    if (ctx.request.method() === 'POST') {
      refusals.forEach((refusal) => auditRefusal(refusal, ctx))
    }
    const names = new Map(processedZones.map(({ id, name }) => [id, displayName(name)]))
    const rows = await templatePlans(outcomes, names)
    const willDo = rows.filter(({ outcome }) => outcome === 'change' || outcome === 'review')
    const countOutcome = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
    return ctx.view.render('pages/zones/bulk/plan', {
      action: 'template',
      ...shownPlans(ctx.i18n, rows),
      problem: null,
      hidden: 0,
      counts: {
        change: countOutcome('change'),
        review: countOutcome('review'),
        nothing: countOutcome('nothing'),
        refused: countOutcome('refused'),
      },
      willDo: willDo.length,
      confirms: false,
      reason: '',
      fields: {
        action: 'template',
        template: String(template.id),
        local_changes: localChanges,
        link: 'no',
        items: itemsText(willDo),
      },
    })
  }

  /** Unlinks the selected zones from the template; their records stay. */
  async unlink(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    const ids = idsIn(await ctx.request.validateUsing(templateZonesForm))
    const selectionProblem = this.#selectionProblem(ctx, ids)
    if (selectionProblem) {
      return this.#page(ctx, template, selectionProblem)
    }
    try {
      await this.templates.unlink(intentOf(ctx.actor), template, ids)
    } catch (error) {
      return this.#page(ctx, template, formProblem(ctx, error))
    }
    const text = ctx.i18n.t('zone_templates.unlinked', { count: ids.length })
    return goTo(ctx, `/zone-templates/${template.id}/zones`, text)
  }

  /** The form that saves a zone as a template. */
  async create(ctx: HttpContext) {
    return savePage(ctx, await this.#open(ctx), {})
  }

  async store(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(zoneTemplateForm)
    try {
      const isGlobal = false
      const input = { ...(await templateInput(form, (key) => ctx.i18n.t(key))), isGlobal }
      const { id, records, leftOut } = await this.templateCreation.save(
        intentOf(ctx.actor),
        openedZone,
        input
      )
      const counts = { count: records, left: leftOut.length }
      const kind = leftOut.length > 0 ? 'warning' : 'done'
      return goTo(
        ctx,
        `/zone-templates/${id}`,
        ctx.i18n.t('zone_templates.saved_zone', counts),
        kind
      )
    } catch (error) {
      return savePage(ctx, openedZone, form, formProblem(ctx, error))
    }
  }

  async #open(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    demand(ctx.actor, { action: 'zone_template.create', isGlobal: false })
    return openedZone
  }

  #selectionProblem({ i18n }: HttpContext, ids: number[]): FormProblem | null {
    if (ids.length === 0) {
      return { status: 422, message: i18n.t('zone_templates.none_ticked') }
    }
    const isMany = ids.length > MAX_TEMPLATE_ZONES
    return isMany
      ? { status: 422, message: i18n.t('bulk.too_many', { most: MAX_TEMPLATE_ZONES }) }
      : null
  }

  async #page(ctx: HttpContext, template: ZoneTemplateDetail, problem: FormProblem | null = null) {
    const page = pageOf(ctx, MAX_COMPARED)
    const { reports, total } = await this.templates.report(ctx.actor, template, page)
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/zone_templates/zones', {
      template: templateHead(ctx.actor, template, 'zones'),
      zones: reports.map(driftView),
      pager: pagerOf(ctx, page, total, reports.length, `/zone-templates/${template.id}/zones`),
      maxRows: MAX_COMPARED,
      problem,
    })
  }
}

function savePage(
  ctx: HttpContext,
  openedZone: OpenZone,
  values: { name?: string; description?: string },
  problem: FormProblem | null = null
) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zone_templates/save_zone', {
    zone: zoneHead(ctx.actor, openedZone, 'transfer'),
    values: { name: openedZone.zone.name.slice(0, 128), ...values },
    problem,
  })
}
