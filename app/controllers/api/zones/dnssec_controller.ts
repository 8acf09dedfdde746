import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { success } from '#transformers/envelope'
import { signingMessage, signingStatus } from '#transformers/signing'
import { signValidator } from '#validators/signing'
import { writeValidator } from '#validators/fields'
import { SigningDirectory } from '#zones/dnssec/signing_context'
import { ZoneSigningStates } from '#zones/dnssec/zone_signing'

/** /api/v2/zones/{id}/dnssec */
@inject()
export default class DnssecController {
  constructor(
    private readonly directory: SigningDirectory,
    private readonly states: ZoneSigningStates
  ) {}

  async show(ctx: HttpContext) {
    const { zone, signing } = await this.directory.open(ctx.actor, zoneId(ctx), 'read')
    const state = await signing.state(zone)
    return success(signingStatus(state), 'DNSSEC status retrieved successfully')
  }

  async sign(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'sign')
    const { enabled, algorithm, ...input } = await validBody(ctx, signValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      enabled ? this.states.sign(intent, context, algorithm) : this.states.unsign(intent, context)
    )
    return answerOutcome(ctx, outcome, ({ state, changed, unfinished }) => {
      const word = enabled ? 'enabled' : 'disabled'
      const message = changed ? `DNSSEC ${word} successfully` : `DNSSEC already ${word}`
      return success(signingStatus(state), signingMessage(message, unfinished))
    })
  }

  async rectify(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'rectify')
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) => this.states.rectify(intent, context))
    return answerOutcome(ctx, outcome, () => success(null, 'Zone rectified successfully'))
  }
}
