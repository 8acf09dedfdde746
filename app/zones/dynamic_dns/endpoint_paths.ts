/** Paths of the dyndns2 endpoint; all are equivalent. */
export const DYNDNS_PATHS = ['/nic/update', '/dynamic_update.php', '/dynamic_update'] as const

/** A host token as a path segment. */
const HOST_TOKEN = /\/dy[a-z2-7]{30}(?![a-z2-7])/

/**
 * Removes the parts of a request target that cannot be decoded. Devices send `%h` before or after
 * the path of the endpoint. The host token stays.
 *
 * @returns null if the target is not the endpoint
 */
export function decodableTarget(target: string): string | null {
  const [path] = target.split('?', 1)
  const found = DYNDNS_PATHS.find((one) => path.includes(one))
  const [token] = HOST_TOKEN.exec(path) ?? ['']
  return found === undefined ? null : found + token + target.slice(path.length)
}
