import { isRestricted, type Actor, type KeyOperation } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { matchesPattern } from '#dns/names/name_patterns'

/** What is asked of the API key that the actor came with; without one, everything is allowed. */
export type KeyRequest =
  | { action: 'key.operate'; operations: KeyOperation[] }
  | { action: 'key.reach'; zoneId: number; zoneName?: string }
  | { action: 'key.create_zones' }
  /** To change who signs in, with what, and with which rights. */
  | { action: 'key.change_access' }

const RECORDS_ONLY =
  'Forbidden: this API key is restricted to records of some names and may not do this'

/** Whether the key allows these operations. */
export function keyOperates(actor: Actor, operations: KeyOperation[]): Decision {
  const key = actor.key
  const refused = operations.find(
    (operation) =>
      (key?.readOnly && operation !== 'view') || (key?.operations && !key.operations.has(operation))
  )
  return decide(
    refused === undefined,
    'key-operation',
    refused === undefined
      ? 'The API key permits the operation'
      : `Forbidden: this API key is not permitted to perform the '${refused}' operation`,
    sourceOf(actor)
  )
}

/** Whether the key reaches the zone; by its name as well, where that is known. */
export function keyReaches(actor: Actor, zoneId: number, zoneName?: string): Decision {
  const zones = actor.key?.zones
  const name = zones?.get(zoneId)
  const reaches = !zones || (name !== undefined && (zoneName === undefined || zoneName === name))
  return decide(
    reaches,
    'key-zone',
    reaches
      ? 'The API key reaches the zone'
      : 'Forbidden: this API key does not have access to the requested zone',
    sourceOf(actor)
  )
}

/** Whether the key may make zones: not when it is for zones that are there, or for records. */
export function keyCreatesZones(actor: Actor): Decision {
  return actor.key?.zones
    ? decide(
        false,
        'key-zone',
        'Forbidden: this API key is restricted to specific zones and cannot create others',
        sourceOf(actor)
      )
    : keyAdministers(actor)
}

/**
 * Whether the key may do something to a zone as a whole. A key for records reads zones, as its owner does;
 * which records it writes, `keyWrites` says.
 */
export function keyActsOnZone(actor: Actor, action: string): Decision {
  const isOfRecords = action.startsWith('zone.view') || action === 'zone.edit_records'
  return isOfRecords
    ? decide(true, 'key-pattern', 'A reading', sourceOf(actor))
    : keyAdministers(actor)
}

/** Whether the key may change what is no record: a key that is restricted to patterns may not. */
export function keyAdministers(actor: Actor): Decision {
  const mayAll = !actor.key?.patterns
  return decide(
    mayAll,
    'key-pattern',
    mayAll ? 'The API key is not restricted to patterns' : RECORDS_ONLY,
    sourceOf(actor)
  )
}

/**
 * Whether the key may change who signs in, with what, and with which rights. A restricted key may not: whoever has it
 * could sign in as somebody whom its restrictions do not bind.
 */
export function keyChangesAccess(actor: Actor): Decision {
  const isBound = actor.key !== null && isRestricted(actor.key)
  return decide(
    !isBound,
    'key-access',
    isBound
      ? 'Forbidden: an API key with restrictions cannot change users, groups, rights or ways to sign in'
      : 'The API key has no restrictions',
    sourceOf(actor)
  )
}

/** Whether the key may write the RRset. Name and type are canonical. */
export function keyWrites(actor: Actor, name: string, type: string): Decision {
  const patterns = actor.key?.patterns
  const matches =
    !patterns ||
    patterns.some((it) => (it.types?.has(type) ?? true) && matchesPattern(it.name, name))
  return decide(
    matches,
    'key-pattern',
    matches
      ? `The API key may write ${type} records of '${name}'`
      : `Forbidden: this API key may not write ${type} records of '${name}'`,
    sourceOf(actor)
  )
}

function sourceOf({ key }: Actor): string {
  return key ? `API key ${key.id}` : 'no API key'
}
