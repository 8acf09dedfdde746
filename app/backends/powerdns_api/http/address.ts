/** Address and key of the HTTP API of a PowerDNS server. */
export interface PowerDnsAddress {
  url: string
  key: string
  serverName: string
}

/** URL of a path below the server; `path` begins with a slash, or is empty. */
export function serverUrl({ url, serverName }: PowerDnsAddress, path: string): URL {
  return new URL(`${url}/api/v1/servers/${encodeURIComponent(serverName)}${path}`)
}

/** The zone's part of a path below the server. `zone` has no final dot. */
export function zonePath(zone: string): string {
  return `/zones/${zoneId(zone)}`
}

/**
 * PowerDNS' form of a zone name in a path: characters other than letters, digits, dots, hyphens and underscores as `=HH`. Dots
 * of a name without other characters too, since they are path segments.
 */
function zoneId(zone: string): string {
  const id = `${zone}.`
  return id.replace(/^\.+$/.test(id) ? /\./g : /[^A-Za-z0-9._-]/g, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('')
  )
}

/** Method and path without names and numbers, for counters. */
export function callName(method: string, path: string): string {
  const plain = path
    .replace(/\?.*$/, '')
    .replace(/^\/zones\/[^/]+/, '/zones/{zone}')
    .replace(/\/cryptokeys\/[^/]+/, '/cryptokeys/{key}')
  return `${method} ${plain || '/'}`
}
