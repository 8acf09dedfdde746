import { spellingsOf } from '#dns/names/idn'
import type { ListDeclaration } from '#lists/declaration'

/**
 * The texts that a field of a list is looked through for where one is wanted: where the field holds names, international
 * ones as they are stored, too. Any of them counts.
 */
export function spellingsIn(
  { names }: Pick<ListDeclaration, 'names'>,
  field: string,
  text: string
): string[] {
  return names?.includes(field) ? spellingsOf(text) : [text]
}
