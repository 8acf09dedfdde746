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

const BY_DEFAULT: readonly ZoneColumn[] = [
  'type',
  'records',
  'serial',
  'changed',
  'owners',
  'dnssec',
]

/** Stands in an address for no column but the name. */
const NONE = 'none'

/** The columns that an address names, such as `type,serial`; what there is not is left out. */
export function columnsIn(text: unknown): readonly ZoneColumn[] {
  if (typeof text !== 'string' || text === '') {
    return BY_DEFAULT
  }
  const words = text.split(',')
  return ZONE_COLUMNS.filter((column) => words.includes(column))
}

/** How an address names columns; null for those that there are without a word. */
export function columnsText(columns: readonly ZoneColumn[]): string | null {
  if (columns.join() === BY_DEFAULT.join()) {
    return null
  }
  return columns.join(',') || NONE
}
