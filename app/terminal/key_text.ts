import type { apiKeyItem } from '#transformers/accounts/api_key'

/** What a key is restricted to, in one line. */
export function restrictionsInWords(key: ReturnType<typeof apiKeyItem>): string {
  const zones = key.zones.map(({ name }) => name).join(', ') || 'none'
  const patterns = key.patterns.map(({ name, types }) =>
    types.length > 0 ? `${name} (${types.join(', ')})` : name
  )
  const parts = [
    key.read_only ? 'read-only' : '',
    key.operations.length > 0 ? `operations ${key.operations.join(', ')}` : '',
    key.zone_restricted ? `zones ${zones}` : '',
    patterns.length > 0 ? `records ${patterns.join(', ')}` : '',
    key.networks.length > 0 ? `from ${key.networks.join(', ')}` : '',
    key.expires_at === null ? '' : `until ${key.expires_at}`,
    key.idle_days === null ? '' : `ends after ${key.idle_days} days without use`,
  ]
  return parts.filter((part) => part !== '').join('; ') || '-'
}
