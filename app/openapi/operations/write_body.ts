import type { DescribedBody } from '#openapi/operation'
import { writeValidator } from '#validators/fields'

/** The body of a write without members of its own. */
export const WRITE_BODY: DescribedBody = {
  validator: writeValidator,
  example: { reason: 'ticket 12' },
}
