import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { checked, InvalidFields } from '#validators/checked'
import { localized } from '#web/forms/localized_error'

/**
 * Validates a form by the rules of the API, and returns the body. Throws a 400 `Refusal`, with a
 * translated message if the invalid field has one.
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
