import { addressId, zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { success } from '#transformers/envelope'
import { signingKeyItem, signingMessage } from '#transformers/signing'
import { addKeyValidator, changeKeyValidator, importKeyValidator } from '#validators/signing'
import { writeValidator } from '#validators/fields'
import { SigningDirectory } from '#zones/dnssec/signing_context'
import { ZoneKeys } from '#zones/dnssec/zone_keys'

/** /api/v2/zones/{id}/dnssec/keys */
@inject()
export default class DnssecKeysController {
  constructor(
    private readonly directory: SigningDirectory,
    private readonly keys: ZoneKeys
  ) {}

  async index(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'read')
    const keys = await this.keys.list(context)
    const items = keys.map((key) => signingKeyItem(key, keys))
    return success(items, 'DNSSEC keys retrieved successfully')
  }

  async store(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'keys')
    const input = await validBody(ctx, addKeyValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.keys.add(intent, context, input)
    )
    return answerOutcome(ctx, outcome, ({ key, keys, unfinished }) => {
      ctx.response.status(201)
      const message = signingMessage('DNSSEC key added successfully', unfinished)
      return success(signingKeyItem(key, keys), message)
    })
  }

  async import(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'import')
    const input = await validBody(ctx, importKeyValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.keys.import(intent, context, input)
    )
    return answerOutcome(ctx, outcome, ({ key, keys, unfinished }) => {
      ctx.response.status(201)
      const message = signingMessage('DNSSEC key imported successfully', unfinished)
      return success(signingKeyItem(key, keys), message)
    })
  }

  async show(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'read')
    const { key, keys } = await this.keys.find(context, addressId(ctx, 'keyId'))
    return success(signingKeyItem(key, keys), 'DNSSEC key retrieved successfully')
  }

  async update(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'keys')
    const { active, ...input } = await validBody(ctx, changeKeyValidator)
    const outcome = await untaggedWrite(ctx, input, (intent) =>
      this.keys.setActive(intent, context, addressId(ctx, 'keyId'), active)
    )
    return answerOutcome(ctx, outcome, (change) => {
      const { key, keys, changed, unfinished } = change
      const message = changed
        ? `DNSSEC key ${active ? 'activated' : 'deactivated'} successfully`
        : `DNSSEC key already ${active ? 'active' : 'inactive'}`
      return success(signingKeyItem(key, keys), signingMessage(message, unfinished))
    })
  }

  async destroy(ctx: HttpContext) {
    const context = await this.directory.open(ctx.actor, zoneId(ctx), 'keys')
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) =>
      this.keys.delete(intent, context, addressId(ctx, 'keyId'))
    )
    return answerOutcome(ctx, outcome, (unfinished) =>
      success(null, signingMessage('DNSSEC key deleted successfully', unfinished))
    )
  }
}
