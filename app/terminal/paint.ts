/** Colours of a terminal, by what they say. */
export type Colour = 'added' | 'removed' | 'changed' | 'note'

/** Puts a colour on a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string

const CODES: Record<Colour, number> = { added: 32, removed: 31, changed: 33, note: 2 }

/**
 * Colours for a stream: only where people look at it, and not where the variable `NO_COLOR` asks for none
 * (no-color.org).
 */
export function paintFor(
  stream: { isTTY?: boolean } = process.stdout,
  variables: NodeJS.ProcessEnv = process.env
): Paint {
  const isPlain = !stream.isTTY || Boolean(variables.NO_COLOR)
  return (colour, text) => (isPlain ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`)
}

/** Text that somebody else wrote, without characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
