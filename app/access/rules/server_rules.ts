import type { Actor } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { decideByPermission } from '#access/grants'
import { decideKeyAdministration, decideKeyExposure } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'

/** Requests about the name server or the service as a whole. */
export type ServerAction =
  | 'server.view_status'
  | 'server.view_autoprimaries'
  | 'server.add_autoprimaries'
  | 'server.edit_autoprimaries'
  | 'server.manage_jobs'
  | 'server.manage_webhooks'
  | 'server.view_settings'
  | 'server.check_consistency'

const REQUIRED_PERMISSIONS: Record<ServerAction, Permission> = {
  'server.view_status': 'server_status_view',
  'server.view_autoprimaries': 'supermaster_view',
  'server.add_autoprimaries': 'supermaster_add',
  'server.edit_autoprimaries': 'supermaster_edit',
  'server.manage_jobs': 'user_is_ueberuser',
  'server.manage_webhooks': 'user_is_ueberuser',
  'server.view_settings': 'user_is_ueberuser',
  'server.check_consistency': 'user_is_ueberuser',
}

/**
 * Actions that let another server create zones and write their records. The right to edit autoprimaries includes their
 * deletion, so each write checks the right to add one.
 */
const ZONE_EXPOSING_ACTIONS: ReadonlySet<ServerAction> = new Set(['server.add_autoprimaries'])

const ACTION_NAMES: Record<ServerAction, string> = {
  'server.view_status': 'view the status of the server',
  'server.view_autoprimaries': 'view autoprimaries',
  'server.add_autoprimaries': 'add autoprimaries',
  'server.edit_autoprimaries': 'change autoprimaries',
  'server.manage_jobs': 'view and run jobs',
  'server.manage_webhooks': 'manage webhooks',
  'server.view_settings': 'view the settings',
  'server.check_consistency': 'check zones for consistency',
}

/** Decides about the action. Keys for zones or patterns may not perform it. */
export function actOnServer(actor: Actor, action: ServerAction): Decision {
  if (actor.key?.zones) {
    return decide(
      false,
      'key-zone',
      'Forbidden: this API key is restricted to specific zones',
      `API key ${actor.key.id}`
    )
  }
  const administrationDecision = decideKeyAdministration(actor)
  const keyDecision =
    administrationDecision.allowed && ZONE_EXPOSING_ACTIONS.has(action)
      ? decideKeyExposure(actor, 'write', 'autoprimaries')
      : administrationDecision
  if (!keyDecision.allowed) {
    return keyDecision
  }
  return decideByPermission(actor, REQUIRED_PERMISSIONS[action], ACTION_NAMES[action])
}
