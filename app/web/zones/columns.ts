/** Columns of the zone list after the name, in their order. */
export const ZONE_COLUMNS = [
  'type',
  'records',
  'serial',
  'changed',
  'owners',
  'dnssec',
  'id',
] as const
export type ZoneColumn = (typeof ZONE_COLUMNS)[number]

const DEFAULT_COLUMNS: readonly ZoneColumn[] = [
  'type',
  'records',
  'serial',
  'changed',
  'owners',
  'dnssec',
]

/** Value of the URL parameter for the name column only. */
const NO_COLUMNS = 'none'

/** Returns the columns of a URL parameter such as `type,serial`; ignores unknown ones. */
export function columnsIn(text: unknown): readonly ZoneColumn[] {
  if (typeof text !== 'string' || text === '') {
    return DEFAULT_COLUMNS
  }
  const words = text.split(',')
  return ZONE_COLUMNS.filter((column) => words.includes(column))
}

/** Returns the URL parameter for columns; null for the default columns. */
export function columnsText(columns: readonly ZoneColumn[]): string | null {
  if (columns.join() === DEFAULT_COLUMNS.join()) {
    return null
  }
  return columns.join(',') || NO_COLUMNS
}
