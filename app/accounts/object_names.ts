import { invalid } from '#exceptions/refusal'

/**
 * Validates the name of a group or permission template. Throws a 400 `Refusal` if it is empty, too
 * long, has unprintable characters, or starts or ends with a space (databases compare these
 * differently).
 *
 * @param longest length of the column, in characters
 */
export function objectName(name: string, longest: number): string {
  if (!/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u.test(name) || name.length > longest) {
    throw invalid(
      `Field 'name': ${JSON.stringify(name.slice(0, 100))} must have 1 to ${longest} printable characters, without a space at the start or end`
    )
  }
  return name
}
