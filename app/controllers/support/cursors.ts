import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from '#exceptions/refusal'
import type { RowKey } from '#lists/row_key'
import { derivedKey } from '#support/derived_key'

const TAG_BYTES = 12
/** Maximal length of a cursor: some names of 255 characters for one row. */
const MAX_LENGTH = 8_192

/**
 * A position in a list, opaque and signed, so that the database is queried with keys of this list
 * only. It contains the sort fields of the last row.
 *
 * @param list its path: other lists may have the same order
 */
export function sealedCursor(list: string, sortOrder: string, key: RowKey): string {
  const body = Buffer.from(JSON.stringify([sortOrder, key]))
  return Buffer.concat([tagOf(list, body), body]).toString('base64url')
}

/**
 * The key of a cursor; null of an empty one, or `*`: the start. Throws a 400 `Refusal` for a cursor
 * of another list or order.
 */
export function openedCursor(list: string, sortOrder: string, cursor: string): RowKey | null {
  if (cursor === '' || cursor === '*') {
    return null
  }
  const bytes = Buffer.from(cursor.slice(0, MAX_LENGTH), 'base64url')
  const [tag, body] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)]
  // Decoding ignores digits of an incomplete byte.
  const isWhole = bytes.toString('base64url') === cursor
  if (!isWhole || body.length === 0 || !timingSafeEqual(tag, tagOf(list, body))) {
    throw refused('found an invalid cursor, or one of another list or installation')
  }
  const [itsOrder, key] = JSON.parse(body.toString()) as [string, RowKey]
  if (itsOrder !== sortOrder) {
    throw refused(
      `found a cursor for the order '${itsOrder}', but this list has the order '${sortOrder}'`
    )
  }
  return key
}

function tagOf(list: string, body: Buffer): Buffer {
  const hmac = createHmac('sha256', derivedKey('cursors')).update(`${list}\n`)
  return hmac.update(body).digest().subarray(0, TAG_BYTES)
}

function refused(found: string) {
  const allowed = "the 'next_cursor' of the previous page, or '*' for the start"
  return invalid(`Query parameter 'cursor' must be ${allowed}; ${found}`)
}
