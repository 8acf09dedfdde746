/** Where devices find the endpoint of the dyndns2 convention; all the same. */
export const DYNDNS_PATHS = ['/nic/update', '/dynamic_update.php', '/dynamic_update'] as const

/** The token of a host as part of a path. */
const HOST_TOKEN = /\/dy[a-z2-7]{30}(?![a-z2-7])/

/**
 * The request target without what cannot be decoded in its path, which devices put there: `%h` before or behind the
 * endpoint. A token of a host stays. null where it is not about the endpoint.
 */
export function mendedTarget(target: string): string | null {
  const [path] = target.split('?', 1)
  const found = DYNDNS_PATHS.find((one) => path.includes(one))
  const [token] = HOST_TOKEN.exec(path) ?? ['']
  return found === undefined ? null : found + token + target.slice(path.length)
}
