import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { intentOf } from '#changes/model/intent'
import dns from '#config/dns'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { templateHead } from '#controllers/web/accounts/template_page'
import { recordTypes } from '#dns/records/registry'
import { templateDeletionForm, templateRecordForm } from '#validators/web/zone_templates'
import { ttlText } from '#web/format/durations'
import { versionForRedisplay } from '#web/forms/version'
import { columnsOf, pagerOf, pageQuery } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { storedNow, type StoredState } from '#web/forms/edit_conflict'
import { expansionOf } from '#web/zones/template_expansion'
import { recordInput, type RecordFields } from '#web/zones/template_form'
import { templateRecordTag } from '#zones/templates/tags'
import {
  addTemplateRecord,
  deleteTemplateRecord,
  findTemplateRecord,
  listTemplateRecords,
  TEMPLATE_RECORD_LIST,
  updateTemplateRecord,
} from '#zones/templates/template_records'
import {
  openZoneTemplate,
  viewZoneTemplate,
  type ZoneTemplateDetail,
} from '#zones/templates/zone_templates'

/** /zone-templates/{id}, /zone-templates/{id}/records: initial records of new zones. */
export default class TemplateRecordsController {
  async index(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    return listPage(ctx, template)
  }

  async create(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    const { type = 'A' } = ctx.request.qs() as { type?: string }
    return formPage(ctx, template, { fields: { type, ttl: ttlText(dns.ttl) } })
  }

  async store(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    const fields = await ctx.request.validateUsing(templateRecordForm)
    try {
      const record = await recordInput(fields, dns.ttl, (key) => ctx.i18n.t(key))
      await addTemplateRecord(intentOf(ctx.actor), template.id, record)
    } catch (error) {
      return formPage(ctx, template, { fields, problem: formProblem(ctx, error) })
    }
    return goToTemplate(ctx, template, 'zone_templates.record_added')
  }

  async edit(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    return editPage(ctx, template)
  }

  async update(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    const id = recordId(ctx)
    const { tag: sent = '', ...fields } = await ctx.request.validateUsing(templateRecordForm)
    try {
      const record = await recordInput(fields, dns.ttl, (key) => ctx.i18n.t(key))
      await updateTemplateRecord(intentOf(ctx.actor), template.id, id, record, sent)
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('zone_templates.record_moved'))
      const currentTemplate = await viewZoneTemplate(ctx.actor, template.id)
      return editPage(ctx, currentTemplate, { fields, problem, sent })
    }
    return goToTemplate(ctx, template, 'zone_templates.record_saved')
  }

  async destroy(ctx: HttpContext) {
    const template = await openZoneTemplate(ctx.actor, addressId(ctx))
    const { tag = '' } = await ctx.request.validateUsing(templateDeletionForm)
    try {
      await deleteTemplateRecord(intentOf(ctx.actor), template.id, recordId(ctx), tag)
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('zone_templates.record_moved'))
      return listPage(ctx, await viewZoneTemplate(ctx.actor, template.id), problem)
    }
    return goToTemplate(ctx, template, 'zone_templates.record_deleted')
  }
}

function recordId({ params }: HttpContext): number {
  return Number(params.recordId)
}

function goToTemplate(ctx: HttpContext, { id }: ZoneTemplateDetail, message: string) {
  return goTo(ctx, `/zone-templates/${id}`, ctx.i18n.t(message))
}

async function listPage(
  ctx: HttpContext,
  template: ZoneTemplateDetail,
  problem: FormProblem | null = null
) {
  const query = pageQuery(ctx, TEMPLATE_RECORD_LIST)
  const path = `/zone-templates/${template.id}`
  const { rows, total } = await listTemplateRecords(ctx.actor, template.id, query)
  const { example = '' } = ctx.request.qs() as { example?: string }
  const tags = new Map(template.records.map((record) => [record.id, templateRecordTag(record)]))
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zone_templates/records', {
    template: templateHead(ctx.actor, template, 'records'),
    records: rows.map((record) => ({
      ...record,
      tag: tags.get(record.id) ?? '',
      ...denialsOf(ctx.actor, {
        denial: { action: 'zone_template.write_record', template, type: record.type },
      }),
    })),
    q: query.q ?? '',
    sorted: columnsOf(ctx, ['name', 'type', 'content', 'ttl'], query, path),
    pager: pagerOf(ctx, query.page, total ?? 0, rows.length, path),
    problem,
    expansion: expansionOf(template, example),
  })
}

const LABELS = {
  name: 'record.name',
  type: 'record.type',
  content: 'record.content',
  ttl: 'record.ttl',
  priority: 'record.priority',
}

interface ShownForm {
  fields: RecordFields
  problem?: FormProblem | null
  /** The id of the changed record; null for a new one. */
  id?: number | null
  tag?: string
  stored?: StoredState | null
}

/** The form of a stored record, with its values or the submitted ones. */
async function editPage(
  ctx: HttpContext,
  template: ZoneTemplateDetail,
  typed: { problem?: FormProblem; fields?: RecordFields; sent?: string } = {}
) {
  const id = recordId(ctx)
  const record = await findTemplateRecord(ctx.actor, template.id, id)
  const { name, type, content, ttl, priority } = record
  const storedFields = { name, type, content, ttl: ttlText(ttl), priority: String(priority) }
  const storedRecord = template.records.find((one) => one.id === id)
  const currentTag = storedRecord ? templateRecordTag(storedRecord) : ''
  const { problem = null, fields = storedFields } = typed
  const tag = versionForRedisplay(currentTag, problem, typed.sent)
  const lines = storedNow(ctx, problem, LABELS, storedFields, fields)
  return formPage(ctx, template, { fields, problem, id, tag, stored: lines })
}

function formPage(ctx: HttpContext, template: ZoneTemplateDetail, shown: ShownForm) {
  const { fields, problem = null, id = null, tag = '', stored = null } = shown
  const types = recordTypes().filter(
    ({ type }) =>
      authorize(ctx.actor, { action: 'zone_template.write_record', template, type }).allowed
  )
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zone_templates/record', {
    template: templateHead(ctx.actor, template, 'records'),
    action: `/zone-templates/${template.id}/records/${id ?? 'new'}`,
    isNew: id === null,
    fields,
    problem,
    storedNow: stored,
    tag,
    types: types.filter(({ writer }) => writer !== 'server').map(({ type }) => type),
    expansion: expansionOf(template, ''),
  })
}
