import type { KeyOperation, KeyPattern, KeyScope } from '#access/actor'

/** Columns of a scope, without the zones. */
export interface StoredScope {
  read_only: boolean | number
  /** Comma list; null allows all. */
  allowed_operations: string | null
  zone_restricted: boolean | number
  patterns: string | null
  networks: string | null
  expires_at: string | null
  idle_days: number | null
}

/** A pattern in the database and in answers. */
export interface PatternItem {
  name: string
  /** null allows all types. */
  types: string[] | null
}

/** Parses a stored scope. An unreadable value allows nothing. */
export function parseStoredScope(row: StoredScope, zones: ReadonlyMap<number, string>): KeyScope {
  const operations = row.allowed_operations?.split(',') as KeyOperation[] | undefined
  const patterns = parseList<PatternItem>(row.patterns)
  return {
    readOnly: Boolean(row.read_only),
    operations: operations ? new Set(operations) : null,
    zones: row.zone_restricted ? zones : null,
    patterns: patterns?.map(patternOf) ?? null,
    networks: parseList<string>(row.networks),
    expiresAt: row.expires_at,
    idleDays: row.idle_days === null ? null : Number(row.idle_days),
  }
}

/** Returns the columns of a scope; zones are in another table. */
export function scopeColumns(scope: KeyScope) {
  const { operations, patterns, networks } = scope
  return {
    readOnly: scope.readOnly,
    allowedOperations: operations && operations.size > 0 ? [...operations].join(',') : null,
    zoneRestricted: scope.zones !== null,
    patterns: patterns && JSON.stringify(patterns.map(patternItem)),
    networks: networks && JSON.stringify(networks),
    expiresAt: scope.expiresAt,
    idleDays: scope.idleDays,
  }
}

/** Converts a pattern for the database and for answers. */
export function patternItem({ name, types }: KeyPattern): PatternItem {
  return { name, types: types && [...types] }
}

function patternOf({ name, types }: PatternItem): KeyPattern {
  return { name, types: types && new Set(types) }
}

function parseList<Item>(json: string | null): Item[] | null {
  if (json === null) {
    return null
  }
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? (value as Item[]) : []
  } catch {
    return []
  }
}
