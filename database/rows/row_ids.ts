/** The largest id in the columns of all three databases. */
export const LARGEST_ID = 2_147_483_647

/** Whether a row can have this id. PostgreSQL answers other numbers with an error. */
export function isRowId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= LARGEST_ID
}

/** Parses an id; 0, which no row has, for any other text. */
export function rowIdIn(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  return isRowId(id) ? id : 0
}

/** Upper bound of ids, also of columns of 64 bits. */
export const LARGEST_ROW_ID = Number.MAX_SAFE_INTEGER
