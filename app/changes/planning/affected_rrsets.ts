import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import { collectSteps, missingRecord, type ActionErrors } from '#changes/model/action_error'
import type { RecordAction } from '#changes/model/change_set'
import { keyOfInput, type Apex } from '#changes/model/rrset_key'
import type { ZoneReader } from '#changes/model/zone_reader'
import { runYielding } from '#database/event_loop'
import { ownerNameUnless } from '#dns/names'
import type { RRsetKey } from '#dns/types'

/** An RRset that an action reads or writes; `spelling` as in `StoredRecord`. */
export interface AffectedRRset extends RRsetKey {
  spelling?: string
  /** Index of the action, from 0. */
  action: number
}

/**
 * The RRsets from which actions remove records, or to which they add records. Adds to `errors` an
 * `InvalidDns` for an invalid name, and 404 for a missing record.
 */
export async function findAffectedRRsets(
  reader: ZoneReader,
  zone: BackendZone,
  actions: RecordAction[],
  errors: ActionErrors
): Promise<AffectedRRset[]> {
  const ids = actions.flatMap((action) =>
    action.op === 'edit' || action.op === 'delete' ? [action.id] : []
  )
  const found = ids.length > 0 ? await reader.findRecords(zone, ids) : []
  const storedById = new Map(found.map((record) => [String(record.id), record]))
  const steps = collectSteps(actions, errors, (action, index) =>
    keysOf(zone, action, storedById).map((key) => ({ ...key, action: index }))
  )
  const affected = await runYielding(steps)
  return affected.flatMap((sets) => sets ?? [])
}

/** The owner names that a plan reads: those of the RRsets, their stored spellings, and the apex. */
export function namesOf(zone: Apex, affected: AffectedRRset[]): string[] {
  const names = affected.flatMap(({ name, spelling }) => (spelling ? [name, spelling] : [name]))
  return [...new Set([zone.name, ...names])]
}

function keysOf(
  zone: Apex,
  action: RecordAction,
  storedById: Map<string, StoredRecord>
): Omit<AffectedRRset, 'action'>[] {
  if (action.op !== 'edit' && action.op !== 'delete') {
    return [keyOfInput(zone, action.op === 'add' ? action.record : action)]
  }
  const record = storedById.get(String(action.id))
  if (!record) {
    throw missingRecord()
  }
  const { name, type, spelling } = record
  const sourceSet = { name, type, spelling }
  if (action.op === 'delete') {
    return [sourceSet]
  }
  const { patch } = action
  const targetSet = {
    name: patch.name === undefined ? name : ownerNameUnless(name, patch.name, zone.name),
    type: (patch.type ?? type).toUpperCase(),
  }
  return [sourceSet, targetSet]
}
