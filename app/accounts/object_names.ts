import { invalid } from '#exceptions/refusal'

/**
 * The name of a group or of a permission template, checked. Throws a 400 `Refusal` for one that is empty, too
 * long, has a blank at an end (which databases compare differently) or characters that do not print.
 *
 * @param longest characters that its column takes
 */
export function objectName(name: string, longest: number): string {
  if (!/^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u.test(name) || name.length > longest) {
    throw invalid(
      `Field 'name': ${JSON.stringify(name.slice(0, 100))} must have 1 to ${longest} printable characters, none of them a blank at an end`
    )
  }
  return name
}
