/** Values of the field for all other senders; '' for no such term. */
export const ALL = ['~all', '-all', '?all', ''] as const

const FIELD_ORDER = ['mx', 'a', 'ip', 'includes', 'all', 'other'] as const
const ENDING_TERM = /^[+?~-]?all$|^redirect=/i

/** Returns the form field of a term. */
export function fieldOf(term: string): (typeof FIELD_ORDER)[number] {
  const key = keyOf(term)
  if (key === 'mx' || key === 'a') return key
  if (/^ip[46]:/i.test(key)) return 'ip'
  if (/^include:/i.test(key)) return 'includes'
  return ALL.some((one) => one !== '' && one === key) ? 'all' : 'other'
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
export function inOrder(termList: readonly string[], before: readonly string[]): string[] {
  const wantedTerms = byKey(termList)
  const existingTerms = byKey(before)
  const end = before.findIndex(isAll)
  const positions: (string | undefined)[] = before.map(() => undefined)
  const added = new Set<string>()
  for (const field of FIELD_ORDER) {
    const wantedKeys = [...wantedTerms.keys()].filter((key) => fieldOf(key) === field)
    // Existing terms with another order in the form swap their positions.
    const retained = wantedKeys
      .filter((key) => existingTerms.has(key))
      .map((key) => existingTerms.get(key)!)
    const newKeys = wantedKeys.filter((key) => !existingTerms.has(key))
    const existing = [...before.entries()].filter(([, term]) => fieldOf(term) === field)
    const keptKeys = new Set<string>()
    for (const [position, term] of existing) {
      const key = keyOf(term)
      // Terms after "all" are never evaluated.
      const isFree = !wantedTerms.has(key) && (end < 0 || position <= end)
      if (wantedTerms.has(key) && !keptKeys.has(key)) positions[position] = retained.shift()
      else if (isFree) positions[position] = wantedTerms.get(newKeys.shift() ?? '')
      keptKeys.add(key)
    }
    newKeys.forEach((key) => added.add(key))
  }
  const terms = positions.filter((term) => term !== undefined)
  const endIndex = terms.findIndex((term) => ENDING_TERM.test(term))
  const addedTerms = [...wantedTerms].flatMap(([key, term]) => (added.has(key) ? [term] : []))
  return terms.toSpliced(endIndex < 0 ? terms.length : endIndex, 0, ...addedTerms)
}

/** Indexes terms by key; the first of equivalent terms counts. */
function byKey(terms: readonly string[]): Map<string, string> {
  const termsByKey = new Map<string, string>()
  for (const term of terms) {
    const key = keyOf(term)
    if (!termsByKey.has(key)) termsByKey.set(key, term)
  }
  return termsByKey
}

/** Equivalent terms have the same key; macros are case-sensitive (RFC 7208, 7.3). */
function keyOf(term: string): string {
  const bareTerm = term.replace(/^\+/, '')
  return bareTerm.includes('%') ? bareTerm : bareTerm.toLowerCase()
}
