import type { Environment } from '#settings/resolve'

/** Beginnings of variables of the specification's settings that this release does not have. */
const PREFIXES = ['INTERFACE_SHOW_PDNS_']

const OFF = new Set(['', '0', 'false', 'no', 'off'])

/**
 * Variables that switch something on which this release does not have yet, so that nobody believes in a
 * protection that is not there.
 */
export function withoutEffect(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) =>
      PREFIXES.some((prefix) => name.startsWith(prefix)) &&
      !OFF.has((environment[name] ?? '').toLowerCase())
  )
}
