/** Result of one check of the doctor. */
export interface Finding {
  check: string
  /** `wrong` needs mending, `remark` may. */
  state: 'ok' | 'remark' | 'wrong'
  /** One sentence. */
  text: string
  /** What mends it; null where nothing has to be. */
  remedy: string | null
}

/** All is well. */
export function ok(check: string, text: string): Finding {
  return { check, state: 'ok', text, remedy: null }
}

/** It works, and could be better. */
export function remark(check: string, text: string, remedy: string): Finding {
  return { check, state: 'remark', text, remedy }
}

/** It does not work. */
export function wrong(check: string, text: string, remedy: string): Finding {
  return { check, state: 'wrong', text, remedy }
}
