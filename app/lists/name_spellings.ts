import { spellingsOf } from '#dns/names/idn'
import type { ListDeclaration } from '#lists/declaration'

/**
 * The spellings of a searched text in a field. For a field with names, also the stored form of international names. A row must
 * match one of them.
 */
export function spellingsIn(
  { names }: Pick<ListDeclaration, 'names'>,
  field: string,
  text: string
): string[] {
  return names?.includes(field) ? spellingsOf(text) : [text]
}
