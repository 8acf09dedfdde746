import { addressId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { openGroup, viewGroup } from '#accounts/groups/groups'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { answerList } from '#controllers/support/declared_list'
import { optionalBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { groupZoneItem } from '#transformers/accounts/group'
import { groupZoneValidator } from '#validators/accounts/group'
import { writeValidator } from '#validators/fields'
import { GROUP_ZONE_LIST, GroupZones } from '#zones/ownership/group_zones'

/** /api/v2/groups/{id}/zones */
@inject()
export default class GroupZonesController {
  constructor(private readonly zones: GroupZones) {}

  async index(ctx: HttpContext) {
    const { id } = await viewGroup(ctx.actor, addressId(ctx))
    return answerList(
      ctx,
      GROUP_ZONE_LIST,
      {
        page: (query) => this.zones.list(ctx.actor, id, query),
        batches: (query) => this.zones.batches(ctx.actor, id, query),
      },
      { member: 'zones', item: groupZoneItem, message: 'Zones retrieved successfully' }
    )
  }

  async store(ctx: HttpContext) {
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const input = await optionalBody(ctx, groupZoneValidator)
    const { zone_id: zone } = input
    if (zone === undefined) {
      throw invalid('Missing required field: zone_id')
    }
    const outcome = await untaggedWrite(ctx, input, (intent) => this.zones.assign(intent, id, zone))
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(201)
      return success(null, 'Zone assigned successfully')
    })
  }

  async destroy(ctx: HttpContext) {
    // The restriction of the API key has precedence over a missing group.
    demand(ctx.actor, { action: 'key.reach', zoneId: addressId(ctx, 'zoneId') })
    const { id } = await openGroup(ctx.actor, addressId(ctx))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) =>
      this.zones.unassign(intent, id, addressId(ctx, 'zoneId'))
    )
    return answerOutcome(ctx, outcome, () => success(null, 'Zone unassigned successfully'))
  }
}
