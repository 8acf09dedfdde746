import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import type { AutoprimaryKey } from '#backends/contract/autoprimaries'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { success } from '#transformers/envelope'
import { createAutoprimaryValidator, updateAutoprimaryValidator } from '#validators/autoprimary'
import { writeValidator } from '#validators/fields'
import { AUTOPRIMARY_LIST, Autoprimaries } from '#zones/autoprimaries'

/** /api/v2/autoprimaries */
@inject()
export default class AutoprimariesController {
  constructor(private readonly autoprimaries: Autoprimaries) {}

  async index(ctx: HttpContext) {
    const query = listQueryOf(ctx, AUTOPRIMARY_LIST)
    const page = await this.autoprimaries.list(ctx.actor, query)
    return success(
      { autoprimaries: page.rows },
      'Autoprimaries retrieved successfully',
      pagedList(ctx, AUTOPRIMARY_LIST, query, page)
    )
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.add_autoprimaries' })
    const input = await validBody(ctx, createAutoprimaryValidator)
    const { ip, nameserver, account = '' } = input
    const wanted = { ip, nameserver, account }
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.autoprimaries.add(intent, wanted)
    )
    return answerOutcome(ctx, outcome, (autoprimary) => {
      ctx.response.status(201)
      return success({ autoprimary }, 'Autoprimary created successfully')
    })
  }

  async update(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.edit_autoprimaries' })
    const input = await optionalBody(ctx, updateAutoprimaryValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.autoprimaries.change(intent, keyOf(ctx), input)
    )
    return answerOutcome(ctx, outcome, (autoprimary) =>
      success({ autoprimary }, 'Autoprimary updated successfully')
    )
  }

  async destroy(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.edit_autoprimaries' })
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) =>
      this.autoprimaries.remove(intent, keyOf(ctx))
    )
    return answerOutcome(ctx, outcome, () => ctx.response.status(204).send(null))
  }
}

function keyOf({ params }: HttpContext): AutoprimaryKey {
  return { ip: String(params.ip), nameserver: String(params.nameserver) }
}
