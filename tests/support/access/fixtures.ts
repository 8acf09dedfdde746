import type { ApiClient, ApiRequest } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { createCast, type Cast } from '#tests/support/access/users'
import type { Props, Row } from '#tests/support/access/matrix_row'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { createChangeRequest, withReviewSettings } from '#tests/support/app/review'

/** Callers and objects that the requests of the table use. */
export interface Staged {
  cast: Cast
  props: Props
}

/** Creates the callers, their zone with a record, a deleted zone, and a zone that only the keys of others reach. */
export async function createStage(client: ApiClient): Promise<Staged> {
  const as = caller(client, await administrator())
  const zone = await createZone(as, { name: zoneNamed('stage') })
  const otherZone = await createZone(as, { name: zoneNamed('elsewhere') })
  const deleted = await createZone(as, { name: zoneNamed('gone') })
  const { id: recordId } = await createRecord(as, zone, {
    name: 'www',
    type: 'A',
    content: '192.0.2.1',
  })
  const templateId = await createZoneTemplate(as, { is_global: true })
  const templateRecordId = await addTemplateRecord(as, templateId, 'www.[ZONE]', 'A', '192.0.2.1')
  const cast = await createCast(zone, otherZone, deleted)
  await as.delete(`/zones/${deleted.id}`)
  const trash: { id: number; zone_id: number }[] = await dataOf(as.get('/trash'), 'zones')
  const trashId = trash.find(({ zone_id: id }) => id === deleted.id)!.id
  const { group_id: groupId } = await db
    .from('zw_zone_groups')
    .where('zone_id', zone.id)
    .firstOrFail()
  const props = {
    zoneId: zone.id,
    zoneName: zone.name,
    recordId: Number(recordId),
    trashId,
    requestId: await requestOn(as, zone),
    userId: cast.people.nobody.id,
    groupId: Number(groupId),
    templateId,
    templateRecordId,
    keyId: cast.people.administrator.keyId,
  }
  return { cast, props }
}

/** Creates a pending change request of the zone as this caller. Returns its id. */
export function requestOn(
  as: Caller,
  zone: { id: number },
  overrides: object = {}
): Promise<number> {
  return withReviewSettings({}, async () => {
    const record = { name: 'matrix', type: 'A', content: '192.0.2.98' }
    return createChangeRequest(as, zone, { op: 'add', record: { ...record, ...overrides } })
  })
}

/** Builds the request of a row about these objects with the caller's key. `null` sends no key. */
export function requestOf(
  client: ApiClient,
  row: Row,
  props: Props,
  key: string | null
): ApiRequest {
  const [method] = row.route.split(' ')
  const call = client.request(`/api/v2${row.path(props)}`, method)
  Object.entries(row.headers ?? {}).forEach(([name, value]) => call.header(name, value))
  if (key !== null) call.header('x-api-key', key)
  return row.body ? call.json(row.body(props)) : call
}
