import type { AuditArea } from '#access/rules/audit_rules'

interface ActionMeaning {
  readonly area: AuditArea
  /** What happened, and the meaning of object and detail. */
  readonly meaning: string
}

/**
 * All actions of the audit log. docs/reference/audit.md has the same table (a test). Only `detail.zones` may contain names of zones: a
 * reader of the events of an area may not see the zones.
 */
export const AUDIT_ACTIONS = {
  'setup': {
    area: 'system',
    meaning: 'The database was set up or migrated, or the first administrator made; detail: which',
  },
  'records.strays_removed': {
    area: 'system',
    meaning: 'A record that belonged to no zone was deleted; detail: all of it, content in pieces',
  },
  'access.denied': {
    area: 'system',
    meaning:
      'Somebody known asked for what they may not do or see; detail: what was asked, why not',
  },
  'login.succeeded': { area: 'users', meaning: 'Somebody signed in' },
  'login.failed': {
    area: 'users',
    meaning: 'Credentials were shown and not accepted; detail: method, prefix of the key',
  },
  'login.locked': { area: 'users', meaning: 'An account or address was locked out for a while' },
  'login.unlocked': { area: 'users', meaning: 'A lock-out was lifted before its time' },
  'login.ended': { area: 'users', meaning: 'Somebody signed out, or a session expired' },
  'user.created': { area: 'users', meaning: 'A user was made; detail: template, groups, active' },
  'user.updated': {
    area: 'users',
    meaning: 'Properties of a user were changed; detail: before, after',
  },
  'user.password': {
    area: 'users',
    meaning: 'The password of a user was changed; detail: by what, where not as usual',
  },
  'user.reset_asked': {
    area: 'users',
    meaning: 'A link for a new password was sent to the mail address of a user, or could not be',
  },
  'user.mfa': { area: 'users', meaning: 'A second factor was set up, changed or removed' },
  'user.deleted': {
    area: 'users',
    meaning: 'A user was deleted; detail: who got the zones, which',
  },
  'key.created': { area: 'users', meaning: 'An API key was made; detail: owner and restrictions' },
  'key.updated': { area: 'users', meaning: 'Name or restrictions of an API key were changed' },
  'key.regenerated': { area: 'users', meaning: 'An API key was replaced by a new secret' },
  'key.enabled': { area: 'users', meaning: 'An API key was enabled' },
  'key.disabled': { area: 'users', meaning: 'An API key was disabled' },
  'key.revoked': { area: 'users', meaning: 'An API key was deleted' },
  'group.created': { area: 'groups', meaning: 'A group was made; detail: description, template' },
  'group.updated': {
    area: 'groups',
    meaning: 'Properties of a group were changed; detail: before, after',
  },
  'group.deleted': { area: 'groups', meaning: 'A group was deleted; detail: zones that it owned' },
  'group.member_added': { area: 'groups', meaning: 'A user joined a group; detail: user' },
  'group.member_removed': { area: 'groups', meaning: 'A user left a group; detail: user' },
  'template.created': {
    area: 'groups',
    meaning: 'A permission template was made; detail: its permissions',
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
    meaning: 'A zone template was made; detail: description, whether it is for everybody',
  },
  'zone_template.updated': {
    area: 'zones',
    meaning: 'A zone template was changed; detail: before, after',
  },
  'zone_template.deleted': {
    area: 'zones',
    meaning: 'A zone template was deleted; detail: how many records it had',
  },
  'zone_template.record_added': {
    area: 'zones',
    meaning: 'A zone template got a record; detail: the record',
  },
  'zone_template.record_changed': {
    area: 'zones',
    meaning: 'A record of a zone template was changed; detail: before, after',
  },
  'zone_template.record_removed': {
    area: 'zones',
    meaning: 'A record of a zone template was deleted; detail: the record',
  },
  'zone.created': { area: 'zones', meaning: 'A zone was made; detail: its journal entry' },
  'zone.changed': {
    area: 'zones',
    meaning:
      'Records or properties of a zone were changed; detail: its journal entry, whether only properties',
  },
  'zone.deleted': { area: 'zones', meaning: 'A zone was deleted; detail: its journal entry' },
  'zone.restored': {
    area: 'zones',
    meaning: 'A zone came back from the trash; detail: its journal entry',
  },
  'zone.rectified': {
    area: 'zones',
    meaning: 'A signed zone was rectified; detail: how many rows were wrong, if known',
  },
  'zone.discarded': { area: 'zones', meaning: 'A deleted zone was removed from the trash' },
  'zone.owner_added': {
    area: 'zones',
    meaning: 'A zone got an owner; detail: user or group, reason',
  },
  'zone.owner_removed': {
    area: 'zones',
    meaning: 'A zone lost an owner; detail: user or group, reason',
  },
  'zone.code_arrived': {
    area: 'zones',
    meaning:
      'Others brought records that run code (LUA) into a zone; detail: its entry, types, how many',
  },
  'zone.template_linked': {
    area: 'zones',
    meaning: 'A zone was made from a template, or linked to one; detail: template',
  },
  'zone.template_unlinked': {
    area: 'zones',
    meaning: 'A zone was parted from its template, and kept its records; detail: template',
  },
  'zone.signed': {
    area: 'zones',
    meaning: 'A zone was signed; detail: its journal entry',
  },
  'zone.unsigned': {
    area: 'zones',
    meaning:
      'A zone was unsigned, its keys deleted; detail: its journal entry, metadata that ended with them',
  },
  'zone.key_added': {
    area: 'zones',
    meaning: 'A zone got a DNSSEC key; detail: id, tag, role, algorithm, active, imported',
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
    meaning: 'The name server was told to notify replicas of a zone',
  },
  'zone.retrieved': {
    area: 'zones',
    meaning: 'The name server was told to fetch a zone from its primary',
  },
  'zone.flushed': {
    area: 'zones',
    meaning: 'The name server was told to forget what it remembers of a zone',
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
    meaning: 'A change request was filed; detail: its number, kind, how many actions',
  },
  'request.approved': {
    area: 'zones',
    meaning: 'A reviewer approved a change request; detail: its number, whether it was applied',
  },
  'request.applied': {
    area: 'zones',
    meaning: 'An approved change request was applied at its time; detail: its number',
  },
  'request.rejected': {
    area: 'zones',
    meaning: 'A change request was rejected; detail: its number',
  },
  'request.cancelled': {
    area: 'zones',
    meaning: 'A change request was cancelled, or expired; detail: its number, why',
  },
  'request.failed': {
    area: 'zones',
    meaning:
      'A change request could not be applied, or its zone was deleted; detail: its number, status',
  },
  'request.stale': {
    area: 'zones',
    meaning: 'The base of a change request no longer holds; detail: its number, which actions',
  },
  'request.rebased': {
    area: 'zones',
    meaning: 'A change request got another base; detail: its number',
  },
  'request.reopened': {
    area: 'zones',
    meaning: 'A change request is pending again: its deleted zone is back; detail: its number',
  },
  'request.commented': {
    area: 'zones',
    meaning: 'Somebody commented on a change request; detail: its number',
  },
  'request.pruned': {
    area: 'system',
    meaning: 'Old decided change requests were removed; detail: how many',
  },
  'job.requested': { area: 'system', meaning: 'Somebody asked for a run of a job; detail: run' },
  'job.failed': {
    area: 'system',
    meaning: 'A run of a job did not get to its end; detail: run, outcome, exit code, node',
  },
  'outbox.retried': {
    area: 'system',
    meaning: 'Somebody had events of the outbox tried again; detail: how many',
  },
  'webhook.created': { area: 'system', meaning: 'A webhook was made; detail: host, enabled' },
  'webhook.updated': { area: 'system', meaning: 'A webhook was changed; detail: host, enabled' },
  'webhook.secret': {
    area: 'system',
    meaning: 'A webhook got another secret; detail: host, enabled',
  },
  'webhook.tested': {
    area: 'system',
    meaning: 'Somebody tried a webhook: it is told of this; detail: host, enabled',
  },
  'webhook.deleted': { area: 'system', meaning: 'A webhook was deleted; detail: host, enabled' },
  'history.pruned': {
    area: 'system',
    meaning: 'Old journal entries were removed; detail: how many, of how many zones',
  },
  'audit.pruned': {
    area: 'system',
    meaning: 'Old events were removed; detail: how many, up to which position',
  },
  'audit.accepted': {
    area: 'system',
    meaning: 'The end of the chain was signed anew as it stood; detail: both ends',
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
