import type { RecordId } from '#dns/types'

/** What an id of a row can be, in its one form. */
const ROW_ID = /^[1-9]\d{0,15}$/

/** The id of a record as callers see it: a number where it is one, even if it was sent as text; else an opaque text. */
export function shownRecordId<Id extends RecordId | null>(id: Id): Id | number {
  const number = typeof id === 'string' && ROW_ID.test(id) ? Number(id) : Number.NaN
  return Number.isSafeInteger(number) ? number : id
}
