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
  | { action: 'key.open'; access: ExternalAccess; what: string }
  | { action: 'key.rename_zone' }

/**
 * Access to a zone that does not pass the API key. Zone transfers and NOTIFY let others `read`.
 * Dynamic updates, primaries, imported DNSSEC keys and owners let others `write`. `code` runs on
 * the name server.
 */
export type ExternalAccess = 'read' | 'write' | 'code'

/** Operations that others get by the access. An update reads the zone by its prerequisites. */
const EXPOSED_OPERATIONS: Record<ExternalAccess, readonly KeyOperation[]> = {
  read: ['view'],
  write: ['view', 'create', 'update', 'delete'],
  code: ['view', 'create', 'update', 'delete'],
}

const EXPOSURE_REASON: Record<ExternalAccess, string> = {
  read: 'others could read the zone',
  write: 'others could change the zone',
  code: 'code could run on the name server',
}

const RECORDS_ONLY_REASON =
  'Forbidden: this API key is restricted to records of certain names and cannot do this'

/** Returns whether the key allows these operations. */
export function decideKeyOperations(actor: Actor, operations: KeyOperation[]): Decision {
  const key = actor.key
  const refusedOperation = operations.find(
    (operation) =>
      (key?.readOnly && operation !== 'view') || (key?.operations && !key.operations.has(operation))
  )
  return decide(
    refusedOperation === undefined,
    'key-operation',
    refusedOperation === undefined
      ? 'The API key permits the operation'
      : `Forbidden: this API key is not permitted to perform the '${refusedOperation}' operation`,
    keySourceOf(actor)
  )
}

/** Returns whether the key reaches the zone, by id and, if given, by name. */
export function decideKeyReach(actor: Actor, zoneId: number, zoneName?: string): Decision {
  const zones = actor.key?.zones
  const name = zones?.get(zoneId)
  const isReached = !zones || (name !== undefined && (zoneName === undefined || zoneName === name))
  return decide(
    isReached,
    'key-zone',
    isReached
      ? 'The API key has access to the zone'
      : 'Forbidden: this API key does not have access to the requested zone',
    keySourceOf(actor)
  )
}

/** Returns whether the key may create zones: not with a restriction to zones or patterns. */
export function decideKeyCreatesZones(actor: Actor): Decision {
  return actor.key?.zones
    ? decide(
        false,
        'key-zone',
        'Forbidden: this API key is restricted to specific zones and cannot create others',
        keySourceOf(actor)
      )
    : decideKeyAdministration(actor)
}

/**
 * Decides about an action on a whole zone. A key with patterns may read zones as its owner;
 * `decideKeyWrite` decides about records.
 */
export function decideKeyZoneAction(actor: Actor, action: string): Decision {
  const isRecordAction = action.startsWith('zone.view') || action === 'zone.edit_records'
  return isRecordAction
    ? decide(
        true,
        'key-pattern',
        'The patterns of the API key do not restrict this action',
        keySourceOf(actor)
      )
    : decideKeyAdministration(actor)
}

/** Decides about changes of other data than records. A key with patterns may make none. */
export function decideKeyAdministration(actor: Actor): Decision {
  const hasNoPatterns = !actor.key?.patterns
  return decide(
    hasNoPatterns,
    'key-pattern',
    hasNoPatterns ? 'The API key is not restricted to patterns' : RECORDS_ONLY_REASON,
    keySourceOf(actor)
  )
}

/**
 * Decides about changes of sign-in and rights. A restricted key may not make them, because its
 * holder could sign in without the restrictions.
 */
export function decideKeyAccessChange(actor: Actor): Decision {
  const isRestrictedKey = actor.key !== null && isRestricted(actor.key)
  return decide(
    !isRestrictedKey,
    'key-access',
    isRestrictedKey
      ? 'Forbidden: an API key with restrictions cannot change users, groups, permissions or sign-in methods'
      : 'The API key has no restrictions',
    keySourceOf(actor)
  )
}

/**
 * Decides about a setting that opens a zone to others, who then act without the key. A restriction
 * that would not bind them refuses it. A restriction to zones binds access to the same zone.
 *
 * @param what the setting, as the subject of the refusal
 */
export function decideKeyExposure(actor: Actor, access: ExternalAccess, what: string): Decision {
  const bypassed = actor.key ? findBypassedRestrictions(actor.key, access) : []
  return decide(
    bypassed.length === 0,
    'key-access',
    bypassed.length === 0
      ? 'The change does not bypass a restriction of the API key'
      : `Forbidden: this API key is restricted by ${bypassed.join(', ')} and cannot change ${what}: ${EXPOSURE_REASON[access]} without this restriction`,
    keySourceOf(actor)
  )
}

/** Returns the members of the scope that do not bind others who have the access. */
function findBypassedRestrictions(key: KeyScope, access: ExternalAccess): string[] {
  const lacksOperation = EXPOSED_OPERATIONS[access].some(
    (operation) =>
      (key.readOnly && operation !== 'view') || key.operations?.has(operation) === false
  )
  const isBypassed = {
    read_only: key.readOnly && lacksOperation,
    operations: !key.readOnly && lacksOperation,
    zones: access === 'code' && key.zones !== null,
    patterns: access !== 'read' && key.patterns !== null,
    networks: key.networks !== null,
    expires_at: key.expiresAt !== null,
    idle_days: key.idleDays !== null,
  }
  return Object.entries(isBypassed).flatMap(([member, isMemberBypassed]) =>
    isMemberBypassed ? [member] : []
  )
}

/** Decides about another name of a zone. A key for certain zones cannot reach another name. */
export function decideKeyRename(actor: Actor): Decision {
  return decide(
    !actor.key?.zones,
    'key-zone',
    actor.key?.zones
      ? "Forbidden: this API key is restricted to specific zones and cannot change their 'name'"
      : 'The API key is not restricted to zones',
    keySourceOf(actor)
  )
}

/** Decides about a write of an RRset. Name and type are canonical. */
export function decideKeyWrite(actor: Actor, name: string, type: string): Decision {
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
    keySourceOf(actor)
  )
}

function keySourceOf({ key }: Actor): string {
  return key ? `API key ${key.id}` : 'no API key'
}
