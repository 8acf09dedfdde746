import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import testUtils from '@adonisjs/core/services/test_utils'
import { test } from '@japa/runner'
import api from '#config/api'
import HttpExceptionHandler from '#exceptions/handler'
import { bodyText } from '#middleware/body/body_reader'
import { baseUrl, caller, createRecord, createZone, statusOf, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { RawConnection } from '#tests/support/app/database/raw_connection'
import { rowCounts, stateOf } from '#tests/support/app/zones/zones'

type Body = string | Uint8Array<ArrayBuffer>

/** Sends bytes unchanged. */
async function send(
  who: { key: string },
  [method, path]: [method: string, path: string],
  body: Body | undefined,
  headers: Record<string, string> = {}
) {
  const response = await fetch(`${baseUrl()}/api/v2${path}`, {
    method,
    headers: { 'x-api-key': who.key, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, any> }
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Bodies that every writing route refuses. */
const REFUSED: [what: string, status: number, body: Body | undefined, headers?: object][] = [
  ['no body', 400, undefined],
  ['an empty body', 400, ''],
  ['blanks', 400, '   '],
  ['broken JSON', 400, '{bad'],
  ['an object that does not end', 400, '{"name":"x"'],
  ['text after the object', 400, '{"name":"x"} x'],
  ['an empty object', 400, '{}'],
  ['a number', 400, '5'],
  ['a text', 400, '"name"'],
  ['null', 400, 'null'],
  ['true', 400, 'true'],
  ['an empty list', 400, '[]'],
  ['a list', 400, '[1, 2]'],
  ['a list of objects', 400, '[{"name":"x"}]'],
  ['an empty form', 400, '', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a form that no header announces', 400, bytes('name=x&type=A&content=192.0.2.1')],
  ['invalid UTF-8', 400, new Uint8Array([...bytes('{"name":"'), 0xff, 0xfe, ...bytes('"}')])],
  ['too deep a body', 400, `{"name":${'['.repeat(1000)}${']'.repeat(1000)}}`],
  [
    'a compressed body',
    415,
    new Uint8Array(gzipSync('{"name":"x"}')),
    { 'content-encoding': 'gzip' },
  ],
  ['an unknown encoding', 415, '{"name":"x"}', { 'content-encoding': 'nonsense' }],
  ['too large a body', 413, `{"name":"${'x'.repeat(api.max_body_bytes)}"}`],
]

test.group('Request bodies', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  for (const [what, status, body, headers] of REFUSED) {
    test(`${what}: every write gets ${status} and changes nothing`, async ({ client, assert }) => {
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed() })
      const record = await createRecord(as, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
      const before = [await stateOf(zone.id), await rowCounts()]
      for (const channel of [
        ['POST', '/zones'],
        ['PUT', `/zones/${zone.id}`],
        ['POST', `/zones/${zone.id}/records`],
        ['PUT', `/zones/${zone.id}/records/${record.id}`],
      ] as [string, string][]) {
        const answer = await send(admin, channel, body, { ...headers })
        assert.equal(answer.status, status, channel.join(' '))
        assert.deepEqual(Object.keys(answer.body), ['success', 'data', 'message'])
        assert.isFalse(answer.body.success)
      }
      assert.deepEqual([await stateOf(zone.id), await rowCounts()], before)
    })
  }

  test('a body of unknown length is refused at the limit', async ({ assert }) => {
    const piece = bytes(' '.repeat(2 ** 20))
    let pieces = Math.ceil(api.max_body_bytes / piece.length) + 2
    const body = new ReadableStream({
      pull: (controller) => (pieces-- > 0 ? controller.enqueue(piece) : controller.close()),
    })
    const response = await fetch(`${baseUrl()}/api/v2/zones`, {
      method: 'POST',
      headers: { 'x-api-key': admin.key },
      body,
      duplex: 'half',
    })
    assert.equal(response.status, 413)
  })

  for (const [framing, header, start] of [
    ['of known length', `Content-Length: ${2 * api.max_body_bytes}`, ''],
    [
      'of unknown length',
      'Transfer-Encoding: chunked',
      `${(2 * api.max_body_bytes).toString(16)}\r\n`,
    ],
  ]) {
    test(`after an interrupted body ${framing} the connection serves the next request`, async ({
      assert,
      cleanup,
    }) => {
      const connection = await RawConnection.open()
      cleanup(() => connection.close())
      const head = `/api/v2/zones HTTP/1.1\r\nHost: test\r\nX-API-Key: ${admin.key}\r\n`
      await connection.send(`POST ${head}${header}\r\n\r\n${start}`)
      await connection.send(Buffer.alloc(2 * api.max_body_bytes, ' '))
      await connection.send(start === '' ? '' : '\r\n0\r\n\r\n')
      assert.equal(await connection.status(), 413)
      await connection.send(`HEAD ${head}\r\n`)
      assert.equal(await connection.status(), 200)
    })
  }

  test('a body that the client interrupts is not logged as an error', async ({
    assert,
    cleanup,
  }) => {
    const channel = createServer().listen(0, '127.0.0.1')
    cleanup(() => void channel.close())
    await once(channel, 'listening')
    const sender = connect((channel.address() as AddressInfo).port, '127.0.0.1')
    sender.on('error', () => {})
    sender.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\n{')
    const [message] = (await once(channel, 'request')) as [IncomingMessage]
    const ctx = await testUtils.createHttpContext({ req: message })
    const faults: unknown[] = []
    Object.assign(ctx, { logger: { error: (fault: unknown) => faults.push(fault) } })
    const read = bodyText(ctx)
    sender.destroy()
    const error: unknown = await read.catch((fault: unknown) => fault)
    const handler = new HttpExceptionHandler()
    await handler.report(error, ctx)
    await handler.handle(error, ctx)
    assert.deepEqual(faults, [])
    assert.equal(ctx.response.getStatus(), 400)
    await handler.report(new Error('another'), ctx)
    assert.lengthOf(faults, 1)
  })

  test('JSON is accepted with any content type', async ({ assert }) => {
    for (const type of [
      undefined,
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
    ]) {
      const body = bytes(`\r\n {"name":"${zoneNamed()}"}`)
      const headers = type === undefined ? undefined : { 'content-type': type }
      const answer = await send(admin, ['POST', '/zones'], body, headers)
      assert.equal(answer.status, 201, String(type))
    }
  })

  test('a byte order mark before the JSON is ignored', async ({ assert }) => {
    const body = new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(`{"name":"${zoneNamed()}"}`)])
    assert.equal(await statusOf(send(admin, ['POST', '/zones'], body)), 201)
  })

  test('names of properties of every JavaScript object are ordinary form fields', async ({
    assert,
  }) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      for (const text of [`${name}[]=x`, `${name}=x`, `name=a&${name}[]=b&${name}[]=c`]) {
        const answer = await send(admin, ['PUT', '/zones/2147483647'], bytes(text), form)
        assert.equal(answer.status, 404, text)
        const createdObject = await send(admin, ['POST', '/zones'], bytes(text), form)
        assert.isBelow(createdObject.status, 500, text)
      }
    }
  })

  test('a form is accepted instead of JSON', async ({ client, assert }) => {
    const as = caller(client, admin)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const name = zoneNamed('form')
    const created = await send(admin, ['POST', '/zones'], `name=${name}&type=MASTER`, form)
    assert.equal(created.status, 201)
    const zone = { id: created.body.data.zone_id as number }
    const fields = 'name=www&type=TXT&content=a+b%26c%C3%BC&ttl=300&disabled=1&priority=0'
    const record = await send(admin, ['POST', `/zones/${zone.id}/records`], fields, form)
    assert.equal(record.status, 201)
    assert.containsSubset(record.body.data.record, {
      name: 'www',
      content: 'a b&cü',
      ttl: 300,
      disabled: true,
    })
    const path = `/zones/${zone.id}/records/${record.body.data.record.id}`
    assert.equal(await statusOf(send(admin, ['PUT', path], 'disabled=false', form)), 200)
    assert.isFalse(await dataOf(as.get(path), 'record.disabled'))
    const described = await send(admin, ['PUT', `/zones/${zone.id}`], 'description=x', form)
    assert.equal(described.body.data.zone.description, 'x')
  })

  test('a form may contain a list', async ({ assert }) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = `name=${zoneNamed()}&type=SLAVE&masters[]=192.0.2.1&masters[]=192.0.2.2`
    assert.equal(await statusOf(send(admin, ['POST', '/zones'], fields, form)), 201)
  })

  test('a list in a form may have indexes, and other brackets are refused', async ({
    client,
    assert,
  }) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const name = zoneNamed('listed')
    const fields = `name=${name}&descr=x&permissions[0]=43&permissions[1]=44`
    const createdObject = await send(admin, ['POST', '/permission-templates'], fields, form)
    assert.equal(createdObject.status, 201)
    const path = `/permission-templates/${createdObject.body.data.id}`
    const granted: { id: number }[] = await dataOf(
      caller(client, admin).get(path),
      'template.permissions'
    )
    assert.sameMembers(
      granted.map(({ id }) => id),
      [43, 44]
    )
    // Without this member the key would allow all names.
    const key = `name=${name}&patterns[0][name]=_acme-challenge.example&patterns[0][types][]=TXT`
    const refused = await send(admin, ['POST', '/api-keys'], key, form)
    assert.equal(refused.status, 400)
    assert.include(refused.body.message, 'patterns[0][name]')
  })

  test('lone surrogates are refused', async ({ assert }) => {
    for (const body of ['{"username":"a","fullname":"\\ud800"}', '{"groups":["\\udc00x"]}']) {
      const answer = await send(admin, ['POST', '/users'], body)
      assert.equal(answer.status, 400)
      assert.include(answer.body.message, 'an incomplete character')
      assert.isTrue(answer.body.message.isWellFormed())
    }
    // The message truncates a long value between characters.
    for (const start of ['', 'x']) {
      const body = JSON.stringify({ username: 'a', fullname: start + '😀'.repeat(200) })
      const answer = await send(admin, ['POST', '/users'], body)
      assert.equal(answer.status, 400)
      assert.isTrue(answer.body.message.isWellFormed(), answer.body.message)
    }
  })

  test('unknown members are ignored, including names of JavaScript properties', async ({
    assert,
  }) => {
    const body = `{"name":"${zoneNamed()}","nonsense":1,"__proto__":{"type":"X"},"constructor":5}`
    assert.equal(await statusOf(send(admin, ['POST', '/zones'], body)), 201)
  })

  test('a null member counts as absent', async ({ client, assert }) => {
    const as = caller(client, admin)
    const nothing = { type: null, master: null, description: null, account: null, template: null }
    const zone = await createZone(as, { name: zoneNamed(), soa_edit_api: null, ...nothing })
    const response = await as.get(`/zones/${zone.id}`)
    assert.containsSubset(response.body().data.zone, { type: 'MASTER', account: null })
  })

  test('a body is read after authentication', async ({ assert }) => {
    const answer = await send({ key: 'wrong' }, ['POST', '/zones'], '{bad')
    assert.equal(answer.status, 401)
  })
})
