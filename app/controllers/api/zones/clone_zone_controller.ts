import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { zoneTag } from '#changes/model/etags'
import { validBody } from '#controllers/support/request_body'
import { refuseConditions, writeTerms } from '#controllers/support/write_terms'
import { success } from '#transformers/envelope'
import { withWarnings } from '#transformers/plan'
import { cloneZoneValidator } from '#validators/zone'
import { CloneZone } from '#zones/lifecycle/clone'
import { ZoneDirectory } from '#zones/directory'

/** POST /api/v2/zones/{id}/clone */
@inject()
export default class CloneZoneController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly cloneZone: CloneZone
  ) {}

  async handle(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    demand(ctx.actor, { action: 'key.create_zones' })
    const input = await validBody(ctx, cloneZoneValidator)
    refuseConditions(ctx, ['If-Match'], 'a new zone has no entity tag yet')
    const { intent } = writeTerms(ctx, input)
    const outcome = await this.cloneZone.handle(intent, openedZone, {
      name: input.name,
      description: input.description,
      ownerUserId: input.owner_user_id,
      groupIds: input.group_ids,
    })
    return answerOutcome(ctx, outcome, (applied) => {
      ctx.response.status(201)
      ctx.response.header('ETag', zoneTag(applied))
      const data = { zone_id: applied.zone.id, ...withWarnings(applied.warnings) }
      return success(data, 'Zone cloned successfully')
    })
  }
}
