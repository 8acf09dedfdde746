import type { ListedRecord } from '#backends/contract/record_lists'
import { naturalSortKey } from '#dns/names/sort_key'

/** Sort keys of the records of large zones. */
export const RECORD_KEYS = 'zw_record_keys'

export const KEY_COLUMNS = [
  'zone_id',
  'record_id',
  'name_key',
  'type_key',
  'content_key',
  'ttl',
  'priority',
] as const

/** Sort keys of a record. */
export type KeyRow = Record<(typeof KEY_COLUMNS)[number], string | number>

/** Stored columns of a record: its keys; for the first record (by id) of an RRset its TTL, for others the id of the first. */
export const STORED_COLUMNS = [...KEY_COLUMNS, 'set_ttl', 'set_id'] as const

/** The stored row. `set_ttl` is null for all records of an RRset but the first, `set_id` for the first. */
export type StoredKeyRow = KeyRow & Record<'set_ttl' | 'set_id', string | number | null>

/** Computes the sort keys of a record. */
export function sortKeysOf(zoneId: number, record: ListedRecord): KeyRow {
  return {
    zone_id: zoneId,
    record_id: Number(record.id),
    name_key: naturalSortKey(record.name),
    type_key: typeKey(record.type),
    content_key: naturalSortKey(record.content),
    ttl: record.ttl,
    priority: record.priority,
  }
}

/** The key of a record type, without case. */
export function typeKey(type: string): string {
  return naturalSortKey(type.toUpperCase())
}

/** Whether stored keys equal these; drivers may return numbers as text. */
export function isSameKey(stored: KeyRow, keys: KeyRow): boolean {
  return KEY_COLUMNS.every((column) => String(stored[column]) === String(keys[column]))
}

/** As `isSameKey`, of all that is stored. */
export function isSameStored(stored: StoredKeyRow, keys: StoredKeyRow): boolean {
  return STORED_COLUMNS.every((column) => String(stored[column]) === String(keys[column]))
}
