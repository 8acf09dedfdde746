import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { canView } from '#access/demand'
import { typedRecord } from '#validators/web/zone_draft'
import { ZoneDirectory } from '#zones/directory'
import { RecordCheck } from '#zones/records/check_record'

/** /zones/{id}/check: validates a record while it is edited. */
@inject()
export default class RecordCheckController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly check: RecordCheck
  ) {}

  async store(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const { id, ...typed } = await ctx.request.validateUsing(typedRecord)
    const { name = '', type = '', content = '', ttl = '', priority = '' } = typed
    const record = { ...(id ? { id } : {}), name, type, content, ttl, priority }
    return this.check.handle(openedZone, record, canView(ctx.actor, openedZone.facts))
  }
}
