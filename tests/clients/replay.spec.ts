import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { basic } from '#tests/support/app/people/basic'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { exchange } from '#tests/support/dyndns/raw'

/** A request as a client sends it. `{zone}`, `{name}` and `{record}` are replaced by objects of the test. */
interface Recorded {
  client: string
  request: string
  headers?: string[]
  body?: string
  status: number
  /** The expected record: type, name, content, ttl, priority and disabled. */
  record?: [string, string, string, number, number, boolean]
}

const GO = ['User-Agent: Go-http-client/1.1', 'Accept-Encoding: gzip']
const PYTHON = [
  'User-Agent: python-requests/2.28.1',
  'Accept-Encoding: gzip, deflate',
  'Accept: */*',
]
const JSON_BODY = 'Content-Type: application/json'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

const RECORDED: Recorded[] = [
  {
    client: 'cert-manager: quotes, priority and disabled as numbers',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: [...GO, JSON_BODY],
    body: '{"name":"_acme-challenge.{name}","type":"TXT","content":"\\"tok-en_1\\"","ttl":60,"priority":0,"disabled":0}',
    status: 201,
    record: ['TXT', '_acme-challenge.{name}', 'tok-en_1', 60, 0, false],
  },
  {
    client: 'certbot: an absolute name, no quotes, no priority',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: [...PYTHON, JSON_BODY],
    body: '{"name": "_acme-challenge.www.{name}", "type": "TXT", "content": "tok-en_2", "ttl": 120}',
    status: 201,
    record: ['TXT', '_acme-challenge.www.{name}', 'tok-en_2', 120, 0, false],
  },
  {
    client: 'external-dns: the apex',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: [...GO, JSON_BODY],
    body: '{"name":"@","type":"MX","content":"mail.example.net","ttl":300,"priority":10,"disabled":false}',
    status: 201,
    record: ['MX', '{name}', 'mail.example.net', 300, 10, false],
  },
  {
    client: 'external-dns: an update by an absolute name',
    request: 'PUT /api/v2/zones/{zone}/records/{record}',
    headers: [...GO, JSON_BODY],
    body: '{"name":"www.{name}","type":"A","content":"192.0.2.9","ttl":300,"priority":0,"disabled":false}',
    status: 200,
    record: ['A', 'www.{name}', '192.0.2.9', 300, 0, false],
  },
  {
    client: 'Terraform: a record that is off, with a final dot',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: [...GO, JSON_BODY],
    body: '{"name":"off.{name}.","type":"A","content":"192.0.2.4","ttl":0,"disabled":true,"create_ptr":false}',
    status: 201,
    record: ['A', 'off.{name}', '192.0.2.4', 0, 0, true],
  },
  {
    client: 'Terraform: a zone of no template, by a text',
    request: 'POST /api/v2/zones',
    headers: [...GO, JSON_BODY],
    body: '{"name":"tf-{name}","type":"MASTER","template":"none","soa_edit_api":""}',
    status: 201,
  },
  {
    client: 'Terraform: masters and account of a zone that becomes a secondary',
    request: 'PUT /api/v2/zones/{zone}',
    headers: [...GO, JSON_BODY],
    body: '{"type":"SLAVE","masters":"192.0.2.5","account":"ops"}',
    status: 200,
  },
  {
    client: 'the SDK: bulk with an id as text',
    request: 'POST /api/v2/zones/{zone}/records/bulk',
    headers: [...GO, JSON_BODY],
    body: '{"operations":[{"action":"UPDATE","id":"{record}","content":"192.0.2.8"}]}',
    status: 200,
    record: ['A', 'www.{name}', '192.0.2.8', 300, 0, false],
  },
  {
    client: 'a Go client that streams its body',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: [...GO, JSON_BODY, 'Transfer-Encoding: chunked'],
    body: '{"name":"chunked","type":"A","content":"192.0.2.5","ttl":60}',
    status: 201,
    record: ['A', 'chunked.{name}', '192.0.2.5', 60, 0, false],
  },
  {
    client: 'curl -d: JSON that says it is a form',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: ['User-Agent: curl/7.88.1', 'Accept: */*', FORM],
    body: '{"name":"curl","type":"A","content":"192.0.2.6","ttl":"60"}',
    status: 201,
    record: ['A', 'curl.{name}', '192.0.2.6', 60, 0, false],
  },
  {
    client: 'JSON without a type of content',
    request: 'POST /api/v2/zones/{zone}/records',
    body: '{"name":"untyped","type":"A","content":"192.0.2.6","ttl":60}',
    status: 201,
    record: ['A', 'untyped.{name}', '192.0.2.6', 60, 0, false],
  },
  {
    client: 'a form',
    request: 'POST /api/v2/zones/{zone}/records',
    headers: ['User-Agent: curl/7.88.1', FORM],
    body: 'name=form&type=TXT&content=a+b%2Bc&ttl=60&priority=0&disabled=0',
    status: 201,
    record: ['TXT', 'form.{name}', 'a b+c', 60, 0, false],
  },
  {
    client: 'a script that deletes with an empty JSON body',
    request: 'DELETE /api/v2/zones/{zone}/records/{record}',
    headers: [...PYTHON, JSON_BODY],
    body: '',
    status: 204,
  },
  {
    client: 'PHP: an array as query parameter',
    request: 'GET /api/v2/zones/{zone}/records?type[]=A',
    status: 400,
  },
]

