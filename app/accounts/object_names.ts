import { invalid } from '#exceptions/refusal'

/**
 * Validates the name of a group or permission template. Throws a 400 `Refusal` if it is empty, too
 * long, has unprintable characters, or starts or ends with a space (databases compare these
 * differently).
 *
 * @param maxCharacters length of the column, in characters
 */
export function checkObjectName(name: string, maxCharacters: number): string {
  if (!/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u.test(name) || name.length > maxCharacters) {
    throw invalid(
      `Field 'name': ${JSON.stringify(name.slice(0, 100))} must have 1 to ${maxCharacters} printable characters, without a space at the start or end`
    )
  }
  return name
}
