import { zoneName } from '#dns/names'

/** Maximum number of lines to search: the SOA record is at the beginning of a zone file. */
const MAX_LINES = 2_000

/**
 * Returns the zone of a zone file in canonical form: the owner of its SOA record (RFC 1035, section 5.1). null if the name is
 * not written out or if there is no SOA, as in a part of a zone.
 */
export function apexOf(text: string): string | null {
  let origin: string | null = null
  for (const line of text.split('\n', MAX_LINES)) {
    const named = /^\$ORIGIN\s+([^\s;]+)/i.exec(line)?.[1]
    if (named !== undefined) {
      origin = absolute(named, origin) ?? origin
    }
    const owner = /^([^\s;$]+)\s(?:[^;"]*\s)?SOA\s/i.exec(line)?.[1]
    if (owner !== undefined) {
      return canonical(absolute(owner, origin))
    }
  }
  return null
}

/** Returns a name without final dot ('' is the root); null for a relative name without origin. */
function absolute(name: string, origin: string | null): string | null {
  if (name.endsWith('.')) return name.slice(0, -1)
  if (origin === null || name === '@') return origin
  return origin === '' ? name : `${name}.${origin}`
}

function canonical(name: string | null): string | null {
  try {
    return name === null ? null : zoneName(name)
  } catch {
    return null
  }
}
