import type { TextTerm } from '#dns/search/terms'

/** The LIKE patterns of a condition on text, with `!` as escape: one of them has to match. */
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

/** The texts of a condition; those that a whole content has to match also in the quotes that a text is stored in (TXT). */
function wholeTexts({ texts, isPattern, field }: TextTerm): string[] {
  return isPattern && field === 'content' ? texts.flatMap((text) => [text, `"${text}"`]) : texts
}

/** Texts that all have to occur where one of the spellings matches, for each spelling. */
export function literalsOf({ texts, isPattern }: TextTerm): string[][] {
  return texts.map((text) => (isPattern ? text.split(/[*?]+/).filter(Boolean) : [text]))
}

/** Whether a text matches a condition on text. */
export function matchesText(term: TextTerm, value: string): boolean {
  const text = value.toLowerCase()
  return wholeTexts(term).some((wanted) => {
    if (term.isPattern) {
      return matchesPattern([...wanted], [...text])
    }
    return term.field === 'zone' ? text === wanted : text.includes(wanted)
  })
}

/**
 * Whether a text is as a pattern says: `*` is any characters, `?` one. Both in characters. Goes back to the last
 * `*` alone, so that it takes no more steps than the product of both lengths, whatever the pattern.
 */
function matchesPattern(pattern: string[], text: string[]): boolean {
  let [at, place] = [0, 0]
  let [star, tried] = [-1, 0]
  while (place < text.length) {
    if (pattern[at] === '*') {
      star = at++
      tried = place
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[place])) {
      at++
      place++
    } else if (star !== -1) {
      at = star + 1
      place = ++tried
    } else {
      return false
    }
  }
  return pattern.slice(at).every((character) => character === '*')
}
