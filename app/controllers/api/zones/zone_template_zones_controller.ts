import { addressId, zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { refuseConditions, writeTerms } from '#controllers/support/write_terms'
import { pageOf, paged } from '#controllers/support/paging'
import { validBody } from '#controllers/support/request_body'
import { newTemplateOf } from '#controllers/api/zones/zone_templates_controller'
import { auditRefusal } from '#exceptions/audited_refusals'
import { Refusal } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { driftItem, syncItem } from '#transformers/template_drift'
import {
  templateSyncValidator,
  templateUnlinkValidator,
  zoneTemplateValidator,
} from '#validators/zone_template'
import { ZoneDirectory } from '#zones/directory'
import { SaveZoneAsTemplate } from '#zones/templates/save_zone'
import { TemplateSync } from '#zones/templates/template_sync'
import { viewZoneTemplate } from '#zones/templates/zone_templates'

/** Maximum number of zones that one request compares, because each is read. */
const MAX_COMPARED = 100

/** /api/v2/zone-templates/{id}/drift and others: zones with a template link. */
@inject()
export default class ZoneTemplateZonesController {
  constructor(
    private readonly templates: TemplateSync,
    private readonly directory: ZoneDirectory,
    private readonly templateCreation: SaveZoneAsTemplate
  ) {}

  async drift(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    const asked = pageOf(ctx) ?? { number: 1, size: MAX_COMPARED, offset: 0 }
    const size = Math.min(asked.size, MAX_COMPARED)
    const page = { ...asked, size, offset: (asked.number - 1) * size }
    const { reports, total } = await this.templates.report(ctx.actor, template, page)
    return success(
      { zones: reports.map(driftItem) },
      'Zones compared with the template successfully',
      paged(page, total)
    )
  }

  async sync(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    const body = await validBody(ctx, templateSyncValidator)
    const { zones, local_changes: localChanges = 'keep', link = false } = body
    const options = { localChanges, link }
    refuseConditions(ctx, ['If-Match', 'If-None-Match'], 'it has no entity tag')
    const { intent } = writeTerms(ctx, body)
    const outcomes = await this.templates.sync(intent, template, zones, options)
    const refusals = outcomes.flatMap((outcome) => ('refusal' in outcome ? [outcome.refusal] : []))
    const processedZones = outcomes.flatMap((outcome) => ('zone' in outcome ? [outcome.zone] : []))
    const visible = await this.directory.visibleIds(ctx.actor, processedZones)
    const items = { zones: outcomes.map((outcome) => syncItem(outcome, visible)) }
    const [first] = refusals
    if (processedZones.length === 0) {
      const status = first instanceof Refusal ? first.status : 400
      throw new Refusal(status, first.message, items).because(first)
    }
    refusals.forEach((refusal) => auditRefusal(refusal, ctx))
    return success(
      items,
      intent.dryRun ? 'Planned only, nothing was changed' : 'Zones synchronised with the template'
    )
  }

  async unlink(ctx: HttpContext) {
    const template = await viewZoneTemplate(ctx.actor, addressId(ctx))
    const body = await validBody(ctx, templateUnlinkValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) =>
      this.templates.unlink(intent, template, body.zones)
    )
    return answerOutcome(ctx, outcome, () =>
      success(null, 'Zones unlinked from the template successfully')
    )
  }

  async save(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    demand(ctx.actor, { action: 'zone_template.create', isGlobal: false })
    const input = await validBody(ctx, zoneTemplateValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.templateCreation.save(intent, openedZone, newTemplateOf(input))
    )
    return answerOutcome(ctx, outcome, ({ id, records, leftOut }) => {
      ctx.response.status(201)
      return success({ id, records, left_out: leftOut }, 'Zone saved as a template successfully')
    })
  }
}
