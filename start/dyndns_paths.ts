/** Where devices find the endpoint of the dyndns2 convention; all the same. */
export const DYNDNS_PATHS = ['/nic/update', '/dynamic_update.php', '/dynamic_update'] as const

/**
 * The request target without what cannot be decoded in its path, which devices put there: `%h` before or behind the
 * endpoint. null where it is not about the endpoint.
 */
export function mendedTarget(target: string): string | null {
  const [path] = target.split('?', 1)
  const found = DYNDNS_PATHS.find((one) => path.includes(one))
  return found === undefined ? null : found + target.slice(path.length)
}
