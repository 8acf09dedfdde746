import type { Family } from '#zones/dynamic_dns/addresses'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { inTransaction } from '#database/transaction'
import { chunks } from '#database/statements/chunks'
import { noteTexts } from '#database/trigram_index/pending'
import { CLIENT_TEXTS } from '#database/trigram_index/source'

/** Who asked about a host, and what came of it. */
export interface ClientUpdate {
  hostname: string
  /** null where it is not told whose host it is: then only a host that was seen before is told of. */
  zone: { id: number; name: string } | null
  code: string
  channel: string
  /** Of the connection. */
  address: string | null
  agent: string
  username: string | null
  keyId: number | null
  /** What the host has since, of the families that were told. */
  addresses: Partial<Record<Family, string[]>>
}

/** Who asked about a host, and was not let in. */
export interface RefusedSighting {
  time: string
  address: string | null
  agent: string
}

/** All that was seen of a host since it was last written. */
export interface Gathered {
  /** The latest that was let in. */
  latest: (ClientUpdate & { time: string }) | null
  /** The latest that was not. */
  refused: RefusedSighting | null
  firstTime: string
  requests: number
  /** Moments of changes, the latest last. */
  changes: string[]
  addresses: Partial<Record<Family, string[]>>
}

const TABLE = 'zw_dyndns_clients'
/** Moments of changes that are kept of a host. */
export const MOST_CHANGES = 20
/** What the columns of counts hold. */
const MOST_COUNTED = 2_147_483_647

/** A row of the board, as it is stored. */
export interface ClientRow {
  id: number
  hostname: string
  zone_id: number
  zone_name: string
  first_seen_at: string
  last_seen_at: string
  last_code: string
  client_address: string | null
  user_agent: string
  channel: string
  username: string | null
  api_key_id: number | null
  ipv4: string | null
  ipv6: string | null
  last_change_at: string | null
  refused_at: string | null
  refused_address: string | null
  refused_agent: string | null
  requests: number
  changes: number
  /** JSON: moments. */
  recent_changes: string
}

/** Adds what was seen of some hosts to what is known of them: three statements for some hundred hosts. */
export async function writeSightings(gathered: ReadonlyMap<string, Gathered>): Promise<void> {
  // In the order of their names, so that two processes wait for each other at most.
  const hosts = [...gathered.keys()].sort()
  for (const names of chunks(hosts)) {
    await inTransaction(db.connection(), async (trx) => {
      const rows = await lockedRows(trx, names)
      const known = new Set(rows.map(({ hostname }) => hostname))
      const added = await addMissing(
        trx,
        names.filter((name) => !known.has(name)),
        gathered
      )
      await writeRows(trx, [...rows, ...added], gathered)
      const moved = rows.filter((row) => isMoved(row, gathered.get(row.hostname)))
      const ids = [...added, ...moved].map(({ id }) => Number(id))
      await noteTexts(trx, CLIENT_TEXTS, ids)
    })
  }
}

function isMoved(row: ClientRow, seen: Gathered | undefined): boolean {
  const zone = seen?.latest?.zone
  return Boolean(zone) && zone?.name !== row.zone_name
}

function lockedRows(trx: TransactionClientContract, names: string[]): Promise<ClientRow[]> {
  return trx.from(TABLE).whereIn('hostname', names).orderBy('hostname').forUpdate()
}

/** Makes rows for hosts that have none, where it is told whose they are; these, whoever made them. */
async function addMissing(
  trx: TransactionClientContract,
  names: string[],
  gathered: ReadonlyMap<string, Gathered>
): Promise<ClientRow[]> {
  const rows = names.flatMap((hostname) => {
    const { latest = null, firstTime } = gathered.get(hostname) ?? {}
    return latest?.zone
      ? [
          {
            hostname,
            zone_id: latest.zone.id,
            zone_name: latest.zone.name,
            first_seen_at: firstTime,
            last_seen_at: firstTime,
            last_code: latest.code,
            user_agent: latest.agent,
            channel: latest.channel,
            requests: 0,
            changes: 0,
            recent_changes: '[]',
          },
        ]
      : []
  })
  if (rows.length === 0) {
    return []
  }
  await trx.knexQuery().table(TABLE).insert(rows).onConflict(['hostname']).ignore()
  return lockedRows(
    trx,
    rows.map(({ hostname }) => hostname)
  )
}

/** Writes rows that are locked; as an insert, since that changes each of them in its own way in one statement. */
async function writeRows(
  trx: TransactionClientContract,
  rows: ClientRow[],
  gathered: ReadonlyMap<string, Gathered>
): Promise<void> {
  const next = rows.flatMap((row) => {
    const seen = gathered.get(row.hostname)
    return seen ? [{ ...row, ...changedColumns(row, seen) }] : []
  })
  if (next.length > 0) {
    // By the id that they have, so that no new one is used up.
    await trx.knexQuery().table(TABLE).insert(next).onConflict(['id']).merge()
  }
}

function changedColumns(
  row: ClientRow,
  { latest, refused, requests, changes, addresses }: Gathered
): Partial<ClientRow> {
  const recent = [...(JSON.parse(row.recent_changes) as string[]), ...changes].sort()
  return {
    ...(latest && {
      ...(latest.zone && { zone_id: latest.zone.id, zone_name: latest.zone.name }),
      last_seen_at: latest.time,
      last_code: latest.code,
      client_address: latest.address,
      user_agent: latest.agent,
      channel: latest.channel,
      username: latest.username,
      api_key_id: latest.keyId,
    }),
    ...(refused && {
      refused_at: refused.time,
      refused_address: refused.address,
      refused_agent: refused.agent,
    }),
    ...(addresses.A && { ipv4: addresses.A.join(',') }),
    ...(addresses.AAAA && { ipv6: addresses.AAAA.join(',') }),
    ...(changes.length > 0 && {
      last_change_at: recent.at(-1),
      recent_changes: JSON.stringify(recent.slice(-MOST_CHANGES)),
    }),
    requests: Math.min(MOST_COUNTED, Number(row.requests) + requests),
    changes: Math.min(MOST_COUNTED, Number(row.changes) + changes.length),
  }
}
