import type { TextTerm } from '#dns/search/terms'

/** Returns the LIKE patterns of a text condition, with `!` as escape. One of them must match. */
export function likePatterns(term: TextTerm): string[] {
  const { isPattern, field } = term
  return wholeTexts(term).map((text) => {
    const plain = text.replace(/[!%_]/g, '!$&')
    if (isPattern) {
      return plain.replace(/\*/g, '%').replace(/\?/g, '_')
    }
    return field === 'zone' ? plain : `%${plain}%`
  })
}

/**
 * Returns the texts of a condition. Patterns for a whole content also get the quotes of stored TXT
 * data.
 */
function wholeTexts({ texts, isPattern, field }: TextTerm): string[] {
  return isPattern && field === 'content' ? texts.flatMap((text) => [text, `"${text}"`]) : texts
}

/** Returns, per spelling, the texts that every match contains. */
export function literalsOf({ texts, isPattern }: TextTerm): string[][] {
  return texts.map((text) => (isPattern ? text.split(/[*?]+/).filter(Boolean) : [text]))
}

/** Returns whether a text matches a condition. */
export function matchesText(term: TextTerm, value: string): boolean {
  const text = value.toLowerCase()
  return wholeTexts(term).some((searchText) => {
    if (term.isPattern) {
      return matchesPattern([...searchText], [...text])
    }
    return term.field === 'zone' ? text === searchText : text.includes(searchText)
  })
}

/**
 * Matches a pattern: `*` is any text, `?` one character. Backtracks to the last `*` only, so the
 * cost is at most the product of both lengths.
 */
function matchesPattern(pattern: string[], text: string[]): boolean {
  let [position, place] = [0, 0]
  let [star, tried] = [-1, 0]
  while (place < text.length) {
    if (pattern[position] === '*') {
      star = position++
      tried = place
    } else if (
      position < pattern.length &&
      (pattern[position] === '?' || pattern[position] === text[place])
    ) {
      position++
      place++
    } else if (star !== -1) {
      position = star + 1
      place = ++tried
    } else {
      return false
    }
  }
  return pattern.slice(position).every((character) => character === '*')
}
