import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import { approval } from '#access/approval'
import { allow, decide, withReview, type Decision, type Reason } from '#access/decision'
import {
  decideKeyZoneAction,
  decideKeyAdministration,
  decideKeyExposure,
  decideKeyReach,
  decideKeyWrite,
} from '#access/rules/key_rules'
import type { ZoneFacts } from '#access/ownership'
import type { Permission } from '#access/permissions'
import { hasReviewRight, requestGrants } from '#access/rules/review_rules'
import { decideByPermission, grantsOf, ownerGrantsOf, type Grant } from '#access/grants'
import { metadataKind, outsideAccess } from '#dns/metadata/metadata'
import { recordType, typeInFile } from '#dns/records/registry'

/** Actions on an existing zone. */
export type ZoneAction =
  | 'zone.view'
  | 'zone.view_history'
  | 'zone.edit_records'
  | 'zone.edit_description'
  | 'zone.edit_properties'
  | 'zone.edit_source'
  | 'zone.delete'
  | 'zone.view_owners'
  | 'zone.edit_owners'
  | 'zone.view_metadata'
  | 'zone.edit_metadata'
  | 'zone.manage_dnssec'
  | 'zone.tell_server'
  | 'zone.link_template'

/** Contents that the name server would serve: record types and metadata kinds. */
export interface ServedContents {
  types: Iterable<string>
  kinds?: Iterable<string>
}

/** Requests about zones and their records. */
export type ZoneRequest =
  | { action: 'zone.create'; kind: string }
  | { action: 'zone.create_for_others' }
  | ({ action: 'zone.serve' } & ServedContents)
  | { action: ZoneAction; zone: ZoneFacts }
  | { action: 'rrset.write'; zone: ZoneFacts; name: string; type: string }
  | { action: 'metadata.write'; zone: ZoneFacts; kind: string }

/** Kinds whose records come from a primary, and are read-only here. */
const REPLICA_KINDS = new Set(['SLAVE', 'CONSUMER'])

/** Types that control the zone itself. Editors at client level may not write them. */
const ZONE_LEVEL_TYPES = new Set(['SOA', 'NS', 'LUA'])

/** Rights for each action, on owned zones and on zones of others. */
export const ZONE_RIGHTS: Record<ZoneAction, { own: Permission[]; others: Permission[] }> = {
  'zone.view': { own: ['zone_content_view_own'], others: ['zone_content_view_others'] },
  'zone.view_history': { own: ['zone_logs_view_own'], others: ['zone_logs_view_others'] },
  'zone.edit_records': {
    own: ['zone_content_edit_own', 'zone_content_edit_own_as_client'],
    others: ['zone_content_edit_others'],
  },
  'zone.edit_description': {
    own: ['zone_content_edit_own', 'zone_content_edit_own_as_client'],
    others: ['zone_content_edit_others'],
  },
  'zone.edit_properties': { own: ['zone_meta_edit_own'], others: ['zone_meta_edit_others'] },
  'zone.edit_source': { own: ['zone_meta_edit_own'], others: ['zone_meta_edit_others'] },
  'zone.delete': { own: ['zone_delete_own'], others: ['zone_delete_others'] },
  'zone.view_owners': {
    own: ['zone_ownership_view_own', 'zone_meta_edit_own'],
    others: ['zone_ownership_view_others', 'zone_meta_edit_others'],
  },
  'zone.edit_owners': { own: ['zone_meta_edit_own'], others: ['zone_meta_edit_others'] },
  'zone.view_metadata': {
    own: ['zone_metadata_view_own', 'zone_meta_edit_own'],
    others: ['zone_metadata_view_others', 'zone_meta_edit_others'],
  },
  'zone.edit_metadata': { own: ['zone_meta_edit_own'], others: ['zone_meta_edit_others'] },
  'zone.manage_dnssec': { own: ['zone_dnssec_manage_own'], others: [] },
  'zone.tell_server': {
    own: ['zone_content_edit_own', 'zone_meta_edit_own'],
    others: ['zone_content_edit_others', 'zone_meta_edit_others'],
  },
  'zone.link_template': {
    own: ['zone_content_edit_own', 'zone_content_edit_own_as_client', 'zone_meta_edit_own'],
    others: ['zone_content_edit_others', 'zone_meta_edit_others'],
  },
}

