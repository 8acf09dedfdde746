import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { inTransaction } from '#database/transaction'
import { chunks } from '#database/chunks'
import type { Gathered } from '#zones/dynamic_dns/board'

const TABLE = 'zw_dyndns_clients'
/** Moments of changes that are kept of a host. */
export const MOST_CHANGES = 20

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
  door: string
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

/** Adds what was seen of some hosts to what is known of them. */
export async function writeSightings(gathered: ReadonlyMap<string, Gathered>): Promise<void> {
  // In the order of their names, so that two processes wait for each other at most.
  const hosts = [...gathered].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const part of chunks(hosts)) {
    await inTransaction(db.connection(), async (trx) => {
      await addMissing(trx, part)
      const names = part.map(([hostname]) => hostname)
      const rows: ClientRow[] = await trx.from(TABLE).whereIn('hostname', names).forUpdate()
      for (const row of rows) {
        const seen = gathered.get(row.hostname)
        if (seen) {
          await trx.from(TABLE).where('id', row.id).update(changedColumns(row, seen))
        }
      }
    })
  }
}

async function addMissing(
  trx: TransactionClientContract,
  hosts: [string, Gathered][]
): Promise<void> {
  const rows = hosts.flatMap(([hostname, { latest, firstTime }]) =>
    latest?.zone
      ? [
          {
            hostname,
            zone_id: latest.zone.id,
            zone_name: latest.zone.name,
            first_seen_at: firstTime,
            last_seen_at: firstTime,
            last_code: latest.code,
            user_agent: latest.agent,
            door: latest.door,
            requests: 0,
            changes: 0,
            recent_changes: '[]',
          },
        ]
      : []
  )
  if (rows.length > 0) {
    await trx.knexQuery().table(TABLE).insert(rows).onConflict(['hostname']).ignore()
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
      door: latest.door,
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
    requests: Number(row.requests) + requests,
    changes: Number(row.changes) + changes.length,
  }
}
