import type { KeyScope } from '#access/actor'
import type { KeyChange, KeyDraft } from '#accounts/keys/change'
import type { AuditEvent, Detail } from '#audit/event'

/** Audit events of a change of a key. */
export function keyEvents(change: KeyChange): AuditEvent[] {
  const { id, owner, before, after } = change
  const name = (after ?? before)?.name ?? null
  const detail = { user_id: owner.id, username: owner.username }
  const event = (action: AuditEvent['action'], more: Detail = {}): AuditEvent => ({
    action,
    object: { kind: 'key', id, name },
    detail: { ...detail, ...more },
  })
  switch (change.kind) {
    case 'created':
      return [event('key.created', after ? scopeDetail(after) : {})]
    case 'regenerated':
      return [event('key.regenerated')]
    case 'deleted':
      return [event('key.revoked')]
    case 'changed':
      return changesOf(before, after).map(([action, more]) => event(action, more))
  }
}

/** Audit events of keys that were deleted with their owner. */
export function keyRevokedEvents(
  keys: { id: number; name: string }[],
  owner: { id: number; username: string }
): AuditEvent[] {
  return keys.map(({ id, name }) => ({
    action: 'key.revoked',
    object: { kind: 'key', id, name },
    detail: { user_id: owner.id, username: owner.username },
  }))
}

function changesOf(
  before: Required<KeyDraft> | null,
  after: Required<KeyDraft> | null
): [AuditEvent['action'], Detail?][] {
  if (!before || !after) {
    return []
  }
  const [previous, current] = [scopeDetail(before), scopeDetail(after)]
  const isSame = JSON.stringify(previous) === JSON.stringify(current) && before.name === after.name
  return [
    ...(before.enabled === after.enabled
      ? []
      : [[after.enabled ? 'key.enabled' : 'key.disabled'] as [AuditEvent['action']]]),
    ...(isSame ? [] : [['key.updated', current] as [AuditEvent['action'], Detail]]),
  ]
}

/**
 * Restrictions as audit detail. Zone names are in `zones` only, which some readers may not view.
 */
function scopeDetail({ scope }: { scope: KeyScope }) {
  const { zones, patterns } = scope
  return {
    read_only: scope.readOnly,
    operations: scope.operations ? [...scope.operations] : null,
    networks: scope.networks ? [...scope.networks] : null,
    expires_at: scope.expiresAt,
    idle_days: scope.idleDays,
    zones: [
      ...(zones ?? new Map<number, string>()).keys(),
      ...(patterns ?? []).map(({ name, types }) => ({ pattern: name, types: [...(types ?? [])] })),
    ],
  }
}
