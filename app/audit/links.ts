import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { StoredEvent } from '#audit/entry'

/** A link of the chain with its event; null if that is missing. */
export interface StoredLink {
  position: number
  auditId: number
  hash: string
  event: StoredEvent | null
}

type LinkRow = { position: number | string; audit_id: number | string; hash: string } & {
  [Column in keyof StoredEvent]: StoredEvent[Column] | null
}

/** Maximum number of links of one query. */
export const LINK_BATCH_SIZE = 500

/** Yields the links after one position up to another, both in chain order, in batches. */
export async function* linksAfter(
  client: QueryClientContract,
  after: number,
  end: number
): AsyncGenerator<StoredLink> {
  for (let last = after; last < end;) {
    const links = await someLinks(client, last, end)
    yield* links
    if (links.length < LINK_BATCH_SIZE) {
      return
    }
    last = links[links.length - 1].position
  }
}

/** Reads the next links after a position, at most `LINK_BATCH_SIZE`. */
export async function someLinks(
  client: QueryClientContract,
  after: number,
  end: number
): Promise<StoredLink[]> {
  const rows: LinkRow[] = await client
    .from('zw_audit_chain as c')
    .leftJoin('zw_audit as a', 'a.id', 'c.audit_id')
    .where('c.position', '>', after)
    .where('c.position', '<=', end)
    .orderBy('c.position')
    .limit(LINK_BATCH_SIZE)
    .select('a.*', 'c.position', 'c.audit_id', 'c.hash')
  return rows.map((row) => ({
    position: Number(row.position),
    auditId: Number(row.audit_id),
    hash: row.hash,
    event: row.id === null ? null : (row as StoredEvent),
  }))
}
