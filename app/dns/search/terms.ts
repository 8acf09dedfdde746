/** Fields that hold text. `word` stands for words without a field. */
export type TextField = 'word' | 'name' | 'content' | 'zone' | 'comment'

/** How a TTL compares. */
export type Comparison = '<' | '<=' | '=' | '>=' | '>'

/** A condition on a text. */
export interface TextTerm {
  field: TextField
  /**
   * The texts that count, in lower case: what was written, and for what is no ASCII the forms in which names and
   * contents have it. With wildcards `*` and `?` where `isPattern`.
   */
  texts: string[]
  /** The whole text has to match; else a part of it is enough. A zone is always meant by its whole name. */
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

/** One condition of a search. All conditions have to hold. */
export type Term = TextTerm | TypeTerm | TtlTerm | DisabledTerm

/** Whether the condition is on a text. */
export function isText(term: Term): term is TextTerm {
  return 'texts' in term
}
