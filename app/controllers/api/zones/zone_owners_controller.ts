import { addressId, zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { optionalBody } from '#controllers/support/request_body'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { zoneOwnerValidator } from '#validators/accounts/group'
import { writeValidator } from '#validators/fields'
import { ZoneOwners, type AddedOwners } from '#zones/ownership/zone_owners'

/** /api/v2/zones/{id}/owners */
@inject()
export default class ZoneOwnersController {
  constructor(private readonly owners: ZoneOwners) {}

  async index(ctx: HttpContext) {
    const owners = await this.owners.list(ctx.actor, zoneId(ctx))
    return success({ owners }, 'Owners retrieved successfully')
  }

  async store(ctx: HttpContext) {
    const zone = zoneId(ctx)
    await this.owners.open(ctx.actor, zone)
    const { user_id: one, user_ids: many, ...input } = await optionalBody(ctx, zoneOwnerValidator)
    if ((one === undefined) === (many === undefined)) {
      throw invalid(
        one === undefined
          ? 'Missing required field: user_id or user_ids'
          : "Send only one of the fields 'user_id' and 'user_ids'"
      )
    }
    if (one !== undefined) {
      const outcome = await untaggedWrite(ctx, input, (intent) =>
        this.owners.add(intent, zone, one)
      )
      return answerOutcome(ctx, outcome, () => {
        ctx.response.status(201)
        return success(null, 'Owner added successfully')
      })
    }
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.owners.addAll(intent, zone, many ?? [])
    )
    return answerOutcome(ctx, outcome, (owners) => {
      ctx.response.status(owners.added.length > 0 ? 201 : 200)
      return success(owners, messageOf(owners))
    })
  }

  async destroy(ctx: HttpContext) {
    const zone = zoneId(ctx)
    await this.owners.open(ctx.actor, zone)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) => {
      if (Number(ctx.params.userId) === 0) {
        throw invalid('Invalid user id 0: ids start at 1')
      }
      return this.owners.remove(intent, zone, addressId(ctx, 'userId'))
    })
    return answerOutcome(ctx, outcome, () => success(null, 'Owner removed successfully'))
  }
}

function messageOf({ added, skipped, not_found: unknown }: AddedOwners): string {
  return [
    `${added.length} owner(s) added`,
    ...(skipped.length > 0 ? [`${skipped.length} already assigned`] : []),
    ...(unknown.length > 0 ? [`${unknown.length} not found`] : []),
  ].join(', ')
}
