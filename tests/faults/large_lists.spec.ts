import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { fillZones } from '#bench/seed/zones'
import { administrator } from '#tests/support/app/people/people'
import { eventually } from '#tests/support/eventually'
import { ServerProcess } from '#tests/support/faults/server_process'

/** Together these records need several times the memory of the server. */
const RECORDS = 300_000
/** Heap limit in MiB. A server that needs more ends. */
const HEAP = 96

test.group('Large lists', () => {
  test('a large list is sent in bounded memory, and reading stops when the client leaves', async ({
    assert,
    cleanup,
  }) => {
    const { key } = await administrator()
    const { firstId: zone } = await fillZones(db.connection(), { zones: 1, records: RECORDS })
    const server = await ServerProcess.start({ NODE_OPTIONS: `--max-old-space-size=${HEAP}` })
    cleanup(() => server.stop())
    const get = (path: string, signal?: AbortSignal) =>
      fetch(`${server.url}/api/v2/zones/${zone}/${path}`, {
        headers: { 'x-api-key': key },
        signal,
      })

    const whole = await get('records')
    const { data } = (await whole.json()) as { data: { records: { id: number }[] } }
    assert.lengthOf(data.records, RECORDS + 1)
    const ids = new Set(data.records.map(({ id }) => id))
    assert.equal(ids.size, RECORDS + 1)
    assert.isTrue(server.isRunning)

    const disconnect = new AbortController()
    const response = await get('records', disconnect.signal)
    await response.body!.getReader().read()
    disconnect.abort()
    // The connection is free again: SQLite has only one.
    const isFree = async () => {
      const { status } = await get('records?per_page=1')
      assert.equal(status, 200)
    }
    await eventually(isFree, { within: 5_000 })
    assert.notInclude(server.log(), 'Response with a whole list interrupted')
  }).timeout(120_000)
})