const REFUSAL_MESSAGES: Record<ZoneAction, string> = {
  'zone.view': 'You do not have permission to view this zone',
  'zone.view_history': 'You do not have permission to view the history of this zone',
  'zone.edit_records': 'You do not have permission to edit this zone',
  'zone.edit_description': 'You do not have permission to edit this zone',
  'zone.edit_properties': 'You do not have permission to change the settings of this zone',
  'zone.edit_source': 'You do not have permission to change the type and primaries of this zone',
  'zone.delete': 'You do not have permission to delete this zone',
  'zone.view_owners': 'You do not have permission to view the owners of this zone',
  'zone.edit_owners': 'You do not have permission to change the owners of this zone',
  'zone.view_metadata': 'You do not have permission to view the metadata of this zone',
  'zone.edit_metadata': 'You do not have permission to change the metadata of this zone',
  'zone.manage_dnssec': 'You do not have permission to manage DNSSEC for this zone',
  'zone.tell_server':
    'You do not have permission to notify the secondaries of this zone, retrieve it or flush its cache',
  'zone.link_template': 'You do not have permission to change the template of this zone',
}

/**
 * Returns the first permission that applies because the actor owns the zone, or null: from the
 * user's template for direct owners, else from that of an owning group.
 */
export function findOwnerPermission(
  actor: Actor,
  zone: ZoneFacts,
  permissions: Permission[]
): Permission | null {
  return ownerGrantsOf(actor, zone.ownership, permissions).at(0)?.permission ?? null
}

/**
 * Decides about an action on a zone, by permission and API key. A zone is hidden from actors
 * without any right on it.
 */
export function actOnZone(actor: Actor, action: ZoneAction, zone: ZoneFacts): Decision {
  const keyDecision = decideKeyReach(actor, zone.id, zone.name)
  if (!keyDecision.allowed) {
    return keyDecision
  }
  const directGrants = zoneGrants(actor, action, zone)
  const isRequestOnly = directGrants.length === 0 && action === 'zone.edit_records'
  const grants = isRequestOnly ? requestGrants(actor, zone) : directGrants
  if (grants.length === 0) {
    const hidden =
      (Object.keys(ZONE_RIGHTS) as ZoneAction[]).every(
        (other) => zoneGrants(actor, other, zone).length === 0
      ) && !hasReviewRight(actor, zone)
    const source = [...ZONE_RIGHTS[action].own, ...ZONE_RIGHTS[action].others].join(' or ')
    return { ...decide(false, 'permission', REFUSAL_MESSAGES[action], source), hidden }
  }
  const keyActionDecision = decideKeyZoneAction(actor, action)
  if (!keyActionDecision.allowed) {
    return keyActionDecision
  }
  if (action === 'zone.edit_records' && REPLICA_KINDS.has(zone.kind)) {
    return decide(
      false,
      'read-only-zone',
      'Records in Secondary and Consumer zones are read-only; they replicate from a primary',
      `zone type ${zone.kind}`
    )
  }
  const exposureDecision = action === 'zone.edit_source' ? decideSourceExposure(actor) : allow([])
  if (!exposureDecision.allowed) {
    return exposureDecision
  }
  if (action === 'zone.edit_source') {
    return refuseWithoutReview(actor, zone, 'The type and primaries of a zone', allow(grants))
  }
  if (isRequestOnly) {
    return withReview(allow(grants), REQUEST_ONLY_REASON, grants[0].permission)
  }
  const isReviewed = action === 'zone.edit_records' || action === 'zone.delete'
  return isReviewed && approval.isRequiredForAll && actor.userId !== null
    ? withReview(allow(grants), REVIEW_FOR_ALL_REASON, 'approval.require_review_for_all')
    : allow(grants)
}

/** Decides whether the key may let a primary elsewhere write a zone. */
function decideSourceExposure(actor: Actor): Decision {
  return decideKeyExposure(actor, 'write', "the 'type' and 'master' of a secondary zone")
}

/** Decides whether the key may write metadata that open the zone to others. */
function decideMetadataExposure(actor: Actor, kind: string): Decision {
  const access = outsideAccess(kind)
  return access === null ? allow([]) : decideKeyExposure(actor, access, `the metadata ${kind}`)
}

/**
 * Reason for a review. Actors without a user account, such as the maintainer, cannot file change
 * requests.
 */
const REQUEST_ONLY_REASON =
  'You can request changes but not apply them: a change request is submitted'
const REVIEW_FOR_ALL_REASON = 'Every change needs approval: a change request is submitted'

/**
 * Decides about changes of external writers (primaries, update policies). A change request cannot
 * contain them, so they are refused while all changes of the zone, or of a name in it, need review.
 */
