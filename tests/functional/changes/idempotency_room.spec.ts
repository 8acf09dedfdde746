// @databases
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { withSettings } from '#tests/support/app/settings'

const HEADER = 'idempotency-key'
const hosts = (count: number) =>
  Array.from({ length: count }, (_, n) => `h${n} 300 IN A 192.0.2.${n % 250}`).join('\n')

test.group('Size of stored responses', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }

  group.each.setup(async ({ context }) => {
    admin = await administrator()
    as = caller(context.client, admin)
    zone = await createZone(as, { name: zoneNamed('room') })
  })

  const imported = (key: string, count: number, query = '') =>
    as
      .post(`/zones/${zone.id}/import${query}`, { zone_file: hosts(count), mode: 'merge' })
      .header(HEADER, key)
  const storedRows = async () => {
    const rows = await db.from('zw_idempotency_keys').where('caller', 'like', `${admin.id}:%`)
    return rows.map(({ state }: { state: string }) => state)
  }

  test('a dry run stores nothing: {$self}')
    .with(['import', 'records', 'changes', 'rrsets', 'bulk'])
    .run(async ({ assert }, what) => {
      const record = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
      const calls: Record<string, [path: string, body: object]> = {
        import: [`/zones/${zone.id}/import`, { zone_file: hosts(20), mode: 'merge' }],
        records: [`/zones/${zone.id}/records`, record],
        changes: [
          '/changes',
          {
            actions: [
              {
                op: 'add',
                zone_id: zone.id,
                type: 'A',
                ttl: 300,
                records: [{ content: '192.0.2.1' }],
                name: `www.${zone.name}`,
              },
            ],
          },
        ],
        rrsets: [
          `/zones/${zone.id}/rrsets`,
          { name: 'www', type: 'A', ttl: 300, records: [{ content: '192.0.2.1' }] },
        ],
        bulk: [`/zones/${zone.id}/records/bulk`, { operations: [{ action: 'create', ...record }] }],
      }
      const [path, body] = calls[what]
      const method = what === 'rrsets' ? 'PUT' : 'POST'
      const key = unique('key')
      for (let n = 0; n < 2; n++) {
        const response = await as.send(method, `${path}?dry_run=true`, body).header(HEADER, key)
        assert.equal(response.status(), 200, response.text())
        assert.isUndefined(response.header('idempotent-replay'))
      }
      assert.deepEqual(await storedRows(), [])
    })

  test('a small response is stored and repeated', async ({ assert }) => {
    const key = unique('key')
    await imported(key, 5)
    const secondResponse = await imported(key, 5)
    assert.equal(secondResponse.header('idempotent-replay'), 'true')
    assert.deepEqual(await storedRows(), ['done'])
  })

  test('a response above the limit is not stored, and its change is not repeated', async ({
    assert,
  }) => {
    await withSettings({ api: { max_stored_answer_bytes: 8_000 } }, async () => {
      const key = unique('key')
      const first = await imported(key, 200)
      first.assertStatus(200)
      assert.deepEqual(await storedRows(), ['applied'])
      const secondResponse = await imported(key, 200)
      secondResponse.assertStatus(409)
      assert.include(secondResponse.body().message, 'too large to store')
    })
  })

  test('responses of one caller above the total limit are not stored', async ({ assert }) => {
    await withSettings({ api: { max_stored_answers_bytes: 40_000 } }, async () => {
      for (const count of [100, 101, 102, 103, 104]) {
        const response = await imported(unique('key'), count)
        response.assertStatus(200)
      }
      const states = await storedRows()
      assert.include(states, 'done')
      const [{ sum }] = await db
        .from('zw_idempotency_keys')
        .where('caller', 'like', `${admin.id}:%`)
        .select(db.raw('sum(length(body)) as sum'))
      assert.isAtMost(Number(sum), 40_000)
    })
  })

  test('a large error response above the limit leaves the key free', async ({ assert }) => {
    await withSettings({ api: { max_stored_answer_bytes: 4_100 } }, async () => {
      const key = unique('key')
      const send = () =>
        as
          .post(`/zones/${zone.id}/import`, { zone_file: 'h A 1.2.3\n'.repeat(200), mode: 'merge' })
          .header(HEADER, key)
      const first = await send()
      first.assertStatus(400)
      assert.deepEqual(await storedRows(), [])
      const secondResponse = await send()
      secondResponse.assertStatus(400)
      assert.isUndefined(secondResponse.header('idempotent-replay'))
    })
  })
})
