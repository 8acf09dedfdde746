// @databases @api-backend @process
import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import type { ApiRequest, ApiResponse } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import type { HttpContext } from '@adonisjs/core/http'
import server from '@adonisjs/core/services/server'
import testUtils from '@adonisjs/core/services/test_utils'
import db from '@adonisjs/lucid/services/db'
import { findActorOfKey } from '#accounts/authenticate'
import {
  MAX_RUN_MS,
  RETENTION_MS,
  recordApplied,
  purgeRepeats,
} from '#changes/idempotency/requests'
import { inTransaction } from '#database/transaction'
import HttpExceptionHandler from '#exceptions/handler'
import { conflict } from '#exceptions/refusal'
import IdempotencyMiddleware from '#middleware/idempotency_middleware'
import { baseUrl, caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { rowCounts, stateOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'

const HEADER = 'idempotency-key'
const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

/** Headers that differ between messages. */
const MESSAGE_HEADERS = ['date', 'x-request-id', 'idempotent-replay', 'connection', 'keep-alive']

/** Returns the parts of a response that its replay repeats. */
function essence(response: ApiResponse) {
  const headers = Object.entries(response.headers()).filter(
    ([name]) => !MESSAGE_HEADERS.includes(name)
  )
  return {
    status: response.status(),
    body: response.text(),
    headers: Object.fromEntries(headers),
  }
}

function assertReplay(assert: Assert, first: ApiResponse, secondResponse: ApiResponse) {
  assert.isUndefined(first.header('idempotent-replay'))
  assert.equal(secondResponse.header('idempotent-replay'), 'true')
  assert.deepEqual(essence(secondResponse), essence(first))
}

const rowOf = (person: Pick<Person, 'id'>) =>
  db
    .from('zw_idempotency_keys')
    .where('caller', 'like', `${person.id}:%`)
    .orderBy('id', 'desc')
    .firstOrFail()

test.group('Idempotency-Key', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }

  group.each.setup(async ({ context }) => {
    admin = await administrator()
    as = caller(context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  const withKey = (call: ApiRequest, key: string) => call.header(HEADER, key)
  const postRecord = (key: string, body: object = RECORD) =>
    withKey(as.post(`/zones/${zone.id}/records`, body), key)

  test('a repeated write gets the first response and changes nothing', async ({ assert }) => {
    const record = await createRecord(as, zone, { ...RECORD, name: 'old' })
    const doomed = await createZone(as, { name: zoneNamed() })
    const name = zoneNamed()
    const writes: [what: string, status: number, call: () => ApiRequest][] = [
      ['record', 201, () => as.post(`/zones/${zone.id}/records`, RECORD)],
      ['edit', 200, () => as.put(`/zones/${zone.id}/records/${record.id}`, { ttl: 900 })],
      ['property', 200, () => as.put(`/zones/${zone.id}`, { description: 'ü "quoted"' })],
      ['new zone', 201, () => as.post('/zones', { name })],
      ['removal', 204, () => as.delete(`/zones/${zone.id}/records/${record.id}`)],
      ['zone removal', 204, () => as.delete(`/zones/${doomed.id}`)],
    ]
    for (const [what, status, call] of writes) {
      const first = await withKey(call(), what)
      assert.equal(first.status(), status, what)
      const before = [await rowCounts(), await stateOf(zone.id)]
      assertReplay(assert, first, await withKey(call(), what))
      assert.deepEqual([await rowCounts(), await stateOf(zone.id)], before, what)
    }
  })

  test('a repeat gets the first response even if the data changed since', async ({ assert }) => {
    const first = await postRecord('k')
    await as.delete(`/zones/${zone.id}`)
    assertReplay(assert, first, await postRecord('k'))
  })

  test('twenty concurrent repeats create one record; the others get its response or 409', async ({
    assert,
  }) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => postRecord('at once')))
    const first = answers.filter((answer) => !answer.header('idempotent-replay'))
    const created = first.filter((answer) => answer.status() === 201)
    assert.lengthOf(created, 1)
    for (const answer of answers) {
      assert.oneOf(answer.status(), [201, 409])
    }
    assertReplay(assert, created[0], await postRecord('at once'))
    const records = await db.from('records').where({ domain_id: zone.id, type: 'A' })
    assert.lengthOf(records, 1)
  }).tags(['@sql'])

  test('a key of another request gets 422', async ({ assert }) => {
    await postRecord('k')
    const before = await stateOf(zone.id)
    const path = `/zones/${zone.id}/records`
    const others = {
      'another body': postRecord('k', { ...RECORD, ttl: 301 }),
      'another query': withKey(as.post(`${path}?x=1`, RECORD), 'k'),
      'another path': withKey(as.post('/zones', RECORD), 'k'),
      'another method': withKey(as.put(`${path}/1`, RECORD), 'k'),
      'no body': withKey(as.delete(`${path}/1`), 'k'),
    }
    for (const [what, call] of Object.entries(others)) {
      const answer = await call
      assert.equal(answer.status(), 422, what)
      assert.match(answer.body().message, /Idempotency-Key.*another request.*allowed/)
      assert.isFalse(answer.body().success)
      assert.isUndefined(answer.header('idempotent-replay'))
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('the body of a DELETE is part of the request', async () => {
    const path = `/zones/${zone.id}`
    const first = await withKey(as.delete(path).json({ reason: 'a' }), 'k')
    first.assertStatus(204)
    const otherResponse = await withKey(as.delete(path).json({ reason: 'b' }), 'k')
    otherResponse.assertStatus(422)
  })

  test('another caller, or another key of the same user, has separate idempotency keys', async ({
    client,
    assert,
  }) => {
    const body = { ...RECORD, content: '192.0.2.2' }
    await postRecord('k')
    for (const person of [await administrator(), await keyFor(admin)]) {
      const asOther = caller(client, person)
      const answer = await withKey(asOther.post(`/zones/${zone.id}/records`, body), 'k')
      assert.notEqual(answer.status(), 422)
      assert.isUndefined(answer.header('idempotent-replay'))
    }
  })

  test('an invalid API key gets no stored response', async () => {
    await postRecord('k')
    await db.from('zw_api_keys').where('id', admin.keyId).update({ enabled: false })
    const answer = await postRecord('k')
    answer.assertStatus(401)
  })

  test('a refusal is repeated even if the request would succeed now', async ({ assert }) => {
    const first = await postRecord('k', { ...RECORD, content: 'nonsense' })
    first.assertStatus(400)
    assertReplay(assert, first, await postRecord('k', { ...RECORD, content: 'nonsense' }))

    const name = zoneNamed()
    const otherZone = await createZone(as, { name })
    const takenResponse = await withKey(as.post('/zones', { name }), 'taken')
    takenResponse.assertStatus(409)
    await as.delete(`/zones/${otherZone.id}`)
    assertReplay(assert, takenResponse, await withKey(as.post('/zones', { name }), 'taken'))
  })

  test('nothing is stored without the header, or for reads', async ({ assert }) => {
    await as.post(`/zones/${zone.id}/records`, RECORD)
    const read = await withKey(as.get(`/zones/${zone.id}`), 'k')
    read.assertStatus(200)
    const rows = await db.from('zw_idempotency_keys').where('caller', 'like', `${admin.id}:%`)
    assert.lengthOf(rows, 0)
  })

  test('a key is free after 24 hours, and expired rows are deleted', async ({ assert }) => {
    await postRecord('k')
    const row = await rowOf(admin)
    assert.equal(Date.parse(row.expires_at) - Date.parse(row.created_at), RETENTION_MS)
    await db
      .from('zw_idempotency_keys')
      .where('id', row.id)
      .update({ expires_at: ago(1) })
    const secondResponse = await postRecord('k')
    secondResponse.assertStatus(409)
    assert.isUndefined(secondResponse.header('idempotent-replay'))
    assert.match(secondResponse.body().message, /the A record/)

    const fresh = await rowOf(admin)
    assert.notEqual(Number(fresh.id), Number(row.id))
    await db
      .from('zw_idempotency_keys')
      .where('id', fresh.id)
      .update({ expires_at: ago(1) })
    assert.isAtLeast(await purgeRepeats(), 1)
    assert.isNull(await db.from('zw_idempotency_keys').where('id', fresh.id).first())
  })

  test('a server deletes expired rows in the background', async ({ assert, cleanup }) => {
    await postRecord('old')
    const { id } = await rowOf(admin)
    await db
      .from('zw_idempotency_keys')
      .where('id', id)
      .update({ expires_at: ago(1) })
    const other = await OtherServer.start({})
    cleanup(() => other.stop())
    await other.call('POST', '/api/v2/zones', { 'x-api-key': admin.key, [HEADER]: 'new' })
    await eventually(async () => {
      assert.isNull(await db.from('zw_idempotency_keys').where('id', id).first())
    })
  }).timeout(60_000)

  for (const [what, key] of [
    ['an empty key', ''],
    ['256 characters', 'x'.repeat(256)],
    ['other than ASCII', 'k\u00e4'],
    ['a control character', 'a\tb'],
  ]) {
    test(`${what} gets 400 with the allowed values`, async ({ assert }) => {
      const answer = await postRecord(key)
      answer.assertStatus(400)
      assert.match(
        answer.body().message,
        /^Header 'Idempotency-Key': found .*, allowed: one value of 1 to 255 printable ASCII/
      )
    })
  }

  test('two keys get 400; 255 characters with blanks are a valid key', async ({ assert }) => {
    const url = `${baseUrl()}/api/v2/zones/${zone.id}/records`
    const headers = new Headers({ 'x-api-key': admin.key, [HEADER]: 'a' })
    const key = `a ${'~'.repeat(252)}!`
    const ok = await postRecord(key)
    ok.assertStatus(201)
    assertReplay(assert, ok, await postRecord(key))

    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const call = request(url, { method: 'POST' }, (answer) => resolve(answer.statusCode))
      headers.forEach((value, name) => call.setHeader(name, value))
      call.setHeader(HEADER, ['a', 'b'])
      call.once('error', reject)
      call.end(JSON.stringify(RECORD))
    })
    assert.equal(status, 400)
  })

  test('a body above the limit is refused before anything is stored', async ({ assert }) => {
    const answer = await postRecord('k', { ...RECORD, content: 'x'.repeat(11_000_000) })
    answer.assertStatus(413)
    assert.isNull(
      await db.from('zw_idempotency_keys').where('caller', 'like', `${admin.id}:%`).first()
    )
  })
})

test.group('Idempotency-Key and interrupted processes', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  let row: { id: number | string }

  const post = () => as.post(`/zones/${zone.id}/records`, RECORD).header(HEADER, 'k')

  async function stateNow(): Promise<string> {
    const { state } = await rowOf(admin)
    return state
  }

  /** Sets the state of a request that ended before its response was stored. */
  const leave = (state: string, createdAt = ago(0)) =>
    db
      .from('zw_idempotency_keys')
      .where('id', row.id)
      .update({ state, status: null, headers: null, body: null, created_at: createdAt })

  group.each.setup(async ({ context }) => {
    admin = await administrator()
    as = caller(context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const first = await post()
    first.assertStatus(201)
    row = await rowOf(admin)
  })

  test('a change whose response was lost is not repeated', async ({ assert }) => {
    await leave('applied', ago(RETENTION_MS / 2))
    const before = await stateOf(zone.id)
    const answer = await post()
    answer.assertStatus(409)
    assert.match(answer.body().message, /was applied, but.*history of the zone/)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a running request keeps its key, a dead request loses it', async ({ assert }) => {
    await leave('running', ago(MAX_RUN_MS - 10_000))
    const early = await post()
    early.assertStatus(409)
    assert.match(early.body().message, /still running/)

    await leave('running', ago(MAX_RUN_MS + 1000))
    const late = await post()
    late.assertStatus(409)
    assert.match(late.body().message, /the A record/)
    const taken = await rowOf(admin)
    assert.notEqual(Number(taken.id), Number(row.id))
  })

  test('a slow request whose key was taken over changes nothing', async ({ assert }) => {
    await leave('running', ago(MAX_RUN_MS + 1000))
    await post()
    const slow = inTransaction(db.connection(), async (trx) => {
      await trx.from('zw_zones').where('id', zone.id).update({ description: 'slow' })
      await recordApplied(trx, Number(row.id))
    })
    await assert.rejects(() => slow, /replaced it/)
    const { description } = await db.from('zw_zones').where('id', zone.id).firstOrFail()
    assert.isNull(description)
  })

  test('a change is recorded with its commit, and not after a rollback', async ({ assert }) => {
    await leave('running')
    const id = Number(row.id)
    const failing = inTransaction(db.connection(), async (trx) => {
      await recordApplied(trx, id)
      throw new Error('rolled back')
    })
    await assert.rejects(() => failing, 'rolled back')
    assert.equal(await stateNow(), 'running')
    await inTransaction(db.connection(), async (trx) => {
      await recordApplied(trx, id)
      await recordApplied(trx, id)
    })
    assert.equal(await stateNow(), 'applied')
  })
})

/** Responses of a test route, and whether the key stores them. */
const ANSWERS: [what: string, isStored: boolean, answer: (ctx: HttpContext) => unknown][] = [
  ['a text', true, ({ response }) => response.status(404).send('Not here')],
  ['an object', true, ({ response }) => response.status(202).send({ a: ['ü', null] })],
  ['no body', true, ({ response }) => response.status(204)],
  ['a refusal that is thrown', true, () => Promise.reject(conflict('Somebody was faster'))],
  ['a fault', false, () => Promise.reject(new Error('broken'))],
  ['an answer that holds a secret', false, secretAnswer],
  ['a request timeout', false, ({ response }) => response.status(408).send({})],
  ['too many requests', false, ({ response }) => response.status(429).send({})],
  ['a stream', false, ({ response }) => response.stream(Readable.from(['part']))],
  ['bytes', false, ({ response }) => response.send(Buffer.from('part'))],
]

function secretAnswer(ctx: HttpContext) {
  ctx.repeatable = false
  ctx.response.status(201).send({ key: 'secret' })
}

test.group('Stored responses', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  /** Runs a write through the middleware as the server does. Returns the response to send. */
  async function send(key: string, answer: (ctx: HttpContext) => unknown) {
    const ctx = await testUtils.createHttpContext()
    Object.assign(ctx.request.request, {
      method: 'POST',
      url: '/api/v2/somewhere',
      headersDistinct: { [HEADER]: [key] },
    })
    const actor = await findActorOfKey(admin.key, '127.0.0.1', 'api')
    Object.assign(ctx, { actor, bodyText: '' })
    await server
      .pipeline([IdempotencyMiddleware])
      .errorHandler((error) => new HttpExceptionHandler().handle(error, ctx))
      .finalHandler(async () => {
        ctx.response.header('Location', '/api/v2/somewhere/1').header('ETag', '"1"')
        ctx.response.plainCookie('cookie', 'crumb')
        await answer(ctx)
      })
      .run(ctx)
    const { response } = ctx
    const { 'idempotent-replay': replayed, ...headers } = response.getHeaders()
    return { replayed, status: response.getStatus(), content: response.content?.[0], headers }
  }

  for (const [what, isStored, answer] of ANSWERS) {
    test(`${what}: ${isStored ? 'the response is stored' : 'the key is free again'}`, async ({
      assert,
    }) => {
      const key = unique('key')
      const first = await send(key, answer)
      const again = await send(key, answer)
      assert.isUndefined(first.replayed)
      assert.equal(again.replayed, isStored ? 'true' : undefined)
      if (isStored) {
        const { 'set-cookie': cookie, ...headers } = first.headers
        assert.isDefined(cookie)
        assert.deepEqual(again, { ...first, headers, replayed: 'true' })
        assert.equal(again.headers.location, '/api/v2/somewhere/1')
      }
    })
  }

  test('an error after the change does not free the key', async ({ assert }) => {
    const key = unique('key')
    const first = await send(key, async ({ repeatId }) => {
      await inTransaction(db.connection(), (trx) => recordApplied(trx, repeatId!))
      throw new Error('broken')
    })
    assert.equal(first.status, 500)
    const again = await send(key, ({ response }) => response.send('never'))
    assert.equal(again.status, 409)
  })

  test('the table contains no secrets', async ({ assert }) => {
    const secret = unique('secret')
    await send(unique('key'), (ctx) => {
      ctx.repeatable = false
      ctx.response.send({ secret })
    })
    assert.isNull(await db.from('zw_idempotency_keys').where('body', 'like', `%${secret}%`).first())
  })
})
