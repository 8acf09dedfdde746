import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { KeyScope } from '#access/actor'
import { parseStoredScope, type StoredScope } from '#accounts/keys/scope'
import { keyUses, MAX_WRITE_DELAY_MS } from '#accounts/keys/last_used'
import { rightsColumns, parseRights, type Rights, type RightsColumns } from '#accounts/rights'
import { jsonRow, jsonRows, listOf } from '#database/statements/json_rows'
import { lookupBy } from '#database/statements/lookups'
import { PreparedStatement } from '#database/statements/prepared'
import type { SqlDialect } from '#database/dialects/sql_dialect'

const DAY_MS = 86_400_000

/** Stored columns of a key and its owner, without restrictions. */
export interface KeyRow extends StoredScope {
  id: number
  name: string
  secret_hash: string
  prefix: string
  user_id: number
  username: string
  active: boolean | number
  enabled: boolean | number
  idle_from: string | null
  last_used_at: string | null
  last_used_from: string | null
  created_at: string
  /** 'dyndns' for a host token. */
  purpose: string | null
}

/** A key with owner, restrictions and rights of the owner: everything that a check needs. */
export interface KeyIdentity {
  row: KeyRow
  scope: KeyScope
  rights: Rights
}

const KEY_COLUMNS: Record<keyof KeyRow, string> = {
  id: 'k.id',
  name: 'k.name',
  secret_hash: 'k.secret_hash',
  prefix: 'k.prefix',
  user_id: 'k.user_id',
  username: 'u.username',
  active: 'u.active',
  enabled: 'k.enabled',
  read_only: 'k.read_only',
  allowed_operations: 'k.allowed_operations',
  zone_restricted: 'k.zone_restricted',
  patterns: 'k.patterns',
  networks: 'k.networks',
  idle_days: 'k.idle_days',
  idle_from: 'k.idle_from',
  expires_at: 'k.expires_at',
  last_used_at: 'k.last_used_at',
  last_used_from: 'k.last_used_from',
  created_at: 'k.created_at',
  purpose: 'k.purpose',
}

/** A row with JSON arrays; a column is null or empty without values. */
interface IdentityRow extends RightsColumns {
  secret_hash: string
  /** Values of `KEY_COLUMNS`. */
  columns: string
  /** Ids and names. */
  zones: string | null
}

/**
 * Reads all parts of a key in one row, each by an index. A union would look the key up for each
 * part, and return many empty columns.
 */
function identitySql(condition: string, dialect: SqlDialect): string {
  const zones =
    'zw_api_key_zones kz join zw_zones z on z.id = kz.zone_id where kz.api_key_id = k.id'
  return `
  select k.secret_hash, ${jsonRow(dialect, Object.values(KEY_COLUMNS))} as columns,
    ${rightsColumns(dialect, 'k.user_id', 'u.permission_template_id')},
    ${jsonRows(dialect, ['z.id', 'z.name'], zones)} as zones
  from zw_api_keys k join zw_users u on u.id = k.user_id
  where ${condition}`
}

const IDENTITY_BY_ID = new PreparedStatement<IdentityRow>((dialect) =>
  identitySql('k.id = ?', dialect)
)

const identityByHash = lookupBy<IdentityRow>(
  (placeholders, dialect) => identitySql(`k.secret_hash in (${placeholders})`, dialect),
  (row) => row.secret_hash
)

/** Returns the key with this hash, or null. One round trip, which concurrent requests share. */
export async function findIdentityByHash(hash: string): Promise<KeyIdentity | null> {
  return identityFrom(await identityByHash.load(hash))
}

/** Returns the key with this id, or null. One query. */
export async function findKeyIdentity(
  id: number,
  client: QueryClientContract = db.connection()
): Promise<KeyIdentity | null> {
  const [found] = await IDENTITY_BY_ID.rows(client, [id])
  return identityFrom(found ?? null)
}

function identityFrom(found: IdentityRow | null): KeyIdentity | null {
  if (found === null) {
    return null
  }
  const row = keyRow(listOf(found.columns))
  const zones = listOf<[id: number, name: string]>(found.zones)
  return { row, scope: parseStoredScope(row, new Map(zones)), rights: parseRights(found) }
}

const COLUMN_NAMES = Object.keys(KEY_COLUMNS)

function keyRow(values: unknown[]): KeyRow {
  const row: Record<string, unknown> = {}
  COLUMN_NAMES.forEach((name, index) => (row[name] = values[index]))
  return row as unknown as KeyRow
}

/**
 * The reason why the key is invalid now; null for a valid key. The text is for users who may view
 * the key.
 */
export function findKeyProblem({ row, scope }: KeyIdentity, now: Date): string | null {
  if (!row.active) {
    return `its owner '${row.username}' is deactivated`
  }
  if (!row.enabled) {
    return 'it is disabled'
  }
  const endReason = endReasonOf({ row, scope }, now)
  if (endReason === 'expired') {
    return `it expired at ${scope.expiresAt}`
  }
  return endReason === 'idle' ? `it has not been used for ${scope.idleDays} days` : null
}

/** Returns whether the key has expired or was idle for too long; null otherwise. */
export function endReasonOf(
  { row, scope: { expiresAt, idleDays } }: Pick<KeyIdentity, 'row' | 'scope'>,
  now: Date
): 'expired' | 'idle' | null {
  if (expiresAt !== null && expiresAt <= now.toISOString()) {
    return 'expired'
  }
  // Another process may have a use that it has not written yet.
  const idleMs = now.getTime() - lastActivityMs(row) - MAX_WRITE_DELAY_MS
  return idleDays !== null && idleMs >= idleDays * DAY_MS ? 'idle' : null
}

/** Returns the time of the last use, creation or renewal, in ms. */
function lastActivityMs(row: KeyRow): number {
  const bufferedUse = keyUses.bufferedUseOf(row.id)?.at
  const times = [row.last_used_at, bufferedUse, row.idle_from, row.created_at]
  return Math.max(...times.map((time) => Date.parse(time ?? '') || 0))
}
