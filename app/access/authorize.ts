import { holds, isSuperUser, type Actor, type KeyOperation } from '#access/actor'
import type { Ownership } from '#access/ownership'
import type { Permission } from '#access/permissions'
import { recordType } from '#dns/records/registry'

/** What a decision about a zone depends on. */
export interface ZoneFacts {
  id: number
  name: string
  kind: string
  ownership: Ownership
}

/** What somebody wants to do with a zone that exists. */
export type ZoneAction =
  | 'zone.view'
  | 'zone.edit_records'
  | 'zone.edit_description'
  | 'zone.edit_properties'
  | 'zone.delete'

/** Everything that a door can ask. */
export type AccessRequest =
  | { action: 'key.operate'; operations: KeyOperation[] }
  | { action: 'key.reach'; zoneId: number; zoneName?: string }
  | { action: 'zone.create'; kind: string }
  | { action: 'zone.create_for_others' }
  | { action: ZoneAction; zone: ZoneFacts }
  | { action: 'rrset.write'; zone: ZoneFacts; name: string; type: string }

/** Why a decision came out as it did, for people and for `explain`. */
export interface Reason {
  rule: string
  message: string
  /** What gave or withheld the right: a permission, an API key, a kind of zone. */
  source: string
}

/** The answer to an access request. */
export interface Decision {
  allowed: boolean
  /** The object must look as if it did not exist. */
  hidden: boolean
  reasons: Reason[]
}

/** Kinds whose records replicate from a primary: nobody writes them here. */
const REPLICAS = new Set(['SLAVE', 'CONSUMER'])

/** Types that decide over the zone itself; client-level editors may not touch them. */
const ZONE_LEVEL_TYPES = new Set(['SOA', 'NS', 'LUA'])

const ZONE_RIGHTS: Record<ZoneAction, { own: Permission[]; others: Permission }> = {
  'zone.view': { own: ['zone_content_view_own'], others: 'zone_content_view_others' },
  'zone.edit_records': {
    own: ['zone_content_edit_own', 'zone_content_edit_own_as_client'],
    others: 'zone_content_edit_others',
  },
  'zone.edit_description': {
    own: ['zone_content_edit_own', 'zone_content_edit_own_as_client'],
    others: 'zone_content_edit_others',
  },
  'zone.edit_properties': { own: ['zone_meta_edit_own'], others: 'zone_meta_edit_others' },
  'zone.delete': { own: ['zone_delete_own'], others: 'zone_delete_others' },
}

const REFUSALS: Record<ZoneAction, string> = {
  'zone.view': 'You do not have permission to view this zone',
  'zone.edit_records': 'You do not have permission to edit this zone',
  'zone.edit_description': 'You do not have permission to edit this zone',
  'zone.edit_properties': 'You do not have permission to change the settings of this zone',
  'zone.delete': 'You do not have permission to delete this zone',
}

/**
 * Decides whether the actor may do this. The only place that does: every door and every write asks it.
 *
 * An `_own` permission counts when the actor's own template has it and the actor owns the zone directly,
 * or when a group that owns the zone has it in its template. A right held through one group does not
 * reach a zone that is owned through another.
 */
export function authorize(actor: Actor, request: AccessRequest): Decision {
  switch (request.action) {
    case 'key.operate':
      return keyOperates(actor, request.operations)
    case 'key.reach':
      return keyReaches(actor, request.zoneId, request.zoneName)
    case 'zone.create':
      return createZone(actor, request.kind)
    case 'zone.create_for_others':
      return decide(
        isSuperUser(actor) || holds(actor, 'zone_content_edit_others'),
        'permission',
        'You do not have permission to create zones for other users',
        'zone_content_edit_others'
      )
    case 'rrset.write':
      return writeRRset(actor, request.zone, request.name, request.type)
    default:
      return actOnZone(actor, request.action, request.zone)
  }
}

