import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { checked, InvalidFields } from '#validators/checked'
import { localized } from '#web/forms/localized_error'

/**
 * The body that the API would get for a form, by the very rules of the API. Throws a 400 `Refusal`: in the words of the
 * page, where a field that is wrong has some.
 *
 * @param words by the names of members
 */
export async function formBody<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  members: object,
  words: Readonly<Record<string, string>> = {}
): Promise<Infer<VineValidator<Schema, undefined>>> {
  try {
    return await checked(validator, members)
  } catch (error) {
    const fields = error instanceof InvalidFields ? error.fields : []
    const field = fields.find((name) => Object.hasOwn(words, name))
    throw field === undefined ? error : localized(words[field])
  }
}

/** The text of a multi-line field with the stored line breaks. */
export function plainLines(text: string | undefined): string | undefined {
  return text?.replaceAll('\r\n', '\n')
}
