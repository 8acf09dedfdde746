// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { MAX_ROWS_IN_MEMORY } from '#lists/memory/sorted_stream'
import { MAX_SORT_FILES, SortedRuns } from '#lists/memory/external_sort'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

const RECORDS = 60
const QUERIES = [
  ...['sort=name', 'sort=ttl:desc,name:desc', 'sort=type,ttl,name&q=.1', 'sort=name&name=h3'],
]

/** Complete lists that are sorted in parts in a file. */
test.group('Complete sorted lists', (group) => {
  let root: Caller
  let zone: { id: number; name: string }

  group.each.setup(() => {
    const [{ records }, { count }, { TMPDIR }] = [MAX_SMALL_ZONE, MAX_ROWS_IN_MEMORY, process.env]
    MAX_SMALL_ZONE.records = 10
    MAX_ROWS_IN_MEMORY.count = 10
    return () => {
      MAX_SMALL_ZONE.records = records
      MAX_ROWS_IN_MEMORY.count = count
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })

  group.each.setup(() => {
    const { count } = MAX_SORT_FILES
    return () => {
      MAX_SORT_FILES.count = count
    }
  })

  group.each.setup(async (running) => {
    root = caller(running.context.client, await administrator())
    zone = await createZone(root, { name: zoneNamed() })
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
    test(`a failure to write parts of ${list} to a file gets an error envelope`, async ({
      assert,
    }) => {
      process.env.TMPDIR = '/nonexistent/temporary'
      const answer = await root.get(`/zones/${zone.id}/${list}?per_page=0&sort=name:desc`)
      assert.equal(answer.status(), 500)
      assert.match(answer.header('content-type')!, /^application\/json/)
      assert.isFalse(answer.body().success)
      assert.notInclude(answer.text(), 'nonexistent')
    })

    test(`${list} sorted in a file equals the list sorted in memory`, async ({ assert }) => {
      const path = `/zones/${zone.id}/${list}`
      for (const query of QUERIES) {
        const wholes = []
        for (const maximum of [10, 10_000]) {
          MAX_ROWS_IN_MEMORY.count = maximum
          wholes.push(await dataOf(root.get(`${path}?${query}`), list))
        }
        assert.deepEqual(wholes[0], wholes[1], query)
        assert.isAbove(wholes[0].length, 10, query)
      }
    })

    test(`only a limited number of ${list} is sorted in files at once`, async ({ assert }) => {
      const path = `/zones/${zone.id}/${list}?sort=ttl,name:desc`
      MAX_SORT_FILES.count = 1
      const other = new SortedRuns(() => 0)
      await other.add([[[1], {}]])
      const refused = await root.get(path)
      assert.equal(refused.status(), 429)
      assert.equal(refused.header('retry-after'), '30')
      assert.match(
        refused.body().message,
        /^The server is already sorting the maximum number of long lists \(1\)/
      )
      await other.close()
      // Each response releases its slot.
      await expectStatus(root.get(path), 200)
      await expectStatus(root.get(path), 200)
    })
  }
})