/** The permission in force for a zone that the actor owns, or null. */
function ownRight(actor: Actor, zone: ZoneFacts, permissions: Permission[]): Permission | null {
  const { users, groups } = zone.ownership
  for (const permission of permissions) {
    const direct =
      actor.userId !== null && users.has(actor.userId) && actor.permissions.has(permission)
    if (direct || actor.groups.some((g) => groups.has(g.id) && g.permissions.has(permission))) {
      return permission
    }
  }
  return null
}

function actOnZone(actor: Actor, action: ZoneAction, zone: ZoneFacts): Decision {
  const reach = keyReaches(actor, zone.id, zone.name)
  if (!reach.allowed) {
    return reach
  }
  const right = zoneRight(actor, action, zone)
  if (!right) {
    const hidden = (Object.keys(ZONE_RIGHTS) as ZoneAction[]).every(
      (other) => !zoneRight(actor, other, zone)
    )
    const source = [...ZONE_RIGHTS[action].own, ZONE_RIGHTS[action].others].join(' or ')
    return { ...decide(false, 'permission', REFUSALS[action], source), hidden }
  }
  if (action === 'zone.edit_records' && REPLICAS.has(zone.kind)) {
    return decide(
      false,
      'read-only-zone',
      'Records in Secondary and Consumer zones are read-only; they replicate from a primary',
      `zone kind ${zone.kind}`
    )
  }
  return decide(true, 'permission', `Granted by ${right}`, right)
}

function zoneRight(actor: Actor, action: ZoneAction, zone: ZoneFacts): Permission | null {
  if (isSuperUser(actor)) {
    return 'user_is_ueberuser'
  }
  const { own, others } = ZONE_RIGHTS[action]
  return holds(actor, others) ? others : ownRight(actor, zone, own)
}

function writeRRset(actor: Actor, zone: ZoneFacts, name: string, type: string): Decision {
  const edit = actOnZone(actor, 'zone.edit_records', zone)
  if (edit.allowed && recordType(type)?.writer === 'administrator') {
    return decide(
      isSuperUser(actor),
      'administrator-type',
      `You do not have permission to edit this record type: ${type} records run code on the name server and are for administrators`,
      'user_is_ueberuser'
    )
  }
  if (!edit.allowed || !ZONE_LEVEL_TYPES.has(type)) {
    return edit
  }
  const isFullEditor =
    isSuperUser(actor) ||
    holds(actor, 'zone_content_edit_others') ||
    ownRight(actor, zone, ['zone_content_edit_own']) !== null
  const isSubzone = type === 'NS' && name !== zone.name
  const mayDelegate = isSubzone && ownRight(actor, zone, ['zone_content_edit_ns_subzone']) !== null
  return decide(
    isFullEditor || mayDelegate,
    'client-level',
    `You do not have permission to edit this record type: ${type} records at '${name}' need the permission to edit the whole zone`,
    'zone_content_edit_own or zone_content_edit_others'
  )
}

function createZone(actor: Actor, kind: string): Decision {
  const permission = REPLICAS.has(kind) ? 'zone_slave_add' : 'zone_master_add'
  return decide(
    isSuperUser(actor) || holds(actor, permission),
    'permission',
    `You do not have permission to create ${kind} zones`,
    permission
  )
}

function keyOperates(actor: Actor, operations: KeyOperation[]): Decision {
  const key = actor.key
  const refused = operations.find(
    (operation) =>
      (key?.readOnly && operation !== 'view') || (key?.operations && !key.operations.has(operation))
  )
  return decide(
    refused === undefined,
    'key-operation',
    `Forbidden: this API key is not permitted to perform the '${refused}' operation`,
    key ? `API key ${key.id}` : 'no API key'
  )
}

function keyReaches(actor: Actor, zoneId: number, zoneName?: string): Decision {
  const zones = actor.key?.zones
  const name = zones?.get(zoneId)
  return decide(
    !zones || (name !== undefined && (zoneName === undefined || zoneName === name)),
    'key-zone',
    'Forbidden: this API key does not have access to the requested zone',
    actor.key ? `API key ${actor.key.id}` : 'no API key'
  )
}

function decide(allowed: boolean, rule: string, message: string, source: string): Decision {
  return { allowed, hidden: false, reasons: [{ rule, message, source }] }
}
