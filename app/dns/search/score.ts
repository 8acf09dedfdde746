import { isText, type Term, type TextTerm } from '#dns/search/terms'

/** Points by location. A match in a name scores more than one in its data. */
const NAME_SCORES = { whole: 100, start: 80, word: 60, part: 40 }
const TEXT_SCORES = { whole: 90, start: 70, word: 50, part: 30 }

/** Points of conditions without a text. */
const NO_TEXT = 10

/** Members of a hit that decide its score. */
export interface RankedItem {
  name: string
  /** Content or comment; null for a zone. */
  text: string | null
}

/**
 * Returns the score of a hit, 1 to 100: whole name, its start, the start of a word or label, any
 * part; then the same for the text. Several words: their mean.
 */
export function scoreOf(terms: readonly Term[], hit: RankedItem): number {
  const textTerms = terms.filter(
    (term): term is TextTerm => isText(term) && !term.negated && term.field !== 'zone'
  )
  if (textTerms.length === 0) {
    return NO_TEXT
  }
  const name = hit.name.toLowerCase()
  const text = hit.text?.toLowerCase() ?? null
  const points = textTerms.map((term) => {
    const inName = ['word', 'name'].includes(term.field)
      ? scorePosition(term, name, NAME_SCORES)
      : 0
    const inText =
      text !== null && term.field !== 'name' ? scorePosition(term, text, TEXT_SCORES) : 0
    return Math.max(inName, inText)
  })
  const sum = points.reduce((total, it) => total + it, 0)
  return Math.max(1, Math.round(sum / points.length))
}

function scorePosition(
  { texts, isPattern }: TextTerm,
  value: string,
  points: typeof NAME_SCORES
): number {
  if (isPattern) {
    const isStart = texts.some((text) => !/^[*?]/.test(text))
    return isStart ? points.start : points.part
  }
  const positions = texts.map((text) => {
    const position = value.indexOf(text)
    if (position < 0) return 0
    if (position === 0) return value.length === text.length ? points.whole : points.start
    return startsWord(value, text) ? points.word : points.part
  })
  return Math.max(0, ...positions)
}

function startsWord(value: string, text: string): boolean {
  for (
    let position = value.indexOf(text);
    position >= 0;
    position = value.indexOf(text, position + 1)
  ) {
    if (position > 0 && !/[\p{L}\p{N}]/u.test(value[position - 1])) return true
  }
  return false
}
