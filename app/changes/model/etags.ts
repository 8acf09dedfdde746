import { hash } from 'node:crypto'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import type { RecordData, RRset } from '#dns/types'

/*
 * Strong validators (RFC 9110, 8.8.3) over canonical content. Equal content has an equal tag,
 * whatever its author, row ids and serial are.
 */

/** Input of the tag of a zone. */
export interface TaggedZone {
  zone: BackendZone
  description: string | null
  /** Number of the newest journal entry. */
  lastEntry: number
}

/** Tag of an RRset: its TTL and records, in any order. */
export function rrsetTag({ name, type, ttl, records }: RRset): string {
  return tag('rrset', [name, type, ttl, ...records.map(identityOf).sort()])
}

/** Tag of one record, with the TTL of its RRset. */
export function recordTag(
  record: Pick<StoredRecord, 'name' | 'type' | 'ttl' | 'content' | 'priority' | 'disabled'>
): string {
  const { name, type, ttl } = record
  return tag('record', [name, type, ttl, identityOf({ ...record, priority: record.priority ?? 0 })])
}

/** Tag of the values of one kind of metadata, in any order. */
export function metadataTag(kind: string, values: string[]): string {
  return tag('metadata', [kind, ...[...values].sort()])
}

/**
 * Tag of a zone: its properties and its newest journal entry. Every change in the journal changes
 * it.
 */
export function zoneTag({ zone, description, lastEntry }: TaggedZone): string {
  const { id, name, kind, masters, account } = zone
  return tag('zone', [id, name, kind, masters, account, description, lastEntry])
}

function identityOf({ content, priority, disabled }: RecordData): string {
  return JSON.stringify([priority, disabled, content])
}

/** 128 bits, in the quotes of an entity tag. */
function tag(kind: string, parts: unknown[]): string {
  const digest = hash('sha256', JSON.stringify([kind, ...parts]))
  return `"${digest.slice(0, 32)}"`
}
