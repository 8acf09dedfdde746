/** The largest number that the id columns of all three databases take. */
export const LARGEST_ID = 2_147_483_647

/** Whether a row can have this id. One that cannot must not reach the database, which would fail over it. */
export function isRowId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= LARGEST_ID
}

/** The id that a text says in digits; 0, which no row has, for what can be none. */
export function rowIdIn(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  return isRowId(id) ? id : 0
}

/** Beyond the id of every row that there will be, in columns of 64 bits too. */
export const LARGEST_ROW_ID = Number.MAX_SAFE_INTEGER
