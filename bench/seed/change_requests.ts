import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { timestampNow } from '#changes/model/clock'
import { REQUEST_STATUSES, type RequestStatus } from '#changes/model/change_request'
import { chunks } from '#database/statements/chunks'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'

const DECIDED = REQUEST_STATUSES.filter((status) => status !== 'pending')

/** The ids of the first and the last zone of the requests. */
interface Zones {
  firstId: number
  lastId: number
}

interface Place {
  id: number
  uid: string
  name: string
}

/**
 * Writes change requests straight into the tables, without permission checks. Each adds one record to one zone. They are
 * spread evenly over the zones and over all users. Every other one is pending.
 *
 * @param count number of requests, at least 1
 */
export async function fillChangeRequests(
  client: QueryClientContract,
  zones: Zones,
  count: number
): Promise<void> {
  const [highest] = await client.from('zw_change_requests').max('id as id')
  const after = Number(highest.id ?? 0)
  const users: { id: number; username: string }[] = await client
    .from('zw_users')
    .orderBy('id')
    .select('id', 'username')
  const created = timestampNow()
  const rows = Array.from({ length: count }, (_, i) => {
    const { id, username } = users[i % users.length]
    return {
      kind: 'records',
      status: statusOf(i),
      requester_id: id,
      requester_name: username,
      request_comment: `ticket ${i}`,
      created_at: created,
      reviewed_at: statusOf(i) === 'pending' ? null : created,
    }
  })
  const zoneRows: Place[] = await client
    .from('zw_zones as z')
    .join('domains as d', 'd.id', 'z.id')
    .whereBetween('z.id', [zones.firstId, zones.lastId])
    .orderBy('z.id')
    .select('d.id', 'd.name', 'z.uid')
  await inTransaction(client, async (trx) => {
    for (const some of chunks(rows)) await trx.table('zw_change_requests').multiInsert(some)
    const filed: { id: number }[] = await trx
      .from('zw_change_requests')
      .where('id', '>', after)
      .orderBy('id')
      .select('id')
    const parts = filed.map(({ id }, i) =>
      partsOf(id, zoneRows[Math.floor((i * zoneRows.length) / count)], i)
    )
    for (const some of chunks(parts)) {
      await trx.table('zw_change_request_zones').multiInsert(some.map(({ zone }) => zone))
      await trx.table('zw_change_request_actions').multiInsert(some.map(({ action }) => action))
    }
  })
  await refreshStatistics(client, [
    'zw_change_requests',
    'zw_change_request_zones',
    'zw_change_request_actions',
  ])
}

function statusOf(index: number): RequestStatus {
  return index % 2 === 0 ? 'pending' : DECIDED[Math.floor(index / 2) % DECIDED.length]
}

function partsOf(request: number, { id, uid, name }: Place, index: number) {
  const record = {
    name: `wish${index}.${name}`,
    type: 'A',
    content: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    priority: 0,
  }
  const after = { ...record, ttl: 300, disabled: false }
  return {
    zone: {
      request_id: request,
      position: 0,
      zone_id: id,
      zone_uid: uid,
      zone_name: name,
      base_serial: null,
      terms: '{}',
    },
    action: {
      request_id: request,
      position: 0,
      zone: 0,
      wish: JSON.stringify({ op: 'add', record: after }),
      base: JSON.stringify({ base: { kind: 'absent', ...record }, after }),
    },
  }
}
