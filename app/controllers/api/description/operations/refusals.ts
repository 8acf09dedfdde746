/** Of lists that are sorted in memory, and in files where they are long. */
export const MANY_SORTED = { 429: 'As many long whole lists are being sorted as may be.' }
