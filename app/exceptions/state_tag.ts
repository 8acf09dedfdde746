import { createHash } from 'node:crypto'
import { Refusal } from '#exceptions/refusal'

/**
 * What something is at a moment, as 32 hex digits: whoever changes it by a form says by this what they saw.
 *
 * @param members of it, as JSON: what is the same has the same tag
 */
export function stateTag(members: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 32)
}

/** Throws a 412 `Refusal` where something is not what it was when it was seen; undefined goes on whatever it is. */
export function demandTag(current: string, seen: string | undefined): void {
  if (seen !== undefined && seen !== current) {
    throw new Refusal(412, 'It was changed in the meantime')
  }
}
