/** Text fields. `word` stands for words without a field. */
export type TextField = 'word' | 'name' | 'content' | 'zone' | 'comment'

/** Comparison of a TTL. */
export type Comparison = '<' | '<=' | '=' | '>=' | '>'

/** A condition on a text. */
export interface TextTerm {
  field: TextField
  /**
   * Searched texts in lower case: the typed text and, for non-ASCII, its forms in names and
   * contents. With wildcards `*` and `?` if `isPattern`.
   */
  texts: string[]
  /**
   * Whether the whole text must match; otherwise a part is enough. A zone always needs its whole
   * name.
   */
  isPattern: boolean
  negated: boolean
}

export interface TypeTerm {
  field: 'type'
  /** In upper case. */
  types: string[]
  negated: boolean
}

export interface TtlTerm {
  field: 'ttl'
  comparison: Comparison
  /** Seconds. */
  seconds: number
  negated: boolean
}

export interface DisabledTerm {
  field: 'disabled'
  value: boolean
  negated: boolean
}

/** One condition of a query. All conditions must match. */
export type Term = TextTerm | TypeTerm | TtlTerm | DisabledTerm

/** Returns whether the condition is on a text. */
export function isText(term: Term): term is TextTerm {
  return 'texts' in term
}
