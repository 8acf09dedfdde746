import { request } from 'node:http'
import router from '@adonisjs/core/services/router'
import { test } from '@japa/runner'
import { HEAVY, HEAVY_SLOTS } from '#middleware/heavy_requests_middleware'
import { baseUrl, caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { changeSettings } from '#tests/support/app/settings'
import { signedIn } from '#tests/support/web/client'

/** Requests that wait while another import of the same user runs. */
const HEAVY_CALLS: [what: string, send: (as: Caller, zone: string) => PromiseLike<Sent>][] = [
  ['an export', (as, zone) => as.get(`${zone}/export`)],
  ['a difference', (as, zone) => as.get(`${zone}/diff?from=1`)],
  ['a zone as it was', (as, zone) => as.get(`${zone}/at?entry=1`)],
  ['an undo', (as, zone) => as.post(`${zone}/history/1/undo`, {})],
  ['a restore', (as, zone) => as.post(`${zone}/restore`, { entry: 1 })],
  ['a bulk request', (as, zone) => as.post(`${zone}/records/bulk`, { operations: [] })],
  ['a change set', (as) => as.post('/changes', { actions: [] })],
  ['a clone', (as, zone) => as.post(`${zone}/clone`, { name: zoneNamed('clone') })],
]

/** Requests that do not wait. */
const LIGHT_CALLS: [what: string, send: (as: Caller, zone: string) => PromiseLike<Sent>][] = [
  ['a zone', (as, zone) => as.get(zone)],
  ['its records', (as, zone) => as.get(`${zone}/records?per_page=5`)],
  [
    'a new record',
    (as, zone) => as.post(`${zone}/records`, { name: 'a', type: 'A', content: '192.0.2.1' }),
  ],
]

interface Sent {
  status(): number
  body(): { message?: string }
  header(name: string): string | undefined
}

/** Starts an import whose body stays open until `finish` is called. */
function slowImport(key: string, path: string) {
  const headers = { 'x-api-key': key, 'content-type': 'text/dns', 'content-length': '40' }
  const call = request(`${baseUrl()}/api/v2${path}/import?mode=merge`, { method: 'POST', headers })
  const status = new Promise<number | undefined>((resolve, reject) => {
    call.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    call.on('error', reject)
  })
  call.write('a 60 A 192.0.2.7')
  return {
    /** Resolves after 150 ms, when the server has received the request. */
    begun: new Promise((resolve) => setTimeout(resolve, 150)),
    cancel() {
      call.destroy()
    },
    async finish() {
      call.end('\n'.repeat(24))
      return status
    },
  }
}

test.group('Large requests', (group) => {
  group.each.setup(() => {
    const { waitMs } = HEAVY_SLOTS
    return () => void (HEAVY_SLOTS.waitMs = waitMs)
  })

  test('large requests of one user wait for each other, and get 429 after a timeout', async ({
    client,
    assert,
    cleanup,
  }) => {
    cleanup(changeSettings({ api: { max_heavy_requests: 1 } }))
    const [one, otherUser] = [await administrator(), await administrator()]
    const as = caller(client, one)
    const { id } = await createZone(as, { name: zoneNamed('heavy'), type: 'MASTER' })
    const zone = `/zones/${id}`
    const slow = slowImport(one.key, zone)
    // The test process would wait for the open connection.
    cleanup(() => slow.cancel())
    await slow.begun
    HEAVY_SLOTS.waitMs = 20
    for (const [what, send] of HEAVY_CALLS) {
      const response = await send(as, zone)
      assert.equal(response.status(), 429, what)
      assert.include(
        response.body().message,
        'at most 1 per user (setting api.max_heavy_requests)',
        what
      )
      assert.equal(response.header('retry-after'), '5', what)
    }
    const web = await signedIn(one)
    const page = await web.get(`/zones/${id}/text`)
    assert.equal(page.status, 429)
    for (const [what, send] of LIGHT_CALLS) {
      const response = await send(as, zone)
      assert.oneOf(response.status(), [200, 201], what)
    }
    HEAVY_SLOTS.waitMs = 10_000
    for (const [what, send] of HEAVY_CALLS) {
      const response = await send(caller(client, otherUser), zone)
      assert.notEqual(response.status(), 429, what)
    }

    const waiting = as.get(`${zone}/export?format=text`)
    const exported = waiting.then((response) => response.text())
    assert.equal(await slow.finish(), 200)
    assert.include(await exported, '192.0.2.7')
    const after = await as.get(`${zone}/export`)
    after.assertStatus(200)
  })

  test('each listed route exists', ({ assert }) => {
    const known = { reads: new Set<string>(), writes: new Set<string>() }
    for (const { pattern, methods } of Object.values(router.toJSON()).flat()) {
      const kind = methods.includes('GET') ? known.reads : known.writes
      kind.add(pattern.replace(/^\/api\/v2/, ''))
    }
    assert.deepEqual(
      [...HEAVY.reads].filter((one) => !known.reads.has(one)),
      []
    )
    assert.deepEqual(
      [...HEAVY.writes].filter((one) => !known.writes.has(one)),
      []
    )
  })
})
