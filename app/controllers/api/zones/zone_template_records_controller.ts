import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { templateRecordItem } from '#transformers/zone_template'
import { writeValidator } from '#validators/fields'
import { zoneTemplateRecordValidator } from '#validators/zone_template'
import {
  addTemplateRecord,
  deleteTemplateRecord,
  findTemplateRecord,
  listTemplateRecords,
  TEMPLATE_RECORD_LIST,
  updateTemplateRecord,
} from '#zones/templates/template_records'
import { openZoneTemplate } from '#zones/templates/zone_templates'

/** /api/v2/zone-templates/{id}/records */
export default class ZoneTemplateRecordsController {
  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, TEMPLATE_RECORD_LIST)
    const page = await listTemplateRecords(ctx.actor, addressId(ctx), query)
    return success(
      { records: page.rows.map(templateRecordItem) },
      'Zone template records retrieved successfully',
      pagedList(ctx, TEMPLATE_RECORD_LIST, query, page)
    )
  }

  async store(ctx: HttpContext) {
    const { id: templateId } = await openZoneTemplate(ctx.actor, addressId(ctx))
    const input = await validBody(ctx, zoneTemplateRecordValidator)
    const { ttl, priority } = input
    const wanted = { ...requiredOf(input), ttl, priority }
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      addTemplateRecord(intent, templateId, wanted)
    )
    return answerOutcome(ctx, outcome, ({ id }) => {
      ctx.response.status(201)
      return success({ id }, 'Zone template record created successfully')
    })
  }

  async show(ctx: HttpContext) {
    const record = await findTemplateRecord(ctx.actor, addressId(ctx), recordId(ctx))
    return success(
      { record: templateRecordItem(record) },
      'Zone template record retrieved successfully'
    )
  }

  async update(ctx: HttpContext) {
    const { id: templateId } = await openZoneTemplate(ctx.actor, addressId(ctx))
    const input = await validBody(ctx, zoneTemplateRecordValidator)
    const { ttl, priority } = input
    const patch = {
      ...requiredOf(input),
      ...(ttl === undefined ? {} : { ttl }),
      ...(priority === undefined ? {} : { priority }),
    }
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      updateTemplateRecord(intent, templateId, recordId(ctx), patch)
    )
    return answerOutcome(ctx, outcome, () =>
      success(null, 'Zone template record updated successfully')
    )
  }

  async destroy(ctx: HttpContext) {
    const { id: templateId } = await openZoneTemplate(ctx.actor, addressId(ctx))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) =>
      deleteTemplateRecord(intent, templateId, recordId(ctx))
    )
    return answerOutcome(ctx, outcome, () =>
      success(null, 'Zone template record deleted successfully')
    )
  }
}

function recordId(ctx: HttpContext): number {
  return addressId(ctx, 'templateRecordId')
}

/** Required members. Throws 400 if one is missing. */
function requiredOf({ name, type, content }: { name?: string; type?: string; content?: string }) {
  if (name === undefined || type === undefined || content === undefined) {
    throw invalid('Missing required fields: name, type, content')
  }
  return { name, type, content }
}
