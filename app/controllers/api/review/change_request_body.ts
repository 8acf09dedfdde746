import type { Infer } from '@vinejs/vine/types'
import type { BackendZone } from '#backends/contract/backend'
import { checkedRecordItems, hasEntry, removedItems } from '#controllers/support/record_items'
import type { ActionErrors } from '#changes/model/action_error'
import { invalid } from '#exceptions/refusal'
import { throwActionErrors } from '#review/action_error'
import type { FiledAction } from '#review/file_requests'
import type { fileRequestValidator } from '#validators/change_request'
import { recordActions, targetName } from '#zones/records/change_sets'
import { withDefaults } from '#zones/records/records'
import { isWithin } from '#dns/names'

type Body = Infer<typeof fileRequestValidator>
type ActionBody = Body['actions'][number]

const OPS = ['add', 'edit', 'delete', 'zone_delete', 'set', 'remove', 'clear']

/**
 * Returns the requests of the valid actions of a body, in order. Each `add` and `delete` of a record is a request. All `edit`
 * actions together are one request, as are all actions on RRsets.
 *
 * @param actions actions that passed the validator
 * @param indexes their indexes in the body
 * @param errors receives the errors of refused actions
 */
export function filedActions(
  zone: BackendZone,
  actions: Body['actions'],
  indexes: readonly number[],
  errors: ActionErrors
): FiledAction[] {
  const requests = actions.flatMap(
    (action, index) =>
      errors.attempt(indexes[index], () => [requestOf(zone, action, indexes[index])]) ?? []
  )
  refuseDeletionAmongOthers(requests, errors)
  return requests
}

function refuseDeletionAmongOthers(requests: FiledAction[], errors: ActionErrors): void {
  if (requests.length > 1 && requests.some((one) => one.recordActions === null)) {
    // Errors of single actions come first. A deletion cannot be planned together with other actions.
    throwActionErrors(errors, true)
    throw invalid('Only one action per change request is supported')
  }
}

function requestOf(zone: BackendZone, action: ActionBody, index: number): FiledAction {
  const { op, record = {}, record_id: id } = action
  if (!OPS.includes(op)) {
    throw invalid(
      `Field 'op' must be one of ${OPS.join(', ')}, found ${JSON.stringify(op.slice(0, 100))}`
    )
  }
  const isOfRRset = action.name !== undefined || action.type !== undefined || action.records
  if (op === 'zone_delete') {
    return { recordActions: null, group: 'zone', index }
  }
  if (['set', 'remove', 'clear'].includes(op) || (op === 'add' && isOfRRset && !action.record)) {
    return { recordActions: rrsetActions(zone, action), group: 'rrsets', index }
  }
  const { comment, ...fields } = record
  if (op === 'add') {
    const { name, type, content } = fields
    const missing = Object.entries({ name, type, content }).find(([, value]) => !value)
    if (!name || !type || !content || missing) {
      throw invalid(`Field 'record.${missing?.[0]}' is required`)
    }
    const input = withDefaults(zone, { ...fields, name, type, content })
    const commented = comment === undefined ? input : { ...input, comment }
    return { recordActions: [{ op, record: commented }], group: `add ${index}`, index, comment }
  }
  if (id === undefined) {
    throw invalid(`Field 'record_id' is required for ${op}`)
  }
  if (op === 'delete') {
    return { recordActions: [{ op, id }], group: `delete ${index}`, index }
  }
  if (!action.record) {
    throw invalid("Field 'record' is required for edit")
  }
  const typed = { ...fields, isTyped: true }
  const patch = comment === undefined ? typed : { ...typed, comment }
  return { recordActions: [{ op: 'edit', id, patch }], group: 'edits', index, comment }
}

/** As in a change set: the name is absolute. */
function rrsetActions(zone: BackendZone, action: ActionBody): FiledAction['recordActions'] {
  const { name, type, ttl } = action
  const op = action.op as 'add' | 'set' | 'remove' | 'clear'
  const missing = Object.entries({ name, type }).find(([, value]) => !value)
  if (!name || !type || missing) {
    throw invalid(`Field '${missing?.[0]}' is required for ${op}`)
  }
  const records = checkedRecordItems(action.records ?? [])
  if (op !== 'clear' && !hasEntry(op, records)) {
    throw invalid("Field 'records' must have at least one entry with content")
  }
  const owner = targetName(op, name)
  if (!isWithin(owner, zone.name)) {
    throw invalid(`Field 'name' must be in the zone '${zone.name}', found "${owner}"`)
  }
  const removed = removedItems(action.records ?? [])
  return recordActions(zone, { op, name: owner, type, ttl, records, removed })
}
