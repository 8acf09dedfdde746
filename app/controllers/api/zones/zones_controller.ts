import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { openToWrite } from '#controllers/support/direct_write'
import { answerList } from '#controllers/support/declared_list'
import { validBody, optionalBody } from '#controllers/support/request_body'
import { stamped } from '#controllers/support/stamped'
import { isFresh } from '#controllers/support/tagged'
import { refuseConditions, writeTerms } from '#controllers/support/write_terms'
import { zoneTag } from '#changes/model/etags'
import { invalid } from '#exceptions/refusal'
import { success, timestamp } from '#transformers/envelope'
import { withWarnings } from '#transformers/plan'
import { birthSigning } from '#transformers/signing'
import { zoneDetail, zoneItem } from '#transformers/zone'
import { createZoneValidator, updateZoneValidator } from '#validators/zone'
import { writeValidator } from '#validators/fields'
import { CreateZone } from '#zones/lifecycle/create'
import { DeleteZone } from '#zones/lifecycle/delete'
import { SignNewZone } from '#zones/dnssec/sign_new_zone'
import { ZoneDirectory } from '#zones/directory'
import { UpdateZone } from '#zones/lifecycle/update'
import { ZONE_LIST, ZoneList } from '#zones/list/zone_list'

/** /api/v2/zones */
@inject()
export default class ZonesController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly zones: ZoneList,
    private readonly createZone: CreateZone,
    private readonly signNewZone: SignNewZone,
    private readonly updateZone: UpdateZone,
    private readonly deleteZone: DeleteZone
  ) {}

  async index(ctx: HttpContext) {
    const message = 'Zones retrieved successfully'
    return answerList(
      ctx,
      ZONE_LIST,
      {
        page: (query) => this.zones.page(ctx.actor, query),
        batches: (query) => this.zones.batches(ctx.actor, query),
      },
      { member: 'zones', item: zoneItem, message, extras: { meta: timestamp() } }
    )
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    demand(actor, { action: 'key.create_zones' })
    const input = await validBody(ctx, createZoneValidator)
    refuseConditions(ctx, ['If-Match'], 'a new zone has no entity tag yet')
    const isToBeSigned = this.signNewZone.counts(input.enable_dnssec)
    const draft = await this.createZone.prepare(actor, {
      isToBeSigned,
      name: input.name,
      type: input.type,
      masters: input.masters ?? input.master,
      description: input.description,
      account: input.account,
      ownerUserId: input.owner_user_id,
      groupIds: input.group_ids,
      soaEditApi: input.soa_edit_api,
      templateId: templateId(input.template),
    })
    if (isToBeSigned) {
      this.signNewZone.demandSigner()
    }
    const { intent } = writeTerms(ctx, input)
    // Errors of these steps contain the time, as zone lists do.
    const outcome = await stamped(() => this.createZone.finish(intent, draft))
    return answerOutcome(ctx, outcome, async (applied) => {
      ctx.response.status(201)
      const { zone, warnings } = applied
      const signing = isToBeSigned ? await this.signNewZone.sign(intent, zone) : null
      const current = signing ? await this.directory.describe(zone) : applied
      ctx.response.header('ETag', zoneTag(current))
      const data = { zone_id: zone.id, ...birthSigning(signing), ...withWarnings(warnings) }
      return success(data, 'Zone created successfully')
    })
  }

  async show(ctx: HttpContext) {
    const { zone } = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const described = await this.directory.describe(zone)
    if (isFresh(ctx, zoneTag(described))) {
      return
    }
    const detail = zoneDetail(zone, described.description)
    return success({ zone: detail }, 'Zone retrieved successfully')
  }

  async update(ctx: HttpContext) {
    const openedZone = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const input = await validBody(ctx, updateZoneValidator)
    const masters = input.masters ?? input.master
    const { name, type, account, description } = input
    const wanted = { name, type, masters, account, description }
    if (Object.values(wanted).every((value) => value === undefined)) {
      throw invalid(
        'No valid fields provided for update; allowed: name, type, master, masters, account, description'
      )
    }
    const { intent, condition } = writeTerms(ctx, input)
    const outcome = await this.updateZone.handle(intent, openedZone, wanted, condition)
    return answerOutcome(ctx, outcome, (applied) => {
      ctx.response.header('ETag', zoneTag(applied))
      const zone = zoneDetail(applied.zone, applied.description)
      return success({ zone, ...withWarnings(applied.warnings) }, 'Zone updated successfully')
    })
  }

  async destroy(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.delete')
    const { intent, condition } = writeTerms(ctx, await optionalBody(ctx, writeValidator))
    const outcome = await this.deleteZone.handle(intent, openedZone, condition)
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }
}

function templateId(template: string | number | null | undefined): number | undefined {
  if (template === undefined || template === null || template === 'none' || template === '') {
    return undefined
  }
  if (!/^\d{1,10}$/.test(String(template))) {
    throw invalid(
      `Field 'template' must be the id of a zone template or "none", found "${template}"`
    )
  }
  return Number(template)
}
