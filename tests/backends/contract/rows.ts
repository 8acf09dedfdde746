import { raw } from './raw.js'

/** Columns of PowerDNS' `records` that decide the answers of name servers. */
export interface AuthorityRow {
  name: string
  type: string | null
  content: string | null
  disabled: boolean
  auth: boolean
  ordername: string | null
}

/** Every row of the zone in the database that PowerDNS reads, including empty non-terminals. */
export async function rowsOf(zoneName: string): Promise<AuthorityRow[]> {
  const rows = await raw()
    .from('records')
    .join('domains', 'domains.id', 'records.domain_id')
    .where('domains.name', zoneName)
    .select('records.name', 'records.type', 'records.content', 'records.ordername')
    .select('records.disabled', 'records.auth')
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    content: row.content,
    disabled: Boolean(row.disabled),
    auth: Boolean(row.auth),
    ordername: row.ordername,
  }))
}

/** The rows as sorted lines, for comparison and readable differences. */
export function describeRows(rows: AuthorityRow[], withOrderName: boolean): string[] {
  const lines = rows.map((row) => {
    const state = `${row.disabled ? 'disabled ' : ''}auth=${Number(row.auth)}`
    const order = withOrderName ? ` order=${JSON.stringify(row.ordername)}` : ''
    return `${row.name} ${row.type ?? '(empty non-terminal)'} ${row.content ?? ''} ${state}${order}`
  })
  return lines.sort()
}
