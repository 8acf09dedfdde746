import type { KeyOperation, KeyScope } from '#access/actor'
import { invalid } from '#exceptions/refusal'

const WRITES: readonly KeyOperation[] = ['create', 'update', 'delete']
const TYPES = ['A', 'AAAA', 'TXT']
/** More names than one device has. */
const MOST_HOSTS = 20

/** What a host's token is for. */
export interface HostTokenTerms {
  /** Canonical names. */
  hosts: string[]
  /** Whether it may set TXT records of these names, too. */
  withTxt: boolean
  /** The zones that it reaches, name by id; null is all that its user does. */
  zones: ReadonlyMap<number, string> | null
  networks: string[] | null
  /** ISO 8601; null never expires. */
  expiresAt: string | null
}

/** What a host's token is narrowed to: it reads nothing, and writes the addresses of its names alone. */
export function hostTokenScope(terms: HostTokenTerms): KeyScope {
  const { hosts, withTxt, zones, networks, expiresAt } = terms
  const types = new Set(withTxt ? TYPES : TYPES.slice(0, 2))
  return {
    readOnly: false,
    operations: new Set(WRITES),
    zones,
    patterns: hosts.map((name) => ({ name, types })),
    networks,
    expiresAt,
    idleDays: null,
  }
}

/**
 * Throws a 400 for a scope in which a key would be more than the token of a host: such tokens take no permission to
 * make, and are not counted among the keys of their user.
 */
export function checkHostScope({ operations, patterns }: KeyScope): void {
  const isWritingOnly = operations !== null && !operations.has('view')
  const isForHosts =
    patterns !== null &&
    patterns.length <= MOST_HOSTS &&
    patterns.every(
      ({ name, types }) =>
        types !== null && [...types].every((type) => TYPES.includes(type)) && !name.includes('**')
    )
  if (!isWritingOnly || !isForHosts) {
    throw invalid(
      `The token of a host writes ${TYPES.join(', ')} of at most ${MOST_HOSTS} names and reads nothing: its 'operations' must be without view, and its 'patterns' of these types`
    )
  }
}
