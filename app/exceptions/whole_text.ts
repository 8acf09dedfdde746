import { invalid } from '#exceptions/refusal'

/**
 * Validates all text of a request, in every channel. NUL characters are not storable in every
 * database, and lone surrogates (`"\ud800"` in JSON) would be stored as another character. Throws a
 * 400 `Refusal` with the name of the innermost member.
 *
 * @param value a text, or lists and objects of texts, of any depth
 * @param name name of the value, such as `body`
 * @param what kind of the value in its channel: field or query parameter
 */
export function refuseBrokenText(value: unknown, name: string, what = 'Field'): void {
  const steps = wholeTextSteps(value, name, what)
  while (!steps.next().done);
}

/** As `refuseBrokenText`, one value per step. */
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
      `${what} '${name.slice(0, 100)}' must not contain an incomplete character (a lone surrogate)`
    )
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>
    for (const key in members) {
      yield
      yield* wholeTextSteps(members[key], key, what)
    }
  }
}
