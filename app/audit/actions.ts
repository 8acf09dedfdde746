import type { AuditArea } from '#access/rules/audit_rules'

interface ActionMeaning {
  readonly area: AuditArea
  /** Meaning of an action, its object and its detail. */
  readonly meaning: string
}

/**
 * All actions of the audit log. docs/reference/audit.md has the same table (a test). Only `detail.zones` may contain names of zones: a
 * reader of the events of an area may not see the zones.
 */
export const AUDIT_ACTIONS = {
  'setup': {
    area: 'system',
    meaning:
      'The database was set up or migrated, or the first administrator was created; detail: the step',
  },
  'records.strays_removed': {
    area: 'system',
    meaning:
      'A record without a zone was deleted; detail: the whole record, with its content in pieces',
  },
  'access.denied': {
    area: 'system',
    meaning:
      'A request was refused because a permission is missing; detail: the request, the reason',
  },
  'login.succeeded': { area: 'users', meaning: 'A user signed in' },
  'login.failed': {
    area: 'users',
    meaning: 'Credentials were rejected; detail: method, prefix of the key',
  },
  'login.locked': { area: 'users', meaning: 'An account or address was temporarily locked' },
  'login.unlocked': { area: 'users', meaning: 'A lock was removed before it expired' },
  'login.ended': { area: 'users', meaning: 'A user signed out, or a session expired' },
  'user.created': {
    area: 'users',
    meaning: 'A user was created; detail: template, groups, active',
  },
  'user.updated': {
    area: 'users',
    meaning: 'Properties of a user were changed; detail: before, after',
  },
  'user.password': {
    area: 'users',
    meaning:
      'The password of a user was changed; detail: whether by email, or removed (absent if set directly)',
  },
  'user.reset_asked': {
    area: 'users',
    meaning: 'A link for a new password was sent to a user, or its delivery failed',
  },
  'user.mfa': { area: 'users', meaning: 'A second factor was set up, changed or removed' },
  'user.deleted': {
    area: 'users',
    meaning: 'A user was deleted; detail: the zones, and their new owners',
  },
  'key.created': {
    area: 'users',
    meaning: 'An API key was created; detail: owner and restrictions',
  },
  'key.updated': { area: 'users', meaning: 'The name or restrictions of an API key were changed' },
  'key.regenerated': { area: 'users', meaning: 'An API key got a new secret' },
  'key.enabled': { area: 'users', meaning: 'An API key was enabled' },
  'key.disabled': { area: 'users', meaning: 'An API key was disabled' },
  'key.revoked': { area: 'users', meaning: 'An API key was deleted' },
  'group.created': {
    area: 'groups',
    meaning: 'A group was created; detail: description, template',
  },
  'group.updated': {
    area: 'groups',
    meaning: 'Properties of a group were changed; detail: before, after',
  },
  'group.deleted': {
    area: 'groups',
    meaning: 'A group was deleted; detail: zones that the group owned',
  },
  'group.member_added': { area: 'groups', meaning: 'A user joined a group; detail: user' },
  'group.member_removed': { area: 'groups', meaning: 'A user left a group; detail: user' },
  'template.created': {
    area: 'groups',
    meaning: 'A permission template was created; detail: its permissions',
  },
  'template.updated': {
    area: 'groups',
    meaning: 'A permission template was changed; detail: before, after, permissions',
  },
  'template.deleted': {
    area: 'groups',
    meaning: 'A permission template was deleted; detail: its permissions',
  },
  'zone_template.created': {
    area: 'zones',
    meaning: 'A zone template was created; detail: description, whether all users can use it',
  },
  'zone_template.updated': {
    area: 'zones',
    meaning: 'A zone template was changed; detail: before, after',
  },
  'zone_template.deleted': {
    area: 'zones',
    meaning: 'A zone template was deleted; detail: number of its records',
  },
  'zone_template.record_added': {
    area: 'zones',
    meaning: 'A record was added to a zone template; detail: the record',
  },
  'zone_template.record_changed': {
    area: 'zones',
    meaning: 'A record of a zone template was changed; detail: before, after',
  },
  'zone_template.record_removed': {
    area: 'zones',
    meaning: 'A record of a zone template was deleted; detail: the record',
  },
  'zone.created': { area: 'zones', meaning: 'A zone was created; detail: its journal entry' },
  'zone.changed': {
    area: 'zones',
    meaning:
      'Records or properties of a zone were changed; detail: its journal entry, whether only properties',
  },
  'zone.deleted': { area: 'zones', meaning: 'A zone was deleted; detail: its journal entry' },
  'zone.restored': {
    area: 'zones',
    meaning: 'A zone was restored from the trash; detail: its journal entry',
  },
  'zone.rectified': {
    area: 'zones',
    meaning: 'A signed zone was rectified; detail: number of wrong rows, if known',
  },
  'zone.discarded': { area: 'zones', meaning: 'A deleted zone was removed from the trash' },
  'zone.owner_added': {
    area: 'zones',
    meaning: 'An owner was added to a zone; detail: user or group, reason',
  },
  'zone.owner_removed': {
    area: 'zones',
    meaning: 'An owner was removed from a zone; detail: user or group, reason',
  },
  'zone.code_arrived': {
    area: 'zones',
    meaning:
      'Another program or server added records that run code (LUA) to a zone; detail: its journal entry, types, number of records',
  },
  'zone.template_linked': {
    area: 'zones',
    meaning: 'A zone was created from a template, or linked to one; detail: template',
  },
  'zone.template_unlinked': {
    area: 'zones',
    meaning: 'A zone was unlinked from its template, without changes to records; detail: template',
  },
  'zone.signed': {
    area: 'zones',
    meaning: 'DNSSEC was enabled for a zone; detail: its journal entry',
  },
  'zone.unsigned': {
    area: 'zones',
    meaning:
      'DNSSEC was disabled for a zone, and its keys were deleted; detail: its journal entry, deleted metadata',
  },
  'zone.key_added': {
    area: 'zones',
    meaning: 'A DNSSEC key was added to a zone; detail: id, tag, role, algorithm, active, imported',
  },
  'zone.key_changed': {
    area: 'zones',
    meaning: 'A DNSSEC key was activated or deactivated; detail: id, tag, active',
  },
  'zone.key_deleted': {
    area: 'zones',
    meaning: 'A DNSSEC key was deleted; detail: id, tag, role, algorithm, active',
  },
  'zone.notified': {
    area: 'zones',
    meaning: 'NOTIFY to the secondaries of a zone was requested from the name server',
  },
  'zone.retrieved': {
    area: 'zones',
    meaning: 'A transfer of a zone from its primary was requested from the name server',
  },
  'zone.flushed': {
    area: 'zones',
    meaning: 'A flush of the caches of a zone was requested from the name server',
  },
  'autoprimary.added': {
    area: 'system',
    meaning: 'An autoprimary was added; detail: address, name server, account',
  },
  'autoprimary.changed': {
    area: 'system',
    meaning: 'An autoprimary was changed; detail: before, after',
  },
  'autoprimary.removed': {
    area: 'system',
    meaning: 'An autoprimary was removed; detail: address, name server, account',
  },
  'request.filed': {
    area: 'zones',
    meaning: 'A change request was submitted; detail: its number, kind, number of actions',
  },
  'request.approved': {
    area: 'zones',
    meaning: 'A reviewer approved a change request; detail: its number, whether it was applied',
  },
  'request.applied': {
    area: 'zones',
    meaning: 'An approved change request was applied at its scheduled time; detail: its number',
  },
  'request.rejected': {
    area: 'zones',
    meaning: 'A change request was rejected; detail: its number',
  },
  'request.cancelled': {
    area: 'zones',
    meaning: 'A change request was withdrawn, or expired; detail: its number, the reason',
  },
  'request.failed': {
    area: 'zones',
    meaning:
      'A change request could not be applied, or its zone was deleted; detail: its number, status',
  },
  'request.stale': {
    area: 'zones',
    meaning:
      'A change request is outdated: its baseline changed; detail: its number, the affected actions',
  },
  'request.rebased': {
    area: 'zones',
    meaning: 'A change request was updated to a new baseline; detail: its number',
  },
  'request.reopened': {
    area: 'zones',
    meaning: 'A change request is pending again, because its zone was restored; detail: its number',
  },
  'request.commented': {
    area: 'zones',
    meaning: 'A user commented on a change request; detail: its number',
  },
  'request.pruned': {
    area: 'system',
    meaning: 'Old closed change requests were removed; detail: their number',
  },
  'job.requested': { area: 'system', meaning: 'A user requested a run of a job; detail: run' },
  'job.failed': {
    area: 'system',
    meaning: 'A run of a job failed or did not end; detail: run, outcome, exit code, node',
  },
  'outbox.retried': {
    area: 'system',
    meaning: 'A user retried rows of the outbox; detail: their number',
  },
  'webhook.created': { area: 'system', meaning: 'A webhook was created; detail: host, enabled' },
  'webhook.updated': { area: 'system', meaning: 'A webhook was changed; detail: host, enabled' },
  'webhook.secret': {
    area: 'system',
    meaning: 'A webhook got a new secret; detail: host, enabled',
  },
  'webhook.tested': {
    area: 'system',
    meaning: 'A user tested a webhook, which receives this event; detail: host, enabled',
  },
  'webhook.deleted': { area: 'system', meaning: 'A webhook was deleted; detail: host, enabled' },
  'history.pruned': {
    area: 'system',
    meaning: 'Old journal entries were removed; detail: number of entries, number of zones',
  },
  'audit.pruned': {
    area: 'system',
    meaning: 'Old events were removed; detail: their number, the last removed position',
  },
  'audit.accepted': {
    area: 'system',
    meaning:
      'The stored end of the chain was accepted and signed again; detail: the reason, positions',
  },
} as const satisfies Record<string, ActionMeaning>

/** Name of an action. */
export type AuditAction = keyof typeof AUDIT_ACTIONS

export const AUDIT_AREAS: readonly AuditArea[] = ['users', 'groups', 'zones', 'system']

/** Names of the actions of these areas. */
export function actionsOf(areas: readonly AuditArea[]): AuditAction[] {
  const names = Object.keys(AUDIT_ACTIONS) as AuditAction[]
  return names.filter((name) => areas.includes(AUDIT_ACTIONS[name].area))
}
