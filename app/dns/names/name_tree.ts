/** Position of names in the tree. All names are canonical (see names.ts). No function throws. */

const HAS_CAPITALS = /[A-Z]/
const ANY_DOT = /^[.\u3002\uff0e\uff61]$/

/**
 * Returns a name as other tools spell it in lower case. DNS ignores the case of ASCII letters only
 * (RFC 4343, 3); `toLowerCase` would change other letters, too.
 */
export function foldCase(name: string): string {
  return HAS_CAPITALS.test(name) ? name.replace(/[A-Z]+/g, (part) => part.toLowerCase()) : name
}

/** Splits a name with escapes into labels; an escaped dot separates none. */
export function splitEscaped(name: string): string[] {
  const labels = ['']
  for (const [part] of name.matchAll(/\\[^]|[^]/gu)) {
    if (ANY_DOT.test(part)) labels.push('')
    else labels[labels.length - 1] += part
  }
  return labels
}

/** Splits a canonical name into labels; an escaped dot belongs to its label. */
export function labelsOf(name: string): string[] {
  return name.includes('\\') ? splitEscaped(name) : name.split('.')
}

/** Returns whether `name` is `apex` or below it, by whole labels. */
export function isWithin(name: string, apex: string): boolean {
  if (!name.endsWith(apex)) return false
  const dot = name.length - apex.length - 1
  return dot < 0 || (name[dot] === '.' && !isEscaped(name, dot))
}

/**
 * Returns `name` relative to `apex`: "@" for the apex, "www" below it, the whole name elsewhere. A
 * label "@" is written "\\@".
 */
export function relativeName(name: string, apex: string): string {
  if (name === apex) return '@'
  const relative = belowApex(name, apex)
  return relative === '@' ? '\\@' : relative
}

function belowApex(name: string, apex: string): string {
  return isWithin(name, apex) ? name.slice(0, -apex.length - 1) : name
}

/**
 * Returns the names strictly between `name` and `apex`, nearest to `name` first; empty if `name` is
 * elsewhere.
 */
export function ancestorsWithin(name: string, apex: string): string[] {
  const ancestors: string[] = []
  if (!isWithin(name, apex)) return ancestors
  let parent = parentOf(name)
  while (parent.length > apex.length) {
    ancestors.push(parent)
    parent = parentOf(parent)
  }
  return ancestors
}

/** Returns whether `name` is a reverse name, IPv4 (RFC 1035, 3.5) or IPv6 (RFC 3596, 2.5). */
export function isReverseZone(name: string): boolean {
  return isWithin(name, 'in-addr.arpa') || isWithin(name, 'ip6.arpa')
}

/**
 * Returns the labels of `name` below `apex`, last label first, separated by spaces; '' for the
 * apex. PowerDNS sorts a zone for NSEC by this `ordername` (RFC 4034, 6.1).
 */
export function reversedLabels(name: string, apex: string): string {
  return name === apex ? '' : labelsOf(belowApex(name, apex)).reverse().join(' ')
}

function parentOf(name: string): string {
  let dot = name.indexOf('.')
  while (dot >= 0 && isEscaped(name, dot)) dot = name.indexOf('.', dot + 1)
  return dot < 0 ? '' : name.slice(dot + 1)
}

/** Returns whether an odd number of backslashes precedes the character. */
function isEscaped(name: string, position: number): boolean {
  let start = position
  while (start > 0 && name[start - 1] === '\\') start--
  return (position - start) % 2 === 1
}
