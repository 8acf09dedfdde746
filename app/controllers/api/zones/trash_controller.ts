import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Intent } from '#changes/model/intent'
import { zoneTag } from '#changes/model/etags'
import { answerOutcome } from '#controllers/support/answer_outcome'
import { answerList } from '#controllers/support/declared_list'
import { optionalBody } from '#controllers/support/request_body'
import { refuseConditions, writeTerms } from '#controllers/support/write_terms'
import { success } from '#transformers/envelope'
import { trashItem } from '#transformers/history'
import { termsValidator } from '#validators/history'
import { TrashBin } from '#zones/lifecycle/trash'
import { listTrash, TRASH_LIST, trashBatches } from '#zones/lifecycle/trash_list'

/** /api/v2/trash */
@inject()
export default class TrashController {
  constructor(private readonly trash: TrashBin) {}

  async index(ctx: HttpContext) {
    return answerList(
      ctx,
      TRASH_LIST,
      {
        page: (query) => listTrash(ctx.actor, query),
        batches: (query) => trashBatches(ctx.actor, query),
      },
      { member: 'zones', item: trashItem, message: 'Deleted zones retrieved successfully' }
    )
  }

  async restore(ctx: HttpContext) {
    const intent = await trashIntent(ctx)
    const outcome = await this.trash.restore(intent, trashId(ctx))
    return answerOutcome(ctx, outcome, ({ keysLost, ...applied }) => {
      ctx.response.status(201)
      ctx.response.header('ETag', zoneTag(applied))
      const note = keysLost
        ? ' Its DNSSEC keys could not be read (APP_KEY was changed): the zone is unsigned.'
        : ''
      return success({ zone_id: applied.zone.id }, `Zone restored successfully.${note}`)
    })
  }

  async destroy(ctx: HttpContext) {
    const outcome = await this.trash.discard(await trashIntent(ctx), trashId(ctx))
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }
}

/** Deleted zones have no entity tags. */
async function trashIntent(ctx: HttpContext): Promise<Intent> {
  const body = await optionalBody(ctx, termsValidator)
  refuseConditions(ctx, ['If-Match', 'If-None-Match'], 'a deleted zone has no entity tag')
  return writeTerms(ctx, body).intent
}

/** The id of the path; 0, which no row has, for a number above the range of ids. */
function trashId({ params }: HttpContext): number {
  const id = Number(params.id)
  return id <= 2_147_483_647 ? id : 0
}
