import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { metadataTag } from '#changes/model/etags'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { isFresh } from '#controllers/support/tagged'
import { writeTerms } from '#controllers/support/write_terms'
import { success } from '#transformers/envelope'
import { metadataItem } from '#transformers/current'
import { metadataValidator } from '#validators/zone'
import { writeValidator } from '#validators/fields'
import { ZoneMetadata } from '#zones/metadata'

/** /api/v2/zones/{id}/metadata */
@inject()
export default class ZoneMetadataController {
  constructor(private readonly metadata: ZoneMetadata) {}

  async index(ctx: HttpContext) {
    const all = await this.metadata.all(ctx.actor, zoneId(ctx))
    const metadata = Object.entries(all).map(([kind, values]) => metadataItem(kind, values))
    return success({ metadata }, 'Metadata retrieved successfully')
  }

  async show(ctx: HttpContext) {
    const kind = kindOf(ctx).toUpperCase()
    const values = await this.metadata.values(ctx.actor, zoneId(ctx), kind)
    if (isFresh(ctx, metadataTag(kind, values))) {
      return
    }
    return success(metadataItem(kind, values), 'Metadata retrieved successfully')
  }

  async update(ctx: HttpContext) {
    const kind = kindOf(ctx)
    const openedZone = await this.metadata.open(ctx.actor, zoneId(ctx), kind)
    const body = await validBody(ctx, metadataValidator)
    const { intent, condition } = writeTerms(ctx, body)
    const outcome = await this.metadata.set(intent, openedZone, kind, body.values, condition)
    return answerOutcome(ctx, outcome, (values) => {
      ctx.response.header('ETag', metadataTag(kind.toUpperCase(), values))
      return success(null, 'Metadata updated successfully')
    })
  }

  async destroy(ctx: HttpContext) {
    const kind = kindOf(ctx)
    const openedZone = await this.metadata.open(ctx.actor, zoneId(ctx), kind)
    const { intent, condition } = writeTerms(ctx, await optionalBody(ctx, writeValidator))
    const outcome = await this.metadata.delete(intent, openedZone, kind, condition)
    return answerOutcome(ctx, outcome, () => success(null, 'Metadata deleted successfully'))
  }
}

function kindOf({ params }: HttpContext): string {
  return String(params.kind)
}
