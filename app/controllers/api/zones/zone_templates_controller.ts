import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { descriptionOf } from '#controllers/api/docs/descriptions'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { zoneTemplateDetail, zoneTemplateItem } from '#transformers/zone_template'
import { writeValidator } from '#validators/fields'
import { newZoneTemplateValidator, zoneTemplateValidator } from '#validators/zone_template'
import {
  createZoneTemplate,
  deleteZoneTemplate,
  updateZoneTemplate,
} from '#zones/templates/template_writes'
import { newTemplateRecords } from '#zones/templates/template_records'
import {
  listZoneTemplates,
  openZoneTemplate,
  viewZoneTemplate,
  ZONE_TEMPLATE_LIST,
} from '#zones/templates/zone_templates'

/** /api/v2/zone-templates */
export default class ZoneTemplatesController {
  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, ZONE_TEMPLATE_LIST)
    const page = await listZoneTemplates(ctx.actor, query)
    return success(
      { templates: page.rows.map(zoneTemplateItem) },
      'Zone templates retrieved successfully',
      pagedList(ctx, ZONE_TEMPLATE_LIST, query, page)
    )
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'zone_template.create', isGlobal: false })
    const input = await validBody(ctx, newZoneTemplateValidator)
    const wanted = newTemplateOf(input)
    const records = input.records && newTemplateRecords(ctx.actor, wanted.isGlobal, input.records)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      createZoneTemplate(intent, wanted, records)
    )
    return answerOutcome(ctx, outcome, ({ id }) => {
      ctx.response.status(201)
      return success({ id }, 'Zone template created successfully')
    })
  }

  async show(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    return success(
      { template: zoneTemplateDetail(template) },
      'Zone template retrieved successfully'
    )
  }

  async update(ctx: HttpContext) {
    const { id } = await openZoneTemplate(ctx.actor, addressId(ctx))
    const input = await validBody(ctx, zoneTemplateValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      updateZoneTemplate(intent, id, {
        name: input.name,
        description: descriptionOf(input),
        isGlobal: input.is_global,
      })
    )
    return answerOutcome(ctx, outcome, () => success(null, 'Zone template updated successfully'))
  }

  async destroy(ctx: HttpContext) {
    const { id } = await openZoneTemplate(ctx.actor, addressId(ctx))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) => deleteZoneTemplate(intent, id))
    return answerOutcome(ctx, outcome, () => success(null, 'Zone template deleted successfully'))
  }
}

/** A new template from a body. Throws 400 for a missing name or description. */
export function newTemplateOf(input: {
  name?: string
  descr?: string
  description?: string
  is_global?: boolean
}) {
  const { name, is_global: isGlobal = false } = input
  const description = descriptionOf(input)
  if (name === undefined || description === undefined) {
    throw invalid('Missing required fields: name, description')
  }
  return { name, description, isGlobal }
}
