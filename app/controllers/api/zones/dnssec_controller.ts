import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { untaggedIntent } from '#controllers/support/account_terms'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { success } from '#transformers/envelope'
import { signingMessage, signingStatus } from '#transformers/signing'
import { signValidator } from '#validators/signing'
import { writeValidator } from '#validators/write'
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
    const opened = await this.directory.open(ctx.actor, zoneId(ctx), 'sign')
    const { enabled, algorithm, ...input } = await validBody(ctx, signValidator)
    const intent = untaggedIntent(ctx, input)
    const { state, changed, unfinished } = enabled
      ? await this.states.sign(intent, opened, algorithm)
      : await this.states.unsign(intent, opened)
    const word = enabled ? 'enabled' : 'disabled'
    const message = changed ? `DNSSEC ${word} successfully` : `DNSSEC already ${word}`
    return success(signingStatus(state), signingMessage(message, unfinished))
  }

  async rectify(ctx: HttpContext) {
    const opened = await this.directory.open(ctx.actor, zoneId(ctx), 'rectify')
    const intent = untaggedIntent(ctx, await optionalBody(ctx, writeValidator))
    await this.states.rectify(intent, opened)
    return success(null, 'Zone rectified successfully')
  }
}