test.group('Recorded requests of clients', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  let record: { id: number | string }

  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed('replay') })
    const www = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
    record = await createRecord(as, zone, www)
  })

  const filled = (text: string) =>
    text
      .replaceAll('{zone}', String(zone.id))
      .replaceAll('{name}', zone.name)
      .replaceAll('{record}', String(record.id))

  async function send({ request, headers = [], body }: Recorded, credentials: string[]) {
    const text = body === undefined ? '' : filled(body)
    const isChunked = headers.some((line) => line.startsWith('Transfer-Encoding'))
    const length = body === undefined || isChunked ? [] : [`Content-Length: ${text.length}`]
    const lines = [`${filled(request)} HTTP/1.1`, 'Host: dns.example', ...credentials, ...headers]
    const head = [...lines, ...length, 'Connection: close'].join('\r\n')
    const sent = isChunked ? `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text
    const answer = await exchange(`${head}\r\n\r\n${sent}`)
    return { status: Number(answer.split(' ')[1]), answer }
  }

  for (const recorded of RECORDED) {
    test(`${recorded.client}`, async ({ assert }) => {
      const { status, answer } = await send(recorded, [`X-API-Key: ${admin.key}`])
      assert.equal(status, recorded.status, answer)
      if (recorded.record) {
        const [type, name, ...values] = recorded.record
        const list = await as.get(`/zones/${zone.id}/records?type=${type}`)
        const found = list
          .body()
          .data.records.find((one: { name: string }) => one.name === filled(name))
        const { content, ttl, priority, disabled } = found
        assert.deepEqual([content, ttl, priority, disabled], values)
      }
    })
  }

  test('credentials are accepted as clients send them: both headers, only the bearer token, none', async ({
    assert,
  }) => {
    const look: Recorded = { client: '', request: 'GET /api/v2/zones/{zone}', status: 200 }
    const bearer = `Authorization: Bearer ${admin.key}`
    const password = `Authorization: ${basic(admin.username, admin.password)}`
    for (const [credentials, status] of [
      [[bearer, `X-API-Key: ${admin.key}`], 200],
      [[bearer], 200],
      [[`authorization: bearer ${admin.key}`], 200],
      [[`x-api-key: ${admin.key}x`], 401],
      [[password], 401],
      [[], 401],
    ] as const) {
      const answer = await send(look, [...credentials])
      assert.equal(answer.status, status, credentials.join())
    }
  })
})
