import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { RECORD_LIST, type RecordListQuery } from '#backends/contract/record_lists'
import { answerList } from '#controllers/support/declared_list'
import { commentedList, includesComments } from '#controllers/support/included_comments'
import { openToWrite } from '#controllers/support/direct_write'
import { validBody, optionalBody } from '#controllers/support/request_body'
import { isFresh } from '#controllers/support/tagged'
import { writeTerms } from '#controllers/support/write_terms'
import { recordTag } from '#changes/model/etags'
import { withWarnings } from '#transformers/plan'
import { recordDetail, recordItem } from '#transformers/record'
import { success } from '#transformers/envelope'
import { createRecordValidator, updateRecordValidator } from '#validators/record'
import { writeValidator } from '#validators/fields'
import { ZoneDirectory } from '#zones/directory'
import { ZoneRecords, type CommentedRecord, type WrittenRecord } from '#zones/records/records'

/** /api/v2/zones/{id}/records */
@inject()
export default class RecordsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly records: ZoneRecords
  ) {}

  async index(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const commented = includesComments(ctx)
      ? (records: CommentedRecord[]) => this.records.commented(openedZone, records)
      : null
    return answerList(
      ctx,
      RECORD_LIST,
      commentedList(
        {
          page: (query: RecordListQuery) => this.records.list(openedZone, query),
          batches: (query: RecordListQuery) => this.records.batches(openedZone, query),
        },
        commented
      ),
      { member: 'records', item: recordItem, message: 'Records retrieved successfully' }
    )
  }

  async store(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.edit_records')
    const { create_ptr: withPtr, ...body } = await validBody(ctx, createRecordValidator)
    const { dry_run: dryRun, reason, ...input } = body
    const { intent, condition } = writeTerms(ctx, { dry_run: dryRun, reason })
    const options = { withPtr, condition }
    const outcome = await this.records.create(intent, openedZone, input, options)
    return answerOutcome(ctx, outcome, ({ record, ptr, warnings }) => {
      ctx.response.status(201)
      ctx.response.header('ETag', recordTag(record))
      const shown = { ...record, comment: input.comment }
      const detail = { ...recordDetail(openedZone.zone, shown), ptr_created: ptr?.written ?? false }
      return success(
        { record: detail, ...withWarnings(warnings) },
        `Record created successfully${ptrOutcome(ptr, 'creation')}`
      )
    })
  }

  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const found = await this.records.find(openedZone, recordId(ctx))
    const withComment = includesComments(ctx)
    if (!withComment && isFresh(ctx, recordTag(found))) {
      return
    }
    const [record] = withComment ? await this.records.commented(openedZone, [found]) : [found]
    return success(
      { record: recordDetail(openedZone.zone, record) },
      'Record retrieved successfully'
    )
  }

  async update(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.edit_records')
    await this.records.find(openedZone, recordId(ctx), { asKnown: true })
    const { update_ptr: withPtr, ...body } = await validBody(ctx, updateRecordValidator)
    const { dry_run: dryRun, reason, ...patch } = body
    const { intent, condition } = writeTerms(ctx, { dry_run: dryRun, reason })
    const options = { withPtr, condition }
    const outcome = await this.records.update(intent, openedZone, recordId(ctx), patch, options)
    return answerOutcome(ctx, outcome, (written) => {
      const { record, ptr, warnings } = written
      ctx.response.header('ETag', recordTag(record))
      const shown = { ...record, comment: patch.comment }
      const detail = { ...recordDetail(openedZone.zone, shown), ptr_updated: ptr?.written ?? false }
      return success(
        { record: detail, ...withWarnings(warnings) },
        `Record updated successfully${ptrOutcome(ptr, 'update')}`
      )
    })
  }

  async destroy(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.edit_records')
    const { intent, condition } = writeTerms(ctx, await optionalBody(ctx, writeValidator))
    const outcome = await this.records.delete(intent, openedZone, recordId(ctx), condition)
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }
}

/** The part of the message about the PTR record, if one was requested. */
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
