import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Metadata } from '#dns/metadata/metadata'
import type { BackendZone } from '#backends/types'
import type { ZoneTables } from '#backends/sql/tables'

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

/** The values of each kind, as it is spelled. */
export function gatherMetadata(rows: MetadataRow[]): Metadata {
  const kinds = new Map<string, string[]>()
  for (const { kind, content } of rows) {
    const values = kinds.get(kind) ?? []
    values.push(content ?? '')
    kinds.set(kind, values)
  }
  return Object.fromEntries(kinds)
}
