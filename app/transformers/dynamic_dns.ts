import type { ShownKey } from '#accounts/keys/list'
import type { DyndnsClient } from '#zones/dynamic_dns/client_list'
import type { HostOutcome } from '#zones/dynamic_dns/update_hosts'

/** The result of a dynamic update. */
export function dynamicUpdateItem({ hostname, zone, applied, changed }: HostOutcome) {
  return {
    hostname,
    zone_id: zone.id,
    applied_ipv4: applied.A,
    applied_ipv6: applied.AAAA,
    changed,
  }
}

/**
 * A host token without its secret.
 *
 * @param isShown whether the caller may see a name
 */
export function hostTokenItem(token: ShownKey, isShown: (name: string) => boolean) {
  const patterns = (token.scope.patterns ?? []).filter(({ name }) => isShown(name))
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    owner: token.owner,
    enabled: token.enabled,
    hostnames: patterns.map(({ name }) => name),
    txt: patterns.some(({ types }) => types?.has('TXT')),
    networks: token.scope.networks ?? [],
    expires_at: token.scope.expiresAt,
    last_used_at: token.lastUsedAt,
    created_at: token.createdAt,
  }
}

/** A host that is updated by dynamic DNS. */
export function dyndnsClientItem({ row, recentChanges, isFlapping, isVisible }: DyndnsClient) {
  const list = (text: string | null) => (text ? text.split(',') : [])
  const ifVisible = <Value>(value: Value): Value | null => (isVisible ? value : null)
  return {
    id: Number(row.id),
    hostname: row.hostname,
    zone: { id: Number(row.zone_id), name: row.zone_name },
    ipv4: list(row.ipv4),
    ipv6: list(row.ipv6),
    last_code: row.last_code,
    first_seen_at: row.first_seen_at,
    last_seen_at: row.last_seen_at,
    last_change_at: row.last_change_at,
    requests: Number(row.requests),
    changes: Number(row.changes),
    recent_changes: recentChanges,
    flapping: isFlapping,
    client_address: ifVisible(row.client_address),
    user_agent: ifVisible(row.user_agent),
    channel: ifVisible(row.channel),
    username: ifVisible(row.username),
    api_key_id: ifVisible(row.api_key_id),
    refused:
      isVisible && row.refused_at
        ? { at: row.refused_at, address: row.refused_address, user_agent: row.refused_agent }
        : null,
  }
}
