import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'
import type { Condition } from '#changes/model/change_set'
import { answerOutcome } from '#controllers/support/answer_outcome'
import {
  hasEntry,
  placesOf,
  checkedRecordItems,
  removedItems,
  textOf,
} from '#controllers/support/record_items'
import { validItems } from '#controllers/support/request_body'
import { matching, refuseConditions, writeTerms } from '#controllers/support/write_terms'
import { invalid } from '#exceptions/refusal'
import { changeDetailYielding } from '#transformers/plan'
import { success } from '#transformers/envelope'
import { changesValidator } from '#validators/record_sets'
import { ChangeSets, type ChangeAction } from '#zones/records/change_sets'
import { ZoneDirectory } from '#zones/directory'

type ActionBody = Infer<typeof changesValidator>['actions'][number]

/** /api/v2/changes */
@inject()
export default class ChangesController {
  constructor(
    private readonly changes: ChangeSets,
    private readonly directory: ZoneDirectory
  ) {}

  async handle(ctx: HttpContext) {
    const { body, indexes, errors, raw } = await validItems(ctx, changesValidator, 'actions')
    const instead = "use the members 'if_match' and 'expect' of an action"
    refuseConditions(ctx, ['If-Match', 'If-None-Match'], instead)
    const { intent } = writeTerms(ctx, body ?? {})
    // A refused action has as much as its message names.
    const actions = raw.map((item): ChangeAction => {
      const [op, name, type] = ['op', 'name', 'type'].map((member) => textOf(item, member))
      return { op: op as ChangeAction['op'], name, type }
    })
    indexes.forEach((index, at) => {
      const action = errors.attempt(index, () => actionOf(body!.actions[at], index))
      if (action) actions[index] = action
    })
    const planHash = body?.plan_hash ?? null
    const terms = { ...intent, planHash, review: 'file' as const }
    const outcome = await this.changes.submit(terms, actions, errors)
    return answerOutcome(ctx, outcome, async (zones) => {
      const visible = await this.directory.visibleIds(
        ctx.actor,
        zones.map(({ zone }) => zone)
      )
      ctx.response.status(201)
      return success(
        { change: await changeDetailYielding(zones, visible) },
        'Change set applied successfully'
      )
    })
  }
}

function actionOf(body: ActionBody, index: number): ChangeAction {
  const { op, name, type, ttl, zone_id: zoneId } = body
  const records = checkedRecordItems(body.records ?? [])
  const removed = removedItems(body.records ?? [])
  if (op !== 'clear' && !hasEntry(op, records)) {
    throw invalid(`Field 'actions.${index}.records' must have at least one entry with content`)
  }
  const condition = conditionOf(body, index)
  const places = placesOf(body.records ?? [])
  return { op, name, type, ttl, records, removed, places, condition, zoneId }
}

function conditionOf({ expect, if_match: tag }: ActionBody, index: number): Condition | undefined {
  if (tag !== undefined && expect === 'absent') {
    throw invalid(`Field 'actions.${index}.if_match' cannot be combined with expect "absent"`)
  }
  if (tag !== undefined) {
    return matching(tag, `Field 'actions.${index}.if_match'`)
  }
  return expect === undefined || expect === 'any' ? undefined : { kind: expect }
}
