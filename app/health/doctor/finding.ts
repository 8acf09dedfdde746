/** Result of one check of the command `doctor`. */
export interface Finding {
  check: string
  /** `wrong` must be fixed; `remark` is a recommendation. */
  state: 'ok' | 'remark' | 'wrong'
  /** One sentence. */
  text: string
  /** The remedy; null if none is needed. */
  remedy: string | null
}

/** Result of a passed check. */
export function ok(check: string, text: string): Finding {
  return { check, state: 'ok', text, remedy: null }
}

/** Result of a check with a recommendation. */
export function remark(check: string, text: string, remedy: string): Finding {
  return { check, state: 'remark', text, remedy }
}

/** Result of a failed check. */
export function wrongFinding(check: string, text: string, remedy: string): Finding {
  return { check, state: 'wrong', text, remedy }
}
