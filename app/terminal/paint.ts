/** Colours of the terminal, by meaning. */
export type Colour = 'added' | 'removed' | 'changed' | 'note'

/** Puts a colour on a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

const CODES: Record<Colour, number> = { added: 32, removed: 31, changed: 33, note: 2 }

/** Colours for a stream: none if it is no terminal, or if `NO_COLOR` is set (no-color.org). */
export function paintFor(
  stream: { isTTY?: boolean } = process.stdout,
  variables: NodeJS.ProcessEnv = process.env
): Paint {
  const isPlain = !stream.isTTY || Boolean(variables.NO_COLOR)
  return (colour, text) => (isPlain ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`)
}

/** Text of a user without control characters of the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
