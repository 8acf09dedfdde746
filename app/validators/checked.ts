import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { Refusal } from '#exceptions/refusal'
import { FieldMessages } from '#validators/messages'

const messagesProvider = new FieldMessages()

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

/** The validated members of a body. Throws `WrongFields` with all invalid members. */
export async function checked<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  body: object
): Promise<Infer<VineValidator<Schema, undefined>>> {
  const [error, output] = await validator.tryValidate(body, { messagesProvider, meta: undefined })
  if (error) {
    const wrong = error.messages as { field: string; message: string }[]
    throw new WrongFields(
      wrong.map(({ message }) => message).join('; '),
      wrong.map(({ field }) => field)
    )
  }
  return output
}
