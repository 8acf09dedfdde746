import type { Family } from '#zones/dynamic_dns/addresses'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { inTransaction } from '#database/transaction'
import { chunks } from '#database/statements/chunks'
import { enqueueTexts } from '#database/trigram_index/pending'
import { CLIENT_TEXTS } from '#database/trigram_index/source'

/** An update request for a host, and its result. */
export interface ClientUpdate {
  hostname: string
  /** null if the zone is unknown; then only an existing row is updated. */
  zone: { id: number; name: string } | null
  code: string
  channel: string
  /** Address of the connection. */
  address: string | null
  agent: string
  username: string | null
  keyId: number | null
  /** Addresses after the update, by the families of the request. */
  addresses: Partial<Record<Family, string[]>>
}

/** A refused update request. */
export interface RefusedUpdate {
  time: string
  address: string | null
  agent: string
}

/** Updates of a host since the last write. */
export interface HostActivity {
  /** The last accepted request. */
  latest: (ClientUpdate & { time: string }) | null
  /** The last refused request. */
  refused: RefusedUpdate | null
  firstTime: string
  requests: number
  /** Times of changes, oldest first. */
  changes: string[]
  addresses: Partial<Record<Family, string[]>>
}

const TABLE = 'zw_dyndns_clients'
/** Times of changes that are stored per host. */
export const MAX_CHANGES = 20
/** Maximum of the count columns. */
const MAX_COUNT = 2_147_483_647

/** A row of `zw_dyndns_clients`. */
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
  /** JSON array of times. */
  recent_changes: string
}

/**
 * Adds buffered updates to the stored rows, in a constant number of statements per batch of hosts.
 */
export async function writeClientUpdates(
  activityByHost: ReadonlyMap<string, HostActivity>
): Promise<void> {
  // Locks rows by name, so that two processes cannot deadlock.
  const hosts = [...activityByHost.keys()].sort()
  for (const names of chunks(hosts)) {
    await inTransaction(db.connection(), async (trx) => {
      const rows = await lockedRows(trx, names)
      const storedHosts = new Set(rows.map(({ hostname }) => hostname))
      const added = await addMissing(
        trx,
        names.filter((name) => !storedHosts.has(name)),
        activityByHost
      )
      await writeRows(trx, [...rows, ...added], activityByHost)
      const changedRows = rows.filter((row) => isMoved(row, activityByHost.get(row.hostname)))
      const ids = [...added, ...changedRows].map(({ id }) => Number(id))
      await enqueueTexts(trx, CLIENT_TEXTS, ids)
    })
  }
}

function isMoved(row: ClientRow, buffered: HostActivity | undefined): boolean {
  const zone = buffered?.latest?.zone
  return Boolean(zone) && zone?.name !== row.zone_name
}

function lockedRows(trx: TransactionClientContract, names: string[]): Promise<ClientRow[]> {
  return trx.from(TABLE).whereIn('hostname', names).orderBy('hostname').forUpdate()
}

/**
 * Inserts rows for new hosts with a known zone. Returns these rows, also if another process
 * inserted them.
 */
async function addMissing(
  trx: TransactionClientContract,
  names: string[],
  activityByHost: ReadonlyMap<string, HostActivity>
): Promise<ClientRow[]> {
  const rows = names.flatMap((hostname) => {
    const { latest = null, firstTime } = activityByHost.get(hostname) ?? {}
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

/** Updates locked rows with different values in one statement, as an upsert. */
async function writeRows(
  trx: TransactionClientContract,
  rows: ClientRow[],
  activityByHost: ReadonlyMap<string, HostActivity>
): Promise<void> {
  const next = rows.flatMap((row) => {
    const buffered = activityByHost.get(row.hostname)
    return buffered ? [{ ...row, ...changedColumns(row, buffered) }] : []
  })
  if (next.length > 0) {
    // The conflict is on the id, so that no new id is used.
    await trx.knexQuery().table(TABLE).insert(next).onConflict(['id']).merge()
  }
}

function changedColumns(
  row: ClientRow,
  { latest, refused, requests, changes, addresses }: HostActivity
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
      recent_changes: JSON.stringify(recent.slice(-MAX_CHANGES)),
    }),
    requests: Math.min(MAX_COUNT, Number(row.requests) + requests),
    changes: Math.min(MAX_COUNT, Number(row.changes) + changes.length),
  }
}
