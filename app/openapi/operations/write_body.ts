import type { DescribedBody } from '#openapi/operation'
import { writeValidator } from '#validators/fields'

/** The body of a write with common members only. */
export const WRITE_BODY: DescribedBody = {
  validator: writeValidator,
  example: { reason: 'ticket 12' },
}
