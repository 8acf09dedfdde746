import { createHash } from 'node:crypto'
import { Refusal } from '#exceptions/refusal'

/**
 * The version of an object as 32 hex digits: a form sends back the version that it was loaded with.
 *
 * @param members of the object, as JSON; equal members have an equal tag
 */
export function stateTag(members: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 32)
}

/** Throws a 412 `Refusal` if the object has another version than `expected`; undefined matches any. */
export function demandTag(current: string, expected: string | undefined): void {
  if (expected !== undefined && expected !== current) {
    throw new Refusal(412, 'It was changed in the meantime')
  }
}
