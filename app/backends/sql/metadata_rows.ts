import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Metadata } from '#dns/metadata/metadata'
import type { BackendZone } from '#backends/contract/types'
import type { ZoneTables } from '#backends/sql/tables'
import { chunks } from '#database/statements/chunks'

/** A row of metadata. */
export interface MetadataRow {
  id: number
  kind: string
  content: string | null
}

/** The rows of a zone, in the order in which they were written. */
export async function metadataRows(
  client: QueryClientContract,
  { metadata }: ZoneTables,
  zone: BackendZone
): Promise<MetadataRow[]> {
  const rows: (Omit<MetadataRow, 'kind'> & { kind: string | null })[] = await client
    .from(metadata)
    .where('domain_id', zone.id)
    .orderBy('id')
    .select('id', 'kind', 'content')
  return rows.flatMap(({ kind, ...row }) => (kind === null ? [] : [{ ...row, kind }]))
}

/** Groups values by the stored spelling of their kind. */
export function gatherMetadata(rows: MetadataRow[]): Metadata {
  const kinds = new Map<string, string[]>()
  for (const { kind, content } of rows) {
    const values = kinds.get(kind) ?? []
    values.push(content ?? '')
    kinds.set(kind, values)
  }
  return Object.fromEntries(kinds)
}

/** Adds values of metadata to those of the zone. */
export async function insertMetadata(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  metadata: Metadata
): Promise<void> {
  const rows = Object.entries(metadata).flatMap(([kind, contents]) =>
    contents.map((content) => ({ domain_id: zone.id, kind, content }))
  )
  for (const part of chunks(rows)) {
    await client.table(tables.metadata).multiInsert(part)
  }
}

/** Replaces the values of these kinds, in any stored spelling. */
export async function replaceMetadata(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  metadata: Metadata
): Promise<void> {
  const rows = await metadataRows(client, tables, zone)
  const replacedRows = rows.filter(({ kind }) => Object.hasOwn(metadata, kind.toUpperCase()))
  for (const part of chunks(replacedRows.map(({ id }) => id))) {
    await client.from(tables.metadata).whereIn('id', part).delete()
  }
  await insertMetadata(client, tables, zone, metadata)
}
