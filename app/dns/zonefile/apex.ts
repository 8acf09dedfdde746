import { zoneName } from '#dns/names'

/** Lines that are looked at: what a zone file is about stands at its beginning. */
const MAX_LINES = 2_000

/**
 * The zone that a zone file is about: the owner of its SOA record (RFC 1035, section 5.1), canonical. null where it
 * has none that is written out, such as a part of a zone.
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

/** A name without its final dot ('' is the root); null for one that is relative to nothing. */
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
