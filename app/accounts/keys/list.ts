import db from '@adonisjs/lucid/services/db'
import type { Actor, KeyScope } from '#access/actor'
import type { KeyPurpose } from '#accounts/keys/change'
import { parseStoredScope } from '#accounts/keys/scope'
import { endReasonOf, type KeyIdentity, type KeyRow } from '#accounts/keys/identity'
import { keyUses } from '#accounts/keys/last_used'
import { chunks } from '#database/statements/chunks'
import { KEY_TEXTS, USER_TEXTS } from '#database/trigram_index/source'
import { defineList } from '#lists/declaration'
import { MAX_SMALL_MATCH, findSmallMatch } from '#lists/sql/small_match'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import type { ListSource } from '#lists/source'

/** Columns and filters of the list. */
export const KEY_LIST = defineList({
  sort: {
    id: 'number',
    name: 'caseless',
    owner: 'caseless',
    created_at: 'plain',
    last_used_at: 'plain',
    expires_at: 'plain',
  },
  search: ['name', 'prefix', 'owner'],
  defaultOrder: [{ field: 'id' }],
})

type Field = keyof typeof KEY_LIST.sort
type Column = 'id' | 'name' | 'prefix' | 'owner'
type KeyQuery = ListQuery<Field>

const COLUMNS = {
  id: 'zw_api_keys.id',
  name: 'zw_api_keys.name',
  prefix: 'zw_api_keys.prefix',
  owner: 'zw_users.username',
  created_at: 'zw_api_keys.created_at',
  last_used_at: { column: 'zw_api_keys.last_used_at', nullable: true },
  expires_at: { column: 'zw_api_keys.expires_at', nullable: true },
}

/** A key in lists and answers. */
export interface ShownKey {
  id: number
  name: string
  prefix: string
  owner: { id: number; username: string }
  enabled: boolean
  scope: KeyScope
  lastUsedAt: string | null
  /** Client address of the last use. */
  lastUsedFrom: string | null
  createdAt: string
  purpose: string | null
  /** Reason why the key is invalid; null for a valid key. */
  problem: KeyProblem | null
}

/** The owner is inactive, or the key is disabled, expired, or idle for too long. */
export type KeyProblem = 'owner' | 'disabled' | 'expired' | 'idle'

/**
 * Lists keys of one user, or of all users with null; the caller checks the right. An API key with
 * patterns lists only itself.
 *
 * @param purpose keys with this purpose; null: keys without a purpose; absent: all
 */
export async function listKeys(
  actor: Actor,
  userId: number | null,
  query: KeyQuery,
  purpose?: KeyPurpose
): Promise<ListResult<ShownKey>> {
  const source = sourceOf(actor, userId, purpose)
  const { rows, ...pageInfo } = await listInDatabase<KeyRow, Field, Column, never>(
    KEY_LIST,
    query,
    source
  )
  return { rows: await withScopes(rows), ...pageInfo }
}

/** As `listKeys`, without paging, in batches. */
export async function* keyBatches(
  actor: Actor,
  userId: number | null,
  query: KeyQuery,
  purpose?: KeyPurpose
): AsyncGenerator<ShownKey[], void> {
  const source = sourceOf(actor, userId, purpose)
  const batches = batchesInDatabase<KeyRow, Field, Column, never>(KEY_LIST, query, source)
  for await (const rows of batches) {
    yield await withScopes(rows)
  }
}

function sourceOf(
  actor: Actor,
  userId: number | null,
  purpose: KeyPurpose | undefined
): ListSource<Field | Column> {
  const createQuery = () => {
    const rows = db.from('zw_api_keys').join('zw_users', 'zw_users.id', 'zw_api_keys.user_id')
    if (userId !== null) rows.where('zw_api_keys.user_id', userId)
    if (purpose) rows.where('zw_api_keys.purpose', purpose)
    if (purpose === null) rows.whereNull('zw_api_keys.purpose')
    if (actor.key?.patterns) rows.where('zw_api_keys.id', actor.key.id)
    return rows
  }
  return {
    columns: COLUMNS,
    createQuery: createQuery,
    select: (found) => found.select('zw_api_keys.*', 'zw_users.username', 'zw_users.active'),
    search: async (q) => {
      const ids = await findKeyIds(q)
      return ids && ((rows) => void rows.whereIn('zw_api_keys.id', ids))
    },
  }
}

/**
 * Returns ids of keys that match a text, by their columns and by owner name; null for many keys.
 */
async function findKeyIds(q: string): Promise<number[] | null> {
  const client = db.connection()
  const ids = await findSmallMatch(client, KEY_TEXTS, [q])
  const owners = ids && (await findSmallMatch(client, USER_TEXTS, [q], ['username']))
  if (!owners) {
    return null
  }
  const found = new Set(ids)
  for (const part of chunks(owners)) {
    const rows: { id: number }[] = await client
      .from('zw_api_keys')
      .whereIn('user_id', part)
      .select('id')
      .limit(MAX_SMALL_MATCH.rows + 1)
    rows.forEach(({ id }) => found.add(Number(id)))
    if (found.size > MAX_SMALL_MATCH.rows) return null
  }
  return [...found]
}

async function withScopes(rows: KeyRow[]): Promise<ShownKey[]> {
  const zones = await zonesOf(rows.map(({ id }) => id))
  return rows.map((row) =>
    shownKeyFromRow(row, parseStoredScope(row, zones.get(row.id) ?? new Map()))
  )
}

/** Converts an opened key for answers. */
export function toShownKey({ row, scope }: KeyIdentity): ShownKey {
  return shownKeyFromRow(row, scope)
}

function shownKeyFromRow(row: KeyRow, scope: KeyScope): ShownKey {
  const { last_used_at: at, last_used_from: from } = row
  const bufferedUse = keyUses.bufferedUseOf(row.id)
  const use = bufferedUse && bufferedUse.at > (at ?? '') ? bufferedUse : { at, from }
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    owner: { id: row.user_id, username: row.username },
    enabled: Boolean(row.enabled),
    scope,
    lastUsedAt: use.at,
    lastUsedFrom: use.from,
    createdAt: row.created_at,
    purpose: row.purpose,
    problem: keyProblemOf(row, scope),
  }
}

function keyProblemOf(row: KeyRow, scope: KeyScope): KeyProblem | null {
  if (!row.active) {
    return 'owner'
  }
  return row.enabled ? endReasonOf({ row, scope }, new Date()) : 'disabled'
}

async function zonesOf(keyIds: number[]): Promise<Map<number, Map<number, string>>> {
  const zones = new Map<number, Map<number, string>>()
  for (const part of chunks(keyIds)) {
    const rows: { key_id: number; id: number; name: string }[] = await db
      .from('zw_api_key_zones')
      .join('zw_zones', 'zw_zones.id', 'zw_api_key_zones.zone_id')
      .whereIn('zw_api_key_zones.api_key_id', part)
      .select('zw_api_key_zones.api_key_id as key_id', 'zw_zones.id', 'zw_zones.name')
      .orderBy('zw_zones.name')
    for (const { key_id: keyId, id, name } of rows) {
      zones.set(keyId, (zones.get(keyId) ?? new Map<number, string>()).set(id, name))
    }
  }
  return zones
}
