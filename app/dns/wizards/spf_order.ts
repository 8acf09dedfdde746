/** Values of the field for all other senders; '' for no such term. */
export const ALL = ['~all', '-all', '?all', ''] as const

const FIELDS = ['mx', 'a', 'ip', 'includes', 'all', 'other'] as const
const ENDS = /^[+?~-]?all$|^redirect=/i

/** Returns the form field of a term. */
export function fieldOf(term: string): (typeof FIELDS)[number] {
  const plain = keyOf(term)
  if (plain === 'mx' || plain === 'a') return plain
  if (/^ip[46]:/i.test(plain)) return 'ip'
  if (/^include:/i.test(plain)) return 'includes'
  return ALL.some((one) => one !== '' && one === plain) ? 'all' : 'other'
}

/** Returns whether a term is "all", with any qualifier. */
export function isAll(term: string): boolean {
  return /^[+?~-]?all$/i.test(term)
}

/**
 * Sorts the terms by the existing policy, because the first match decides (RFC 7208, 4.6.2):
 * existing terms keep their positions. New terms replace deleted ones of their field, or precede
 * the end of the policy.
 */
export function inOrder(wanted: readonly string[], before: readonly string[]): string[] {
  const wantedTerms = byKey(wanted)
  const existingTerms = byKey(before)
  const end = before.findIndex(isAll)
  const positions: (string | undefined)[] = before.map(() => undefined)
  const added = new Set<string>()
  for (const field of FIELDS) {
    const wantedKeys = [...wantedTerms.keys()].filter((key) => fieldOf(key) === field)
    // Existing terms with another order in the form swap their positions.
    const retained = wantedKeys
      .filter((key) => existingTerms.has(key))
      .map((key) => existingTerms.get(key)!)
    const newKeys = wantedKeys.filter((key) => !existingTerms.has(key))
    const existing = [...before.entries()].filter(([, term]) => fieldOf(term) === field)
    const seen = new Set<string>()
    for (const [at, term] of existing) {
      const key = keyOf(term)
      // Terms after "all" are never evaluated.
      const isFree = !wantedTerms.has(key) && (end < 0 || at <= end)
      if (wantedTerms.has(key) && !seen.has(key)) positions[at] = retained.shift()
      else if (isFree) positions[at] = wantedTerms.get(newKeys.shift() ?? '')
      seen.add(key)
    }
    newKeys.forEach((key) => added.add(key))
  }
  const terms = positions.filter((term) => term !== undefined)
  const last = terms.findIndex((term) => ENDS.test(term))
  const more = [...wantedTerms].flatMap(([key, term]) => (added.has(key) ? [term] : []))
  return terms.toSpliced(last < 0 ? terms.length : last, 0, ...more)
}

/** Indexes terms by key; the first of equivalent terms counts. */
function byKey(terms: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const term of terms) {
    const key = keyOf(term)
    if (!found.has(key)) found.set(key, term)
  }
  return found
}

/** Equivalent terms have the same key; macros are case-sensitive (RFC 7208, 7.3). */
function keyOf(term: string): string {
  const plain = term.replace(/^\+/, '')
  return plain.includes('%') ? plain : plain.toLowerCase()
}
