// @api-backend(all)
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { undo } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('Undo with merge', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}`
  })

  const set = (name: string, type: string, ttl: number, ...contents: string[]) => {
    const records = contents.map((content) => ({ content }))
    return as.put(`${path}/rrsets`, { name, type, ttl, records })
  }

  test('an undo with merge keeps records that were added later', async ({ assert }) => {
    await set('www', 'A', 300, '192.0.2.1')
    await set('www', 'A', 300, '192.0.2.1', '192.0.2.2')
    await set('www', 'A', 300, '192.0.2.1', '192.0.2.2', '192.0.2.3')
    const refused = await undo(as, zone, 3)
    refused.assertStatus(409)
    const response = await undo(as, zone, 3, { merge: true })
    response.assertStatus(200)
    const records = await dataOf(as.get(`${path}/rrsets/www/A`), 'rrset.records')
    assert.deepEqual(
      records.map(({ content }: { content: string }) => content),
      ['192.0.2.1', '192.0.2.3']
    )
  })

  const merges = [
    {
      what: 'brings deleted records back beside later ones of the same TTL',
      steps: [[300, '192.0.2.1'], [], [300, '192.0.2.2']],
      undone: 3,
      becomes: [300, '192.0.2.1', '192.0.2.2'],
    },
    {
      what: 'refuses to mix TTLs',
      steps: [[300, '192.0.2.1'], [], [60, '192.0.2.2']],
      undone: 3,
      becomes: null,
    },
    {
      what: 'takes a TTL back while later records stay',
      steps: [
        [300, '192.0.2.1'],
        [60, '192.0.2.1'],
        [60, '192.0.2.1', '192.0.2.2'],
      ],
      undone: 3,
      becomes: [300, '192.0.2.1', '192.0.2.2'],
    },
    {
      what: 'refuses a TTL that was changed again',
      steps: [
        [300, '192.0.2.1'],
        [60, '192.0.2.1'],
        [30, '192.0.2.1'],
      ],
      undone: 3,
      becomes: null,
    },
    {
      what: 'refuses what was replaced and replaced again',
      steps: [
        [300, '192.0.2.1'],
        [300, '192.0.2.2'],
        [300, '192.0.2.3'],
      ],
      undone: 3,
      becomes: null,
    },
    {
      what: 'has nothing to do for an addition that is gone',
      steps: [
        [300, '192.0.2.1'],
        [300, '192.0.2.1', '192.0.2.2'],
        [300, '192.0.2.1'],
      ],
      undone: 3,
      becomes: [300, '192.0.2.1'],
    },
  ] as const
  for (const { what, steps, undone, becomes } of merges) {
    test(what, async ({ assert }) => {
      for (const [ttl, ...contents] of steps) {
        const doneResponse = await (ttl === undefined
          ? as.delete(`${path}/rrsets/www/A`)
          : set('www', 'A', ttl, ...contents))
        assert.isBelow(doneResponse.status(), 300)
      }
      const before = await stateOf(zone.id)
      const response = await undo(as, zone, undone, { merge: true })
      if (becomes === null) {
        response.assertStatus(409)
        assert.lengthOf(response.body().data.conflicts, 1)
        assert.deepEqual(await stateOf(zone.id), before)
        return
      }
      response.assertStatus(200)
      const { ttl, records } = await dataOf(as.get(`${path}/rrsets/www/A`), 'rrset')
      const contents = records.map(({ content }: { content: string }) => content)
      assert.deepEqual([ttl, ...contents.sort()], [...becomes])
    })
  }

  test('an undo with merge adds neither a second record of a single-record type nor duplicates', async () => {
    await set('alias', 'CNAME', 300, 'a.example')
    await as.delete(`${path}/rrsets/alias/CNAME`)
    await set('alias', 'CNAME', 300, 'b.example')
    const alias = await undo(as, zone, 3, { merge: true })
    alias.assertStatus(409)
    await createRecord(as, zone, A)
    await as.delete(`${path}/rrsets/www/A`)
    await createRecord(as, zone, { ...A, disabled: true })
    const repeatedResponse = await undo(as, zone, 6, { merge: true })
    repeatedResponse.assertStatus(409)
  })
})
