import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { caller } from '#tests/support/app/api'
import { person } from '#tests/support/app/people/people'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { REFERENCE } from '#tests/support/lists/tables'
import { timestampOf } from '#tests/support/lists/texts'
import type { Random } from '#tests/support/random'

const STATUSES = ['pending', 'pending', 'approved', 'rejected', 'cancelled', 'failed']

/** Change requests of a user about deleted zones. Review must be enabled. */
export async function requestLists(client: ApiClient, random: Random): Promise<ListUnderTest[]> {
  const user = await person()
  const requests = Array.from({ length: 30 }, () => ({
    kind: 'records',
    status: random.pick(STATUSES),
    requester_id: user.id,
    requester_name: user.username,
    created_at: timestampOf(random),
  }))
  await db.table('zw_change_requests').multiInsert(requests)
  const ids: { id: number }[] = await db
    .from('zw_change_requests')
    .where('requester_id', user.id)
    .select('id')
  const zones = ids.map(({ id }) => ({
    request_id: id,
    position: 0,
    zone_id: 900_000_000 + Number(random.pick(['1', '2', '3'])),
    zone_uid: 'gone',
    zone_name: 'gone.test',
    terms: '{}',
  }))
  await db.table('zw_change_request_zones').multiInsert(zones)
  return [
    {
      as: caller(client, user),
      path: '/change-requests',
      member: 'change_requests',
      key: 'id',
      reference: REFERENCE.changeRequests,
      foldedBy: 'server',
      words: [],
      rows: async () => {
        const rows = await db
          .from('zw_change_requests')
          .join('zw_change_request_zones as z', 'z.request_id', 'zw_change_requests.id')
          .where('requester_id', user.id)
          .select('zw_change_requests.id', 'status', 'zone_id')
        return rows.map(({ id, status, zone_id: zone }) => ({
          id: Number(id),
          cells: { id: Number(id), status, zone_id: zone },
        }))
      },
    },
  ]
}