function refuseWithoutReview(
  actor: Actor,
  zone: ZoneFacts,
  what: string,
  decision: Decision
): Decision {
  const isRequiredForAll = approval.isRequiredForAll
  if (actor.userId === null || !(isRequiredForAll || approval.hasProtectedName(zone.name))) {
    return decision
  }
  const message = isRequiredForAll
    ? `${what} cannot be changed while every change needs approval: others could then write its records`
    : `${what} cannot be changed while the zone can contain protected names: others could then write their records`
  const source = isRequiredForAll ? 'approval.require_review_for_all' : 'approval.protected_names'
  return decide(false, 'approval', message, source)
}

/**
 * Returns whether zones may exist for which the action is allowed. Only for the interface, never
 * for a write.
 */
export function actOnSomeZone(actor: Actor, action: ZoneAction): Decision {
  const rights = [...ZONE_RIGHTS[action].own, ...ZONE_RIGHTS[action].others]
  const grants = grantsOf(actor, ['user_is_ueberuser', ...rights])
  const refusal = REFUSAL_MESSAGES[action].replace('this zone', 'any zone')
  return grants.length > 0
    ? allow(grants)
    : decide(false, 'permission', refusal, rights.join(' or '))
}

/** Returns the permissions for the action on the zone, without the API key. */
function zoneGrants(actor: Actor, action: ZoneAction, zone: ZoneFacts): Grant[] {
  const { own, others } = ZONE_RIGHTS[action]
  return [
    ...grantsOf(actor, ['user_is_ueberuser', ...others]),
    ...ownerGrantsOf(actor, zone.ownership, own),
  ]
}

/**
 * Returns held permissions that would allow the action with another kind of ownership. Rights from
 * the user's template apply to directly owned zones, those from a group to zones of the group.
 */
export function findIneffectivePermissions(
  actor: Actor,
  action: ZoneAction,
  zone: ZoneFacts
): Reason[] {
  const { own } = ZONE_RIGHTS[action]
  const effectiveSources = new Set(
    ownerGrantsOf(actor, zone.ownership, own).map(({ source }) => source)
  )
  return grantsOf(actor, own)
    .filter(({ source }) => !effectiveSources.has(source))
    .map(({ permission, source }) => ({
      rule: 'ownership',
      message: `${permission} does not apply to this zone: ${
        source.includes(" from group '")
          ? 'the group does not own it'
          : 'the user does not own it directly'
      }`,
      source,
    }))
}

/**
 * Decides about a write of an RRset, or a request for it. Some types need an administrator, some
 * the right to edit the whole zone.
 */
export function decideRRsetWrite(
  actor: Actor,
  zone: ZoneFacts,
  name: string,
  type: string
): Decision {
  const decision = decideWriteByRight(actor, zone, name, type)
  if (!decision.allowed || !approval.isEnabled || actor.userId === null) {
    return decision
  }
  if (approval.isProtected(name)) {
    const message = `'${name}' is protected: a change request is submitted`
    return withReview(decision, message, 'approval.protected_names')
  }
  const exemption = decision.review ? approval.exemptionOf(name, type) : undefined
  if (exemption === undefined) {
    return decision
  }
  const message = `${type} records of '${name}' need no approval ("${exemption}")`
  const reasons = decision.reasons.filter(({ rule }) => rule !== 'approval')
  const reason = { rule: 'approval', message, source: 'approval.auto_approve' }
  return { ...decision, review: false, reasons: [...reasons, reason] }
}

function decideWriteByRight(actor: Actor, zone: ZoneFacts, name: string, type: string): Decision {
  const editDecision = actOnZone(actor, 'zone.edit_records', zone)
  const keyWriteDecision = decideKeyWrite(actor, name, type)
  if (editDecision.allowed && !keyWriteDecision.allowed) {
    return keyWriteDecision
  }
  if (editDecision.allowed && isAdministratorType(type)) {
    const refusal = `You do not have permission to edit this record type: ${type} records run code on the name server, so only administrators can write them`
    return decideAdministratorType(actor, refusal)
  }
  if (!editDecision.allowed || !ZONE_LEVEL_TYPES.has(type)) {
    return editDecision
  }
  const isFullEditor =
    isSuperUser(actor) ||
    hasPermission(actor, 'zone_content_edit_others') ||
    findOwnerPermission(actor, zone, ['zone_content_edit_own']) !== null
  const isSubzone = type === 'NS' && name !== zone.name
  const canDelegate =
    isSubzone && findOwnerPermission(actor, zone, ['zone_content_edit_ns_subzone']) !== null
  if (isFullEditor || canDelegate) {
    return editDecision
  }
  const grantsToRequest = requestGrants(actor, zone)
  if (grantsToRequest.length > 0) {
    return withReview(allow(grantsToRequest), REQUEST_ONLY_REASON, grantsToRequest[0].permission)
  }
  return decide(
    false,
    'client-level',
    `You do not have permission to edit this record type: ${type} records at '${name}' require the permission to edit the whole zone`,
    'zone_content_edit_own or zone_content_edit_others'
  )
}

