import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import {
  explain,
  explainedAction,
  type ExplainedAction,
  type ExplainedObject,
} from '#access/explain'
import { findSubject } from '#accounts/explained_subject'
import { rowIdFilter } from '#controllers/support/row_id_filter'
import { success } from '#transformers/envelope'
import { explanationItem } from '#transformers/accounts/explanation'
import { ZoneDirectory } from '#zones/directory'
import { explainedObject } from '#zones/explain_target'

/** GET /api/v2/explain: rights of a user or key, with reasons. */
@inject()
export default class ExplainController {
  constructor(private readonly directory: ZoneDirectory) {}

  async handle(ctx: HttpContext) {
    const action = explainedAction(ctx.request.qs().action as string | undefined)
    const subject = await findSubject(ctx.actor, {
      userId: rowIdFilter(ctx, 'user_id'),
      keyId: rowIdFilter(ctx, 'api_key_id'),
    })
    const object = await this.#object(ctx, action)
    const explanation = explain(subject.actor, action, object)
    return success(explanationItem(action, subject, explanation), 'Decision explained successfully')
  }

  /**
   * The object of the question. A zone that is hidden from the caller is missing, for every
   * subject.
   */
  #object(ctx: HttpContext, action: ExplainedAction): Promise<ExplainedObject> {
    const { name, type } = ctx.request.qs() as Record<string, string | undefined>
    const zone = rowIdFilter(ctx, 'zone_id') ?? undefined
    const labels = { zone: 'zone_id', name: 'name', type: 'type' }
    return explainedObject(action, { zone, name, type }, labels, () =>
      this.directory.openVisible(ctx.actor, zone!)
    )
  }
}
