import type { RecordId } from '#dns/types'

/** The canonical form of a row id. */
const ROW_ID = /^[1-9]\d{0,15}$/

/**
 * The id of a record in answers: a number if possible, even if it was sent as text; else an opaque
 * text.
 */
export function shownRecordId<Id extends RecordId | null>(id: Id): Id | number {
  const number = typeof id === 'string' && ROW_ID.test(id) ? Number(id) : Number.NaN
  return Number.isSafeInteger(number) ? number : id
}
