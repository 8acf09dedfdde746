import type { Actor } from '#access/actor'
import { actOnAccounts, type AccountRequest } from '#access/rules/account_rules'
import { actOnApiKeys, type ApiKeyRequest } from '#access/rules/api_key_rules'
import { decideAuditView, type AuditArea } from '#access/rules/audit_rules'
import type { Decision } from '#access/decision'
import { actOnDyndns, type DyndnsRequest } from '#access/rules/dyndns_rules'
import {
  decideKeyAccessChange,
  decideKeyCreatesZones,
  decideKeyExposure,
  decideKeyOperations,
  decideKeyReach,
  decideKeyRename,
  type KeyRequest,
} from '#access/rules/key_rules'
import { decideOwnershipGrant, type OwnershipRequest } from '#access/rules/ownership_rules'
import { actOnRequests, decideCancel, type ReviewAction } from '#access/rules/review_rules'
import { actOnServer, type ServerAction } from '#access/rules/server_rules'
import { actOnZoneTemplates, type ZoneTemplateRequest } from '#access/rules/zone_template_rules'
import {
  actOnZone,
  decideCreationForOthers,
  decideZoneCreation,
  decideDiscard,
  decideServe,
  decideMetadataWrite,
  decideRRsetWrite,
  type ZoneRequest,
} from '#access/rules/zone_rules'
import type { ZoneFacts } from '#access/ownership'

export type { Decision, Reason } from '#access/decision'
export type { ReviewAction } from '#access/rules/review_rules'
export type { ApiKeyFacts } from '#access/rules/api_key_rules'
export type { ZoneFacts } from '#access/ownership'
export type { ZoneAction } from '#access/rules/zone_rules'
export type { ZoneTemplateFacts } from '#access/rules/zone_template_rules'

/** All questions that a channel can ask. */
export type AccessRequest =
  | KeyRequest
  | ZoneRequest
  | OwnershipRequest
  | ApiKeyRequest
  | AccountRequest
  | DyndnsRequest
  | ZoneTemplateRequest
  | { action: ReviewAction; zone: ZoneFacts }
  | { action: 'request.cancel'; requesterId: number | null }
  | { action: ServerAction }
  | { action: 'trash.discard' }
  | { action: 'audit.view'; area: AuditArea }

/**
 * Decides whether the actor may perform an action. Every channel and every write calls it; no other
 * module decides.
 *
 * An `_own` permission counts if the user's template has it and the user owns the zone directly, or
 * if the template of an owning group has it. A right from one group does not reach zones of
 * another.
 */
export function authorize(actor: Actor, request: AccessRequest): Decision {
  switch (request.action) {
    case 'key.operate':
      return decideKeyOperations(actor, request.operations)
    case 'key.reach':
      return decideKeyReach(actor, request.zoneId, request.zoneName)
    case 'key.create_zones':
      return decideKeyCreatesZones(actor)
    case 'key.change_access':
      return decideKeyAccessChange(actor)
    case 'key.open':
      return decideKeyExposure(actor, request.access, request.what)
    case 'key.rename_zone':
      return decideKeyRename(actor)
    case 'zone.create':
      return decideZoneCreation(actor, request.kind)
    case 'zone.create_for_others':
      return decideCreationForOthers(actor)
    case 'zone.serve':
      return decideServe(actor, request)
    case 'zone.grant':
      return decideOwnershipGrant(actor, request)
    case 'trash.discard':
      return decideDiscard(actor)
    case 'api_key.list':
    case 'api_key.create':
    case 'api_key.view':
    case 'api_key.edit':
    case 'api_key.delete':
    case 'api_key.grant':
      return actOnApiKeys(actor, request)
    case 'server.view_status':
    case 'server.view_autoprimaries':
    case 'server.add_autoprimaries':
    case 'server.edit_autoprimaries':
    case 'server.manage_jobs':
    case 'server.manage_webhooks':
    case 'server.view_settings':
    case 'server.check_consistency':
      return actOnServer(actor, request.action)
    case 'dyndns.use':
    case 'dyndns.update':
      return actOnDyndns(actor, request)
    case 'audit.view':
      return decideAuditView(actor, request.area)
    case 'zone_template.view':
    case 'zone_template.apply':
    case 'zone_template.create':
    case 'zone_template.edit':
    case 'zone_template.write_record':
      return actOnZoneTemplates(actor, request)
    case 'rrset.write':
      return decideRRsetWrite(actor, request.zone, request.name, request.type)
    case 'metadata.write':
      return decideMetadataWrite(actor, request.zone, request.kind)
    case 'zone.request_changes':
    case 'zone.request_deletion':
    case 'zone.see_requests':
    case 'zone.review':
      return actOnRequests(actor, request.action, request.zone)
    case 'request.cancel':
      return decideCancel(actor, request.requesterId)
    case 'zone.view':
    case 'zone.view_history':
    case 'zone.edit_records':
    case 'zone.edit_description':
    case 'zone.edit_properties':
    case 'zone.edit_source':
    case 'zone.delete':
    case 'zone.view_owners':
    case 'zone.edit_owners':
    case 'zone.view_metadata':
    case 'zone.edit_metadata':
    case 'zone.manage_dnssec':
    case 'zone.tell_server':
    case 'zone.link_template':
      return actOnZone(actor, request.action, request.zone)
    default:
      return actOnAccounts(actor, request)
  }
}
