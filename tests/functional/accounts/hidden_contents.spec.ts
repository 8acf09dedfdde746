// @databases @api-backend(all)
import { test } from '@japa/runner'
import type { ApiRequest } from '@japa/api-client'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const SECRET = '198.51.100.77'

/** No response reveals records to a user who may not view the zone, whatever other rights the user has. */
test.group('Contents of zones without view permission', (group) => {
  let admin: Person
  let zone: { id: number; name: string }
  let at: string
  group.each.setup(async (t) => {
    admin = await administrator()
    const root = caller(t.context.client, admin)
    zone = await createZone(root, { name: zoneNamed(), description: SECRET })
    at = `/zones/${zone.id}`
    await createRecord(root, zone, { name: 'a', type: 'A', content: SECRET })
  })

  const withoutView = {
    'a user who may edit and delete': () =>
      person({
        permissions: [
          'zone_content_edit_others',
          'zone_meta_edit_others',
          'zone_delete_others',
          'zone_logs_view_others',
        ],
      }),
    'a key that may do all but view': () =>
      keyFor(admin, { operations: ['create', 'update', 'delete'] }),
  }
  const set = (records: string[]) => ({
    name: `a.${zone.name}`,
    type: 'A',
    records: records.map((content) => ({ content })),
  })
  const hash = `sha256:${'0'.repeat(64)}`
  const changes = (as: Caller, terms: object, action: object = {}) =>
    as.post('/changes', { actions: [{ op: 'add', ...set(['192.0.2.1']), ...action }], ...terms })

  type Ask = (as: Caller) => ApiRequest
  const requests: [what: string, status: number, ask: Ask][] = [
    ['a plan to delete the zone', 403, (as) => as.delete(`${at}?dry_run=1`)],
    ['a plan of changes', 403, (as) => changes(as, { dry_run: true })],
    ['a plan that moved', 403, (as) => changes(as, { plan_hash: hash })],
    ['a plan of a property', 403, (as) => as.put(at, { description: 'x', dry_run: true })],
    ['the zone as it is', 412, (as) => as.delete(at).header('If-Match', '"0123"')],
    [
      'the RRset as it is',
      412,
      (as) => as.put(`${at}/rrsets`, set(['192.0.2.1'])).header('If-Match', '"0123"'),
    ],
    ['the RRset of an action', 412, (as) => changes(as, {}, { expect: 'absent' })],
    ['what an applied change met', 201, (as) => changes(as, {})],
    ['what an undone entry changed', 200, (as) => as.post(`${at}/history/2/undo`, {})],
    ['what a restored zone held', 200, (as) => as.post(`${at}/restore`, { entry: 1 })],
  ]
  for (const [who, make] of Object.entries(withoutView)) {
    for (const [what, status, sendRequest] of requests) {
      test(`${who} does not get the contents: ${what}`, async ({ client, assert }) => {
        const before = await stateOf(zone.id)
        const response = await sendRequest(caller(client, await make()))
        response.assertStatus(status)
        assert.notInclude(response.text(), SECRET)
        if (status === 412) {
          assert.isNull(response.body().data.current)
          assert.isUndefined(response.header('etag'))
        }
        if (status >= 300) {
          assert.deepEqual(await stateOf(zone.id), before)
        }
      })
    }
  }

  test('the plan of a deletion has no contents for a key that may not view', async ({ client }) => {
    const root = caller(client, admin)
    const deleted = await root.delete(at)
    deleted.assertStatus(204)
    const trash = await root.get('/trash')
    const item = trash
      .body()
      .data.zones.find(({ zone_id: id }: { zone_id: number }) => id === zone.id)
    const blind = caller(client, await keyFor(admin, { operations: ['create'] }))
    const planned = await blind.post(`/trash/${item.id}/restore`, { dry_run: true })
    planned.assertStatus(403)
  })
})
