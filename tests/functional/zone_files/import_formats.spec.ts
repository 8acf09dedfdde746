// @api-backend(all)
import { test } from '@japa/runner'
import {
  baseUrl,
  caller,
  dataOf,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'

let admin: Person
let as: Caller
let zone: { id: number; name: string }

const send = async (type: string, body: string, query = '') => {
  const response = await fetch(`${baseUrl()}/api/v2/zones/${zone.id}/import${query}`, {
    method: 'POST',
    headers: { 'x-api-key': admin.key, 'content-type': type },
    body,
  })
  return { status: response.status, body: (await response.json()) as any }
}

async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

test.group('Imports and exports of other formats', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  test('a table is imported, as a body and as a member', async ({ assert }) => {
    const table =
      'name,ttl,type,content,priority\r\nwww,300,A,192.0.2.1,\r\n@,1h,MX,mail.example.net,10\r\n'
    const sent = await send('text/csv', table, '?mode=merge')
    assert.equal(sent.status, 200)
    const imported = await as.post(`/zones/${zone.id}/import`, {
      zone_file: 'txt;TXT;"say ""hi"", then; go"\n',
      format: 'csv',
      mode: 'merge',
    })
    imported.assertStatus(200)
    const now = await contents()
    for (const part of ['192.0.2.1', 'mail.example.net', 'then; go']) {
      assert.include(now, part)
    }
  })

  test('tables and dig output have no comments, and existing comments stay', async ({ assert }) => {
    await send('text/plain', '; whom to ask\nwww 300 A 192.0.2.1 ; the shop\n', '?mode=merge')
    const comment = async () => {
      const text = await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file')
      return ['whom to ask', 'the shop'].map((words) => text.includes(words))
    }
    assert.deepEqual(await comment(), [true, true])
    const table = 'name,ttl,type,content\r\nwww,600,A,192.0.2.1\r\nwww,600,A,192.0.2.2\r\n'
    const sent = await send('text/csv', table, '?mode=merge')
    assert.equal(sent.status, 200)
    assert.deepEqual(await comment(), [true, true])
    const answer = `;; ANSWER SECTION:\nwww.${zone.name}.\t900\tIN\tA\t192.0.2.1\n`
    const imported = await as.post(`/zones/${zone.id}/import`, {
      zone_file: answer,
      format: 'dig',
      mode: 'merge',
    })
    imported.assertStatus(200)
    assert.deepEqual(await comment(), [true, true])
  })

  test('dig output is imported without records outside the zone', async ({ assert }) => {
    const text = [
      '; <<>> DiG 9.18.1 <<>> www',
      ';; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1',
      ';; QUESTION SECTION:',
      `;www.${zone.name}. IN A`,
      ';; ANSWER SECTION:',
      `www.${zone.name}.\t300\tIN\tA\t192.0.2.1`,
      ';; ADDITIONAL SECTION:',
      'ns.elsewhere.test. 300 IN A 192.0.2.2',
      ';; Query time: 1 msec',
    ].join('\n')
    const planned = await send('text/dns', text, '?mode=merge&format=dig&dry_run=true')
    assert.equal(planned.status, 200)
    const [plan] = planned.body.data.plan.zones
    assert.lengthOf(plan.changes, 1)
    assert.include(JSON.stringify(plan.warnings), 'ns.elsewhere.test')
    const done = await send('text/dns', text, '?mode=merge&format=dig')
    assert.equal(done.status, 200)
    const exported = await as.get(`/zones/${zone.id}/export`)
    assert.notInclude(exported.body().data.zone_file, 'SECTION')
  })

  test('errors of a table have line numbers', async ({ assert }) => {
    const table = 'www,300,A,192.0.2.1\nbad,300,A,x\n\nworse,-1,A,192.0.2.1\nwrong,300,NOTYPE,x\n'
    const sent = await send('text/csv', table, '?mode=merge')
    assert.equal(sent.status, 400)
    const lines = sent.body.data.problems.map(({ line }: { line: number }) => line)
    assert.deepEqual(lines, [2, 4, 5])
    const none = await send('text/csv', 'a,b\nc,d\n', '?mode=merge')
    assert.equal(none.status, 400)
    const open = await send('text/csv', 'www,300,A,"192.0.2.1\n', '?mode=merge')
    assert.include(open.body.message, 'quote')
    const unknown = await send('text/dns', 'x', '?format=xml')
    assert.equal(unknown.status, 400)
    assert.include(unknown.body.message, 'zone, dig, csv')
    assert.notInclude(await contents(), '192.0.2.1')
  })

  test('importing an exported table changes nothing', async ({ assert }) => {
    await createRecord(as, zone, { name: 'a', type: 'TXT', content: '"x, \\"y\\"; z"' })
    await createRecord(as, zone, {
      name: '@',
      type: 'MX',
      content: 'mail.example.net',
      priority: 10,
    })
    await createRecord(as, zone, {
      name: '_s._tcp',
      type: 'SRV',
      content: '5 5060 host.example.net',
      priority: 3,
    })
    await createRecord(as, zone, { name: 'off', type: 'A', content: '192.0.2.1', disabled: true })
    const exported = await fetch(`${baseUrl()}/api/v2/zones/${zone.id}/export?format=csv`, {
      headers: { 'x-api-key': admin.key },
    })
    assert.match(exported.headers.get('content-type') ?? '', /^text\/csv/)
    const table = await exported.text()
    assert.include(table, 'off,')
    const planned = await send('text/csv', table, '?mode=replace&dry_run=true')
    assert.equal(planned.status, 200)
    assert.deepEqual(planned.body.data.plan.zones[0].changes, [])
  })
})
