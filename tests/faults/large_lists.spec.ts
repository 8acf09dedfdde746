import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { caller, makeZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'
import { eventually } from '#tests/support/eventually'
import { ServerProcess } from '#tests/support/faults/server_process'

const RECORDS = 60_000
/** MiB by which the process may grow. */
const MOST = 64

test('a whole large list is sent in bounded memory, and not read on for nobody', async ({
  client,
  assert,
  cleanup,
}) => {
  const { key } = await administrator()
  const zone = await makeZone(caller(client, { key }), { name: zoneNamed() })
  for (let at = 0; at < RECORDS; at += 400) {
    const rows = Array.from({ length: 400 }, (_, i) => ({
      domain_id: zone.id,
      name: `host${at + i}.${zone.name}`,
      type: 'TXT',
      content: `"${'text '.repeat(20)}${at + i}"`,
      ttl: 300,
      prio: 0,
      disabled: false,
      auth: true,
    }))
    await db.table('records').multiInsert(rows)
  }
  const server = await ServerProcess.start()
  cleanup(() => server.stop())
  const get = (path: string, signal?: AbortSignal) =>
    fetch(`${server.url}/api/v2/zones/${zone.id}/${path}`, {
      headers: { 'x-api-key': key },
      signal,
    })

  // What first requests load, and room that the process takes before it first cleans up, are no part of it.
  for (let i = 0; i < 2; i++) {
    const warm = await get('records')
    await warm.text()
  }
  const before = server.memory
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, server.memory)), 20)
  cleanup(() => clearInterval(watch))

  const whole = await get('records')
  const { data } = (await whole.json()) as { data: { records: { name: string }[] } }
  assert.lengthOf(data.records, RECORDS + 1)
  assert.lengthOf(new Set(data.records.map(({ name }) => name)).keys().toArray(), RECORDS + 1)
  assert.isBelow(highest - before, MOST)

  const gone = new AbortController()
  const response = await get('records', gone.signal)
  await response.body!.getReader().read()
  gone.abort()
  // The connection is free again: SQLite has but one.
  const isFree = async () => {
    const { status } = await get('records?per_page=1')
    assert.equal(status, 200)
  }
  await eventually(isFree, { within: 5_000 })
  assert.notInclude(server.log(), 'A list was cut off')
}).timeout(120_000)
