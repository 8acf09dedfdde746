import { randomInt } from 'node:crypto'
import { check, section } from '#tests/support/conformance/check'
import { valueOf } from '#tests/support/conformance/settings'

/** Returns a unique reverse zone name. */
const reverseName = () => `${randomInt(256)}.${randomInt(256)}.10.in-addr.arpa`

const ADDRESS = { name: 'a', type: 'A', content: '192.0.2.1' }
const BAD_TTLS = [-1, '-1', '1.5', 1.5, '0.5', 'abc']

export const records = section(
  'Records',
  check(1, 'by dns.ttl_reverse where it is set', async ({ at, zone, data, assert }) => {
    const sendRequest = await at('full')
    const [forward, reverse] = [await zone(), await zone({ name: reverseName() })]
    const pointer = { name: '7', type: 'PTR', content: 'www.example.net' }
    const text = { name: '7', type: 'TXT', content: 'text' }
    for (const [path, body, ttl] of [
      [reverse.path, pointer, 1800],
      [reverse.path, text, 7200],
      [forward.path, { ...pointer, name: 'ptr' }, 7200],
      [forward.path, ADDRESS, 7200],
      [forward.path, { ...ADDRESS, name: 'b', ttl: 60 }, 60],
    ] as const) {
      const { record } = await data(201, sendRequest('POST', `${path}/records`, body))
      assert.equal(record.ttl, ttl, JSON.stringify(body))
    }
  }),
  check(1, 'by dns.ttl where dns.ttl_reverse is not set', async ({ zone, record, assert }) => {
    assert.isNull(valueOf('dns.ttl_reverse'))
    const reverse = await zone({ name: reverseName() })
    const { ttl } = await record(reverse, '8', 'PTR', 'www.example.net')
    assert.equal(ttl, valueOf('dns.ttl'))
  }),
  check(2, 'when a record is made', async ({ root, zone, record, want, assert }) => {
    const created = await zone()
    for (const ttl of [0, '0']) {
      const { ttl: stored } = await record(created, `zero-${typeof ttl}`, 'A', '192.0.2.1', { ttl })
      assert.equal(stored, 0)
    }
    for (const ttl of BAD_TTLS) {
      await want(400, root('POST', `${created.path}/records`, { ...ADDRESS, ttl }))
    }
  }),
  check(2, 'when it is changed, many are made, or an RRset is replaced', async (scene) => {
    const { root, zone, record, want, data, assert } = scene
    const { path } = await zone()
    const one = await record({ path }, 'www', 'A', '192.0.2.1')
    const changed = await data(200, root('PUT', one.path, { ttl: 0 }))
    assert.equal(changed.record.ttl, 0)
    const now = `${path}/records/${changed.record.id}`
    const bulk = (ttl: unknown) => ({ operations: [{ action: 'create', ...ADDRESS, ttl }] })
    const set = (ttl: unknown) => ({ name: 'set', type: 'A', ttl, records: [ADDRESS] })
    for (const ttl of BAD_TTLS) {
      await want(400, root('PUT', now, { ttl }))
      await want(400, root('POST', `${path}/records/bulk`, bulk(ttl)))
      await want(400, root('PUT', `${path}/rrsets`, set(ttl)))
    }
    await want(200, root('POST', `${path}/records/bulk`, bulk(0)))
    await want(200, root('PUT', `${path}/rrsets`, set(0)))
  }),
  check(3, '', async ({ root, secondary, want }) => {
    const { path } = await secondary()
    const operations = [{ action: 'create', ...ADDRESS }]
    const set = { name: 'a', type: 'A', records: [ADDRESS] }
    await want(403, root('POST', `${path}/records`, ADDRESS), /read-only/)
    await want(403, root('PUT', `${path}/records/1`, { ttl: 60 }), /read-only/)
    await want(403, root('DELETE', `${path}/records/1`), /read-only/)
    await want(403, root('POST', `${path}/records/bulk`, { operations }), /read-only/)
    await want(403, root('PUT', `${path}/rrsets`, set), /read-only/)
  })
)
