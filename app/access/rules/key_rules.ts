import { isRestricted, type Actor, type KeyOperation, type KeyScope } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { matchesPattern } from '#dns/names/name_patterns'

/** Requests about the API key of the caller; all are allowed without a key. */
export type KeyRequest =
  | { action: 'key.operate'; operations: KeyOperation[] }
  | { action: 'key.reach'; zoneId: number; zoneName?: string }
  | { action: 'key.create_zones' }
  /** Change who can sign in, how, or with which rights. */
  | { action: 'key.change_access' }
  | { action: 'key.open'; access: OutsideAccess; what: string }
  | { action: 'key.rename_zone' }

/**
 * Access to a zone that does not pass the API key. Zone transfers and NOTIFY let others `read`.
 * Dynamic updates, primaries, imported DNSSEC keys and owners let others `write`. `code` runs on
 * the name server.
 */
export type OutsideAccess = 'read' | 'write' | 'code'

/** Operations that others get by the access. An update reads the zone by its prerequisites. */
const OPENED: Record<OutsideAccess, readonly KeyOperation[]> = {
  read: ['view'],
  write: ['view', 'create', 'update', 'delete'],
  code: ['view', 'create', 'update', 'delete'],
}

const OPENED_TO: Record<OutsideAccess, string> = {
  read: 'others could read the zone',
  write: 'others could change the zone',
  code: 'code could run on the name server',
}

const RECORDS_ONLY =
  'Forbidden: this API key is restricted to records of certain names and cannot do this'

/** Returns whether the key allows these operations. */
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

/** Returns whether the key reaches the zone, by id and, if given, by name. */
export function keyReaches(actor: Actor, zoneId: number, zoneName?: string): Decision {
  const zones = actor.key?.zones
  const name = zones?.get(zoneId)
  const reaches = !zones || (name !== undefined && (zoneName === undefined || zoneName === name))
  return decide(
    reaches,
    'key-zone',
    reaches
      ? 'The API key has access to the zone'
      : 'Forbidden: this API key does not have access to the requested zone',
    sourceOf(actor)
  )
}

/** Returns whether the key may create zones: not with a restriction to zones or patterns. */
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
 * Decides about an action on a whole zone. A key with patterns may read zones as its owner;
 * `keyWrites` decides about records.
 */
export function keyActsOnZone(actor: Actor, action: string): Decision {
  const isOfRecords = action.startsWith('zone.view') || action === 'zone.edit_records'
  return isOfRecords
    ? decide(
        true,
        'key-pattern',
        'The patterns of the API key do not restrict this action',
        sourceOf(actor)
      )
    : keyAdministers(actor)
}

/** Decides about changes of other data than records. A key with patterns may make none. */
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
 * Decides about changes of sign-in and rights. A restricted key may not make them, because its
 * holder could sign in without the restrictions.
 */
export function keyChangesAccess(actor: Actor): Decision {
  const isBound = actor.key !== null && isRestricted(actor.key)
  return decide(
    !isBound,
    'key-access',
    isBound
      ? 'Forbidden: an API key with restrictions cannot change users, groups, permissions or sign-in methods'
      : 'The API key has no restrictions',
    sourceOf(actor)
  )
}

/**
 * Decides about a setting that opens a zone to others, who then act without the key. A restriction
 * that would not bind them refuses it. A restriction to zones binds access to the same zone.
 *
 * @param what the setting, as the subject of the refusal
 */
export function keyOpens(actor: Actor, access: OutsideAccess, what: string): Decision {
  const passed = actor.key ? restrictionsPassed(actor.key, access) : []
  return decide(
    passed.length === 0,
    'key-access',
    passed.length === 0
      ? 'The change does not bypass a restriction of the API key'
      : `Forbidden: this API key is restricted by ${passed.join(', ')} and cannot change ${what}: ${OPENED_TO[access]} without this restriction`,
    sourceOf(actor)
  )
}

/** Returns the members of the scope that do not bind others who have the access. */
function restrictionsPassed(key: KeyScope, access: OutsideAccess): string[] {
  const isShort = OPENED[access].some(
    (operation) =>
      (key.readOnly && operation !== 'view') || key.operations?.has(operation) === false
  )
  const passed = {
    read_only: key.readOnly && isShort,
    operations: !key.readOnly && isShort,
    zones: access === 'code' && key.zones !== null,
    patterns: access !== 'read' && key.patterns !== null,
    networks: key.networks !== null,
    expires_at: key.expiresAt !== null,
    idle_days: key.idleDays !== null,
  }
  return Object.entries(passed).flatMap(([member, isPassed]) => (isPassed ? [member] : []))
}

/** Decides about another name of a zone. A key for certain zones cannot reach another name. */
export function keyRenamesZone(actor: Actor): Decision {
  return decide(
    !actor.key?.zones,
    'key-zone',
    actor.key?.zones
      ? "Forbidden: this API key is restricted to specific zones and cannot change their 'name'"
      : 'The API key is not restricted to zones',
    sourceOf(actor)
  )
}

/** Decides about a write of an RRset. Name and type are canonical. */
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
