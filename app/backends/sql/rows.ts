import { foldCase } from '#dns/names'
import { mapYielding } from '#database/event_loop'
import { canonicalRecord, recordType, recordTypes } from '#dns/records/registry'
import type { BackendZone, StoredRecord, ZoneKind } from '#backends/contract/backend'
import type { RRset } from '#dns/types'

/** A row of the PowerDNS table `domains`, as the drivers return it. */
export interface DomainRow {
  id: number | string
  name: string
  master: string | null
  type: string
  account: string | null
}

/** A row of PowerDNS' `records`. Booleans are 0/1 on SQLite and MariaDB, ids text on PostgreSQL. */
export interface RecordRow {
  id: number | string
  name: string
  type: string | null
  content: string | null
  ttl: number | null
  prio: number | null
  disabled: boolean | number | null
  ordername: string | null
  auth: boolean | number | null
}

export const DOMAIN_COLUMNS = ['id', 'name', 'master', 'type', 'account']
export const RECORD_COLUMNS = [
  'id',
  'name',
  'type',
  'content',
  'ttl',
  'prio',
  'disabled',
  'ordername',
  'auth',
]

const KINDS: ZoneKind[] = ['MASTER', 'SLAVE', 'NATIVE', 'PRODUCER', 'CONSUMER']

/** Reads a zone. Old tools stored an empty kind; PowerDNS serves such a zone as a primary. */
export function zoneFromRow(row: DomainRow): BackendZone {
  const kind = row.type.toUpperCase() as ZoneKind
  return {
    id: Number(row.id),
    name: foldCase(row.name),
    kind: KINDS.includes(kind) ? kind : 'MASTER',
    masters: (row.master ?? '').split(/[,\s;]+/).filter(Boolean),
    account: row.account === '' ? null : row.account,
  }
}

/** Types whose priority PowerDNS stores in a column; others have it in front of the content. */
const PRIORITY_COLUMN_TYPES = new Set(['MX', 'SRV'])

/** Types whose priority stands in front of the content of a row. */
export const PRIORITY_IN_CONTENT_TYPES = recordTypes()
  .filter(({ type, priority }) => priority && !PRIORITY_COLUMN_TYPES.has(type))
  .map(({ type }) => type)

/** Content and `prio` of the row that stores a record. */
export function storedForm(
  type: string,
  content: string,
  priority: number
): { content: string; prio: number } {
  if (PRIORITY_COLUMN_TYPES.has(type)) {
    return { content, prio: priority }
  }
  return { content: recordType(type)?.priority ? `${priority} ${content}` : content, prio: 0 }
}

/** Splits the stored content and priority of a row. */
function splitPriority(row: RecordRow, type: string): { content: string; priority: number | null } {
  const content = row.content ?? ''
  const priorityMatch =
    recordType(type)?.priority && !PRIORITY_COLUMN_TYPES.has(type)
      ? /^(\d{1,5})[ \t]+(\S.*)$/.exec(content)
      : null
  return priorityMatch
    ? { content: priorityMatch[2], priority: Number(priorityMatch[1]) }
    : { content, priority: row.prio }
}

/** Reads a record. The content is canonical if the type is known and the row is valid. */
export function recordFromRow(row: RecordRow, apex: string): StoredRecord {
  const type = (row.type ?? '').toUpperCase()
  const name = foldCase(row.name)
  const { content, priority } = splitPriority(row, type)
  return {
    id: Number(row.id),
    name,
    ...(name === row.name ? {} : { spelling: row.name }),
    type,
    content: canonicalContent({ content, priority: priority ?? 0, name, type, apex }),
    ttl: row.ttl ?? 0,
    priority,
    disabled: Boolean(row.disabled),
    auth: row.auth === null ? true : Boolean(row.auth),
  }
}

/** Other tools write rows too. An invalid record is shown as stored, so that it can be seen and deleted. */
function canonicalContent(record: {
  content: string
  priority: number
  name: string
  type: string
  apex: string
}): string {
  if (!recordType(record.type)) {
    return record.content
  }
  try {
    return canonicalRecord({ ...record, disabled: false }).content
  } catch {
    return record.content
  }
}

/** Gathers records into RRsets. Rows of one set may differ in TTL: the lowest counts (RFC 2181, 5.2). */
export function gatherRRsets(records: StoredRecord[]): RRset[] {
  const sets = Map.groupBy(records, ({ name, type }) => `${name} ${type}`)
  return [...sets.values()].map(buildRRset)
}

/** The RRsets of rows, with pauses for other requests. */
export async function rrsetsOfRows(rows: RecordRow[], zoneName: string): Promise<RRset[]> {
  const sets = new Map<string, StoredRecord[]>()
  await mapYielding(rows, (row) => {
    const record = recordFromRow(row, zoneName)
    const key = `${record.name} ${record.type}`
    const known = sets.get(key)
    if (known) known.push(record)
    else sets.set(key, [record])
  })
  return mapYielding(sets.values(), buildRRset)
}

/** Builds the RRset of these records (at least one). */
function buildRRset(records: StoredRecord[]): RRset {
  const [{ name, type }] = records
  const lowestTtl = records.reduce((minTtl, { ttl }) => Math.min(minTtl, ttl), Infinity)
  return {
    name,
    type,
    ttl: lowestTtl,
    records: records.map(({ id, content, priority, disabled, auth, ttl }) => ({
      id,
      content,
      priority: priority ?? 0,
      disabled,
      auth,
      ...(ttl === lowestTtl ? {} : { ownTtl: ttl }),
    })),
  }
}
