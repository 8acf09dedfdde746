import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { Refusal } from '#exceptions/refusal'
import { FieldMessages } from '#validators/messages'

/** Invalid members that an answer names: a long list may have thousands of them. */
const MAX_NAMED = 100

/** Members of a body are missing, or have the wrong type. */
export class WrongFields extends Refusal {
  /** @param fields their names, as in `zones.0.id` */
  constructor(
    message: string,
    readonly fields: readonly string[]
  ) {
    super(400, message)
  }
}

/** The validated members of a body. Throws `WrongFields` with the first 100 invalid members. */
export async function checked<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  body: object
): Promise<Infer<VineValidator<Schema, undefined>>> {
  const messagesProvider = new FieldMessages(MAX_NAMED)
  const [error, output] = await validator.tryValidate(body, { messagesProvider, meta: undefined })
  if (error) {
    const found = error.messages as { field: string; message: string }[]
    const wrong = found.slice(0, MAX_NAMED)
    throw new WrongFields(
      [...wrong.map(({ message }) => message), ...moreThan(found)].join('; '),
      wrong.map(({ field }) => field)
    )
  }
  return output
}

function moreThan(found: readonly unknown[]): string[] {
  const more = found.length - MAX_NAMED
  return more > 0 ? [`${more} more fields are wrong`] : []
}
