import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { Refusal } from '#exceptions/refusal'
import { FieldMessages } from '#validators/messages'

const messagesProvider = new FieldMessages()

/** Members of a body are missing, or have the wrong type. */
export class WrongFields extends Refusal {
  readonly fields: readonly string[]

  /** @param wrong the members, named as in `zones.0.id`, and what is wrong with each */
  constructor(readonly wrong: readonly { field: string; message: string }[]) {
    super(400, wrong.map(({ message }) => message).join('; '))
    this.fields = wrong.map(({ field }) => field)
  }
}

/** The validated members of a body. Throws `WrongFields` with all invalid members. */
export async function checked<Schema extends SchemaTypes>(
  validator: VineValidator<Schema, undefined>,
  body: object
): Promise<Infer<VineValidator<Schema, undefined>>> {
  const [error, output] = await validator.tryValidate(body, { messagesProvider, meta: undefined })
  if (error) {
    throw new WrongFields(error.messages as { field: string; message: string }[])
  }
  return output
}
