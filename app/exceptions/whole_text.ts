import { invalid } from '#exceptions/refusal'

/**
 * Looks at all text that came from outside, whichever channel it came by: no text of ours has NUL characters, and not every
 * database could store them; none at all stores one half of a character (`"\ud800"` in JSON), which would come back as
 * another one. Throws a 400 `Refusal`, which names the innermost member.
 *
 * @param value a text, or lists and objects of them, however deep
 * @param name what the value is called, such as `body`
 * @param what what it is of its channel: a field, or a query parameter
 */
export function refuseBrokenText(value: unknown, name: string, what = 'Field'): void {
  const steps = wholeTextSteps(value, name, what)
  while (!steps.next().done);
}

/** As `refuseBrokenText`, one value after the other. */
export function* wholeTextSteps(
  value: unknown,
  name: string,
  what = 'Field'
): Generator<undefined, void> {
  if (typeof value === 'string' && value.includes('\0')) {
    throw invalid(`${what} '${name.slice(0, 100)}' must not contain NUL characters`)
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw invalid(
      `${what} '${name.slice(0, 100)}' must not contain half of a character (a lone surrogate)`
    )
  }
  if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield
      yield* wholeTextSteps(member, key, what)
    }
  }
}
