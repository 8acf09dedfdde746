import type { DescribedBody } from '#openapi/operation'
import { writeValidator } from '#validators/write'

/** The body of a write that has no members of its own, and needs none. */
export const WRITE_BODY: DescribedBody = {
  validator: writeValidator,
  example: { reason: 'ticket 12' },
}
