import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { rrsetTag } from '#changes/model/etags'
import { RRSET_LIST, type RRsetListQuery } from '#backends/contract/record_lists'
import { answerList } from '#controllers/support/declared_list'
import { commentedList, includesComments } from '#controllers/support/included_comments'
import { ignoredErrors, placesOf, recordItems } from '#controllers/support/record_items'
import { openToWrite } from '#controllers/support/direct_write'
import { optionalBody, validItems } from '#controllers/support/request_body'
import { isFresh } from '#controllers/support/tagged'
import { writeTerms } from '#controllers/support/write_terms'
import type { RRsetKey } from '#dns/types'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { withWarnings } from '#transformers/plan'
import { rrsetDetail, rrsetItem } from '#transformers/rrset'
import { replaceRRsetValidator } from '#validators/record_sets'
import { writeValidator } from '#validators/fields'
import { ZoneDirectory } from '#zones/directory'
import { refuseRecords, ZoneRRsets, type CommentedRRset } from '#zones/records/rrsets'

/** /api/v2/zones/{id}/rrsets */
@inject()
export default class RRsetsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly rrsets: ZoneRRsets
  ) {}

  async index(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const commented = includesComments(ctx)
      ? (rrsets: CommentedRRset[]) => this.rrsets.commented(openedZone, rrsets)
      : null
    return answerList(
      ctx,
      RRSET_LIST,
      commentedList(
        {
          page: (query: RRsetListQuery) => this.rrsets.list(openedZone, query),
          batches: (query: RRsetListQuery) => this.rrsets.batches(openedZone, query),
        },
        commented
      ),
      { member: 'rrsets', item: rrsetItem, message: 'RRSets retrieved successfully' }
    )
  }

  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const found = await this.rrsets.find(openedZone, keyOf(ctx))
    const withComments = includesComments(ctx)
    if (!withComments && isFresh(ctx, rrsetTag(found))) {
      return
    }
    const [rrset] = withComments ? await this.rrsets.commented(openedZone, [found]) : [found]
    return success({ rrset: rrsetDetail(openedZone.zone, rrset) }, 'RRSet retrieved successfully')
  }

  /** Handles PUT, POST and PATCH, because clients use all three. */
  async replace(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.edit_records')
    const { body, indexes, errors, raw } = await validItems(ctx, replaceRRsetValidator, 'records')
    const isSingle = raw.length === 1
    if (!body) {
      return refuseRecords({ errors, isSingle })
    }
    const { name, type, ttl } = body
    const records = recordItems(body.records)
    const places = placesOf(body.records).map((index) => indexes[index])
    for (const [index, error] of ignoredErrors(body.records)) errors.add(indexes[index], error)
    if (records.length === 0) {
      if (!errors.isEmpty) refuseRecords({ errors, isSingle })
      throw invalid("No valid records to create: field 'records' has no entry with content")
    }
    const { intent, condition } = writeTerms(ctx, body)
    const input = { name, type, ttl, records }
    const checks = { condition, places, errors, isSingle }
    const outcome = await this.rrsets.replace(intent, openedZone, input, checks)
    return answerOutcome(ctx, outcome, ({ rrset, warnings }) => {
      ctx.response.header('ETag', rrsetTag(rrset))
      return success(
        { rrset: rrsetDetail(openedZone.zone, rrset), ...withWarnings(warnings) },
        'RRSet replaced successfully'
      )
    })
  }

  async destroy(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.edit_records')
    const { intent, condition } = writeTerms(ctx, await optionalBody(ctx, writeValidator))
    const outcome = await this.rrsets.delete(intent, openedZone, keyOf(ctx), condition)
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }
}

function keyOf({ params }: HttpContext): RRsetKey {
  return { name: String(params.name), type: String(params.type).toUpperCase() }
}
