import type { ShownKey } from '#accounts/keys/list'
import { patternItem } from '#accounts/keys/scope'

/**
 * An API key without its secret.
 *
 * @param shown whether the caller may see a zone of the key, or the owner name of a pattern
 */
export function apiKeyItem(
  key: ShownKey,
  shown: { zone: (id: number) => boolean; pattern: (name: string) => boolean }
) {
  const { scope } = key
  const zones = [...(scope.zones ?? [])].map(([id, name]) => ({ id, name }))
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    owner: key.owner,
    enabled: key.enabled,
    read_only: scope.readOnly,
    operations: [...(scope.operations ?? [])],
    zones: zones.filter(({ id }) => shown.zone(id)),
    // Restricted zones may be deleted or hidden: an empty list without this member would mean all
    // zones.
    zone_restricted: scope.zones !== null,
    patterns: (scope.patterns ?? []).map(patternItem).flatMap(({ name, types }) => {
      return shown.pattern(name) ? [{ name, types: types ?? [] }] : []
    }),
    // Patterns may be hidden in the same way.
    pattern_restricted: scope.patterns !== null,
    networks: scope.networks ?? [],
    expires_at: scope.expiresAt,
    idle_days: scope.idleDays,
    last_used_at: key.lastUsedAt,
    last_used_from: key.lastUsedFrom,
    created_at: key.createdAt,
    // 'dyndns' for a host token.
    purpose: key.purpose,
  }
}
