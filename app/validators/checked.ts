import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { Refusal } from '#exceptions/refusal'
import { FieldMessages } from '#validators/messages'

/** Invalid members that an answer names: a long list may have thousands of them. */
const MAX_NAMED_FIELDS = 100

/** Members of a body are missing, or have the wrong type. The message names the first 100. */
export class InvalidFields extends Refusal {
  readonly fields: readonly string[]

  /** @param invalidFields the members, named as in `zones.0.id`, and what is wrong with each */
  constructor(readonly invalidFields: readonly { field: string; message: string }[]) {
    super(400, messageOf(invalidFields))
    this.fields = invalidFields.map(({ field }) => field)
  }
}

/** The validated members of a body. Throws `InvalidFields` with all invalid members. */
export async function checked<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  body: object
): Promise<Infer<VineValidator<Schema, undefined>>> {
  const messagesProvider = new FieldMessages(MAX_NAMED_FIELDS)
  const [error, output] = await validator.tryValidate(body, { messagesProvider, meta: undefined })
  if (error) {
    throw new InvalidFields(error.messages as { field: string; message: string }[])
  }
  return output
}

function messageOf(invalidFields: readonly { message: string }[]): string {
  const named = invalidFields.slice(0, MAX_NAMED_FIELDS).map(({ message }) => message)
  const omitted = invalidFields.length - named.length
  return [...named, ...(omitted > 0 ? [`${omitted} more fields are invalid`] : [])].join('; ')
}
