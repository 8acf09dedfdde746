import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { pageOf, paginationOf } from '#controllers/api/paging'
import { validBody } from '#controllers/api/request_body'
import { zoneId } from '#controllers/api/zones_controller'
import { recordDetail, recordItem } from '#transformers/record'
import { success } from '#transformers/envelope'
import { createRecordValidator, updateRecordValidator } from '#validators/record'
import { ZoneDirectory } from '#zones/directory'
import { ZoneRecords, type WrittenRecord } from '#zones/zone_records'

/** /api/v2/zones/{id}/records */
@inject()
export default class RecordsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly records: ZoneRecords
  ) {}

  async index(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const page = pageOf(ctx)
    const type = ctx.request.qs().type as string | undefined
    const { records, total } = await this.records.list(open, {
      ...(type ? { type } : {}),
      ...(page ? { offset: page.offset, limit: page.size } : {}),
    })
    return success({ records: records.map(recordItem) }, 'Records retrieved successfully', {
      ...(page ? { pagination: paginationOf(page, total) } : {}),
    })
  }

  async store(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const { create_ptr: createPtr, ...input } = await validBody(ctx, createRecordValidator)
    const { record, ptr } = await this.records.create(ctx.actor, open, input, { createPtr })
    ctx.response.status(201)
    return success(
      { record: { ...recordDetail(open.zone, record), ptr_created: ptr?.written ?? false } },
      `Record created successfully${ptrOutcome(ptr, 'creation')}`
    )
  }

  async show(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const record = await this.records.find(open, recordId(ctx))
    return success({ record: recordDetail(open.zone, record) }, 'Record retrieved successfully')
  }

  async update(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    await this.records.find(open, recordId(ctx))
    const { update_ptr: updatePtr, ...patch } = await validBody(ctx, updateRecordValidator)
    const { record, ptr } = await this.records.update(ctx.actor, open, recordId(ctx), patch, {
      updatePtr,
    })
    return success(
      { record: { ...recordDetail(open.zone, record), ptr_updated: ptr?.written ?? false } },
      `Record updated successfully${ptrOutcome(ptr, 'update')}`
    )
  }

  async destroy(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    await this.records.delete(ctx.actor, open, recordId(ctx))
    ctx.response.status(204)
  }
}

/** What the message says of the PTR record, if one was asked for. */
function ptrOutcome(ptr: WrittenRecord['ptr'], noun: 'creation' | 'update'): string {
  if (!ptr) {
    return ''
  }
  if (!ptr.written) {
    return ` PTR record ${noun} failed: ${ptr.note}.`
  }
  const done = noun === 'creation' ? 'created' : 'updated'
  return ` PTR record ${done} successfully.${ptr.note ? ` Note: ${ptr.note}.` : ''}`
}

function recordId({ params }: HttpContext): string {
  return String(params.recordId)
}
