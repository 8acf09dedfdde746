import db from '@adonisjs/lucid/services/db'

const REQUEST =
  'kind, status, version, requester_id, requester_name, request_comment, reviewer_id, reviewer_name, review_comment, created_at, reviewed_at, applied_at, apply_at, error, stale'
const ZONE = 'position, zone_id, zone_uid, zone_name, base_serial, terms'

/** Copies the newest change request `count` times directly in the database. Returns the function that deletes the copies. */
export async function manyRequests(id: number, count: number): Promise<() => Promise<void>> {
  // Each statement doubles the number of copies.
  for (let created = 0; created < count;) {
    const next = Math.min(created + 1, count - created)
    await db.rawQuery(
      `insert into zw_change_requests (${REQUEST}) select ${REQUEST} from zw_change_requests where id >= ? limit ${next}`,
      [id]
    )
    created += next
  }
  await db.rawQuery(
    `insert into zw_change_request_zones (request_id, ${ZONE})
     select copies.id, ${ZONE} from zw_change_requests as copies, zw_change_request_zones as zones
     where copies.id > ? and zones.request_id = ?`,
    [id, id]
  )
  return async () => {
    await db.from('zw_change_request_zones').where('request_id', '>', id).delete()
    await db.from('zw_change_requests').where('id', '>', id).delete()
  }
}