/**
 * Decides whether the actor may serve these record types and metadata. Zone transfers and the trash
 * can contain types that only administrators may write.
 */
export function decideServe(actor: Actor, { types, kinds = [] }: ServedContents): Decision {
  const type = [...types].find(isAdministratorType)
  if (type !== undefined) {
    const refusal = `You do not have permission to serve a zone with ${type} records: they run code on the name server, so only administrators can write them`
    return decideAdministratorType(actor, refusal)
  }
  const kind = [...kinds].find((each) => metadataKind(each).writer === 'administrator')
  const rightDecision = kind === undefined ? allow([]) : decideAdministratorKind(actor, kind)
  const exposureDecision = [...kinds].map((each) => decideMetadataExposure(actor, each))
  return rightDecision.allowed
    ? (exposureDecision.find(({ allowed }) => !allowed) ?? rightDecision)
    : rightDecision
}

/**
 * Returns whether only administrators may write the type, because it runs code on the name server.
 */
export function isAdministratorType(type: string): boolean {
  return recordType(typeInFile(type))?.writer === 'administrator'
}

function decideAdministratorType(actor: Actor, refusal: string): Decision {
  return isSuperUser(actor)
    ? decideKeyExposure(actor, 'code', 'records that run code')
    : decide(false, 'administrator-type', refusal, 'user_is_ueberuser')
}

/**
 * Decides about a write of metadata. Some kinds need an administrator; some only the name server
 * writes.
 */
export function decideMetadataWrite(actor: Actor, zone: ZoneFacts, name: string): Decision {
  const editDecision = actOnZone(actor, 'zone.edit_metadata', zone)
  const { kind, writer, isSource } = metadataKind(name)
  if (!editDecision.allowed) {
    return editDecision
  }
  const exposureDecision = decideMetadataExposure(actor, kind)
  if (writer === 'manager' && !exposureDecision.allowed) {
    return exposureDecision
  }
  if (writer === 'manager') {
    return isSource
      ? refuseWithoutReview(actor, zone, `The metadata ${kind} of a zone`, editDecision)
      : editDecision
  }
  if (writer === 'server') {
    const message = `Metadata ${kind} is managed by the name server and cannot be changed here`
    return decide(false, 'server-managed', message, `metadata ${kind}`)
  }
  return decideAdministratorKind(actor, kind)
}

function decideAdministratorKind(actor: Actor, kind: string): Decision {
  if (isSuperUser(actor)) {
    return decideMetadataExposure(actor, kind)
  }
  return decide(
    false,
    'administrator-kind',
    `You do not have permission to change the metadata ${kind}: it runs code on the name server, so only administrators can change it`,
    'user_is_ueberuser'
  )
}

/** Decides about the creation of zones of a kind. */
export function decideZoneCreation(actor: Actor, kind: string): Decision {
  const administrationDecision = decideKeyAdministration(actor)
  const keyDecision =
    administrationDecision.allowed && REPLICA_KINDS.has(kind)
      ? decideSourceExposure(actor)
      : administrationDecision
  const permission = REPLICA_KINDS.has(kind) ? 'zone_slave_add' : 'zone_master_add'
  return keyDecision.allowed
    ? decideByPermission(actor, permission, `create ${kind} zones`)
    : keyDecision
}

/** Decides about the creation of zones for other owners. */
export function decideCreationForOthers(actor: Actor): Decision {
  const administrationDecision = decideKeyAdministration(actor)
  const keyDecision = administrationDecision.allowed
    ? decideKeyExposure(actor, 'write', 'the owners of a zone')
    : administrationDecision
  return keyDecision.allowed
    ? decideByPermission(actor, 'zone_content_edit_others', 'create zones for other users')
    : keyDecision
}

/** Decides about permanent deletion of zones in the trash. */
export function decideDiscard(actor: Actor): Decision {
  const keyDecision = decideKeyAdministration(actor)
  return keyDecision.allowed
    ? decideByPermission(actor, 'user_is_ueberuser', 'delete zones permanently')
    : keyDecision
}
