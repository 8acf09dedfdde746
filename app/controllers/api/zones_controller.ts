import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, paginationOf } from '#controllers/api/paging'
import { validBody } from '#controllers/api/request_body'
import { InvalidDns } from '#dns/errors'
import { zoneName } from '#dns/names'
import { Refusal, forbidden, invalid } from '#exceptions/refusal'
import { success, timestamp } from '#transformers/envelope'
import { zoneDetail, zoneItem } from '#transformers/zone'
import { createZoneValidator, updateZoneValidator } from '#validators/zone'
import { CreateZone } from '#zones/create_zone'
import { DeleteZone } from '#zones/delete_zone'
import { ZoneDirectory } from '#zones/directory'
import { UpdateZone } from '#zones/update_zone'

/** /api/v2/zones */
@inject()
export default class ZonesController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly createZone: CreateZone,
    private readonly updateZone: UpdateZone,
    private readonly deleteZone: DeleteZone
  ) {}

  async index(ctx: HttpContext) {
    const page = pageOf(ctx)
    const text = ctx.request.qs().name as string | undefined
    const name = text ? nameFilter(text) : undefined
    const { zones, total } = await this.directory.list(ctx.actor, {
      name,
      ...(page ? { offset: page.offset, limit: page.size } : {}),
    })
    return success({ zones: zones.map(zoneItem) }, 'Zones retrieved successfully', {
      meta: timestamp(),
      ...(page ? { pagination: paginationOf(page, total) } : {}),
    })
  }

  async store(ctx: HttpContext) {
    const { actor } = ctx
    if (actor.key?.zones) {
      throw forbidden(
        'Forbidden: this API key is restricted to specific zones and cannot create others'
      )
    }
    const input = await validBody(ctx, createZoneValidator)
    const draft = await this.createZone.prepare(actor, {
      name: input.name,
      type: input.type,
      masters: input.masters ?? input.master,
      description: input.description,
      account: input.account,
      ownerUserId: input.owner_user_id,
      groupIds: input.group_ids,
      soaEditApi: input.soa_edit_api,
      templateId: templateId(input.template),
    })
    const id = await stamped(() => this.createZone.finish(actor, draft))
    ctx.response.status(201)
    return success({ zone_id: id }, 'Zone created successfully')
  }

  async show(ctx: HttpContext) {
    const { zone } = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const description = await this.directory.descriptionOf(zone)
    return success({ zone: zoneDetail(zone, description) }, 'Zone retrieved successfully')
  }

  async update(ctx: HttpContext) {
    const open = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const input = await validBody(ctx, updateZoneValidator)
    const masters = input.masters ?? input.master
    const { name, type, account, description } = input
    const wanted = { name, type, masters, account, description }
    if (Object.values(wanted).every((value) => value === undefined)) {
      throw invalid(
        'No valid fields provided for update; there are name, type, master, masters, account, description'
      )
    }
    const zone = await this.updateZone.handle(ctx.actor, open, wanted)
    const now = await this.directory.descriptionOf(zone)
    return success({ zone: zoneDetail(zone, now) }, 'Zone updated successfully')
  }

  async destroy(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.delete')
    await this.deleteZone.handle(ctx.actor, open)
    ctx.response.status(204)
  }
}

/** Refusals of the later steps of creation carry the time, as lists of zones do. */
async function stamped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal || error instanceof InvalidDns) {
      const status = error instanceof Refusal ? error.status : 400
      throw new Refusal(status, error.message, null, { meta: timestamp() })
    }
    throw error
  }
}

/** The zone id of the address; the route lets digits only come here. */
export function zoneId({ params }: HttpContext): number {
  return Number(params.id)
}

/** The canonical name to look for; null for a text that no zone can be named. */
function nameFilter(text: string): string | null {
  try {
    return zoneName(text)
  } catch {
    return null
  }
}

function templateId(template: string | number | null | undefined): number | undefined {
  if (template === undefined || template === null || template === 'none' || template === '') {
    return undefined
  }
  const id = Number(template)
  if (!/^\d{1,10}$/.test(String(template))) {
    throw invalid(
      `Field 'template' must be the id of a zone template or "none", found "${template}"`
    )
  }
  return id
}
