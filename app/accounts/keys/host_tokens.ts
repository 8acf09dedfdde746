import type { KeyOperation, KeyScope } from '#access/actor'
import { invalid } from '#exceptions/refusal'

const WRITE_OPERATIONS: readonly KeyOperation[] = ['create', 'update', 'delete']
const HOST_TYPES = ['A', 'AAAA', 'TXT']
/** Limit above the number of names of any device. */
const MAX_HOSTS = 20

/** Input for a host token. */
export interface HostTokenInput {
  /** Canonical names. */
  hosts: string[]
  /** Whether it may also write TXT records of these names. */
  withTxt: boolean
  /** Zones that it reaches, name by id; null for all zones of its user. */
  zones: ReadonlyMap<number, string> | null
  networks: string[] | null
  /** ISO 8601; null for a token that never expires. */
  expiresAt: string | null
}

/** Returns the scope of a host token: no reads, and writes of addresses of its names only. */
export function hostTokenScope(terms: HostTokenInput): KeyScope {
  const { hosts, withTxt, zones, networks, expiresAt } = terms
  const types = new Set(withTxt ? HOST_TYPES : HOST_TYPES.slice(0, 2))
  return {
    readOnly: false,
    operations: new Set(WRITE_OPERATIONS),
    zones,
    patterns: hosts.map((name) => ({ name, types })),
    networks,
    expiresAt,
    idleDays: null,
  }
}

/**
 * Throws a 400 for a scope that exceeds that of a host token, because host tokens need no
 * permission and do not count as keys of their user.
 */
export function checkHostScope({ operations, patterns }: KeyScope): void {
  const isWriteOnly = operations !== null && !operations.has('view')
  const hasHostPatterns =
    patterns !== null &&
    patterns.length <= MAX_HOSTS &&
    patterns.every(
      ({ name, types }) =>
        types !== null &&
        [...types].every((type) => HOST_TYPES.includes(type)) &&
        !name.includes('**')
    )
  if (!isWriteOnly || !hasHostPatterns) {
    throw invalid(
      `A host token can only write ${HOST_TYPES.join(', ')} records of at most ${MAX_HOSTS} names: its 'operations' must not contain view, and its 'patterns' must have these types`
    )
  }
}
