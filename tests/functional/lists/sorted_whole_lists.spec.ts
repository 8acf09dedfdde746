import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { LARGE_ZONE } from '#backends/sql/lists/zone_size'
import { HELD } from '#lists/sorted_batches'
import { caller, makeZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'

const RECORDS = 60

/** Whole lists that are sorted by parts in a file. */
test.group('Sorted whole lists', (group) => {
  let root: Caller
  let zone: { id: number; name: string }

  group.each.setup(() => {
    const [{ above }, { most }, { TMPDIR }] = [LARGE_ZONE, HELD, process.env]
    LARGE_ZONE.above = 10
    HELD.most = 10
    return () => {
      LARGE_ZONE.above = above
      HELD.most = most
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })

  group.each.setup(async (running) => {
    root = caller(running.context.client, await administrator())
    zone = await makeZone(root, { name: zoneNamed() })
    const rows = Array.from({ length: RECORDS }, (_, index) => ({
      domain_id: zone.id,
      name: `h${index}.${zone.name}`,
      type: 'A',
      content: `192.0.2.${(index * 37) % RECORDS}`,
      ttl: 60,
      prio: 0,
      disabled: false,
      auth: true,
    }))
    await db.table('records').multiInsert(rows)
  })

  for (const list of ['records', 'rrsets']) {
    test(`of ${list} that cannot be put aside are an error in the envelope`, async ({ assert }) => {
      process.env.TMPDIR = '/nonexistent/temporary'
      const answer = await root.get(`/zones/${zone.id}/${list}?per_page=0&sort=name:desc`)
      assert.equal(answer.status(), 500)
      assert.match(answer.header('content-type')!, /^application\/json/)
      assert.isFalse(answer.body().success)
      assert.notInclude(answer.text(), 'nonexistent')
    })
  }
})
