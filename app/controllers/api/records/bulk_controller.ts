import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { zoneTag } from '#changes/model/etags'
import { answerOutcome } from '#controllers/support/answer_outcome'
import { textOf } from '#controllers/support/record_items'
import { openToWrite } from '#controllers/support/direct_write'
import { validItems } from '#controllers/support/request_body'
import { writeTerms } from '#controllers/support/write_terms'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { withWarnings } from '#transformers/plan'
import { bulkValidator } from '#validators/record_sets'
import { ZoneDirectory } from '#zones/directory'
import { RecordBulk, type BulkOperation } from '#zones/records/bulk'

/** /api/v2/zones/{id}/records/bulk */
@inject()
export default class BulkController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly bulk: RecordBulk
  ) {}

  async handle(ctx: HttpContext) {
    const openedZone = await openToWrite(ctx, this.directory, 'zone.edit_records')
    const { body, indexes, errors, raw } = await validItems(ctx, bulkValidator, 'operations')
    const operations = placeResults(raw, indexes, body?.operations ?? [])
    if (!body) {
      return this.bulk.refuse(operations, errors)
    }
    if (body.operations.length === 0) {
      throw invalid('At least one operation is required')
    }
    const { intent, condition } = writeTerms(ctx, {
      dry_run: body.dry_run,
      reason: body.comment ?? body.reason,
    })
    const outcome = await this.bulk.handle(intent, openedZone, operations, { condition, errors })
    return answerOutcome(ctx, outcome, ({ total, done, applied }) => {
      ctx.response.header('ETag', zoneTag(applied))
      return success(
        {
          total_operations: total,
          created: done.create,
          updated: done.update,
          deleted: done.delete,
          failed: 0,
          errors: [],
          ...withWarnings(applied.warnings),
        },
        'Bulk operations completed successfully'
      )
    })
  }
}

/** The operations at their index in the request. A refused one has only its `action`, if that is valid. */
function placeResults(
  raw: readonly unknown[],
  indexes: number[],
  valid: BulkOperation[]
): BulkOperation[] {
  const operations = raw.map((item) => ({ action: textOf(item, 'action') }) as BulkOperation)
  indexes.forEach((index, at) => (operations[index] = valid[at]))
  return operations
}
