// @databases @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { chunks } from '#database/statements/chunks'
import { baseUrl, caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'

const NOTHING = 2_147_483_647
const SOA = '[NS1] [HOSTMASTER] [SERIAL] 28800 7200 604800 86400'

let admin: Person
let as: Caller

const setUp = (tests: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup((t) => {
    as = caller(t.context.client, admin)
  })
}

const recordsOf = (id: number) => dataOf(as.get(`/zone-templates/${id}/records`), 'records')

test.group('Zone templates', (tests) => {
  setUp(tests)

  test('a template is created with an SOA record, read, changed and deleted', async ({
    assert,
  }) => {
    const name = unique('template')
    const created = await as.post('/zone-templates', { name, description: 'Default template' })
    created.assertStatus(201)
    const { id } = created.body().data
    assert.deepEqual(created.body(), {
      success: true,
      data: { id },
      message: 'Zone template created successfully',
    })
    const members = { id, name, description: 'Default template', owner: admin.id, is_global: false }
    const template = await dataOf(as.get(`/zone-templates/${id}`), 'template')
    const [soa] = template.records
    assert.deepEqual(template, {
      ...members,
      records: [{ id: soa.id, name: '[ZONE]', type: 'SOA', content: SOA, ttl: 86400, priority: 0 }],
    })
    const listed: { id: number }[] = await dataOf(as.get(`/zone-templates?q=${name}`), 'templates')
    assert.deepEqual(listed, [{ ...members, zones_linked: 0 }] as object[])

    const changed = await as.put(`/zone-templates/${id}`, { name: `${name}2`, description: 'd2' })
    changed.assertStatus(200)
    changed.assertBody({
      success: true,
      data: null,
      message: 'Zone template updated successfully',
    })
    assert.deepInclude(await dataOf(as.get(`/zone-templates/${id}`), 'template'), {
      ...members,
      name: `${name}2`,
      description: 'd2',
    })
    const deleted = await as.delete(`/zone-templates/${id}`)
    deleted.assertStatus(200)
    deleted.assertBody({
      success: true,
      data: null,
      message: 'Zone template deleted successfully',
    })
    assert.isEmpty(await db.from('zw_zone_template_records').where('template_id', id))
    for (const call of [
      as.get(`/zone-templates/${id}`),
      as.put(`/zone-templates/${id}`, { name: 'x' }),
      as.delete(`/zone-templates/${id}`),
      as.get(`/zone-templates/${NOTHING}`),
      as.get('/zone-templates/99999999999999'),
      as.get(`/zone-templates/${id}/records`),
      as.post(`/zone-templates/${id}/records`, { name: '@', type: 'A', content: '192.0.2.1' }),
    ]) {
      const missing = await call
      missing.assertStatus(404)
      missing.assertBodyContains({ data: null, message: 'Zone template not found' })
    }
  })

  test('an invalid template gets 400 with the field, and nothing is created', async ({
    assert,
  }) => {
    const count = () => db.from('zw_zone_templates').count('* as total')
    const before = await count()
    for (const [body, message] of [
      [{ description: 'x' }, 'Missing required fields: name, description'],
      [{ name: 'x' }, 'Missing required fields: name, description'],
      [{ name: ' x', description: '' }, "Field 'name' must be plain text"],
      [{ name: 'x'.repeat(129), description: '' }, "Field 'name' must have at most 128 characters"],
      [{ name: 'a\u0007b', description: '' }, "Field 'name' must be plain text"],
      [{ name: 'x', description: 5 }, "Field 'description' must be a JSON string"],
      [{ name: 'x', description: 'a', descr: 'b' }, "Fields 'descr' and 'description'"],
      [{ name: 'x', description: '', is_global: 'perhaps' }, "Field 'is_global' must be true"],
      [[], 'Invalid JSON'],
    ] as const) {
      const response = await as.post('/zone-templates', body)
      response.assertStatus(400)
      assert.include(response.body().message, message)
    }
    assert.deepEqual(await count(), before)
  })

  test('a template is created with its records; without an SOA record it gets one', async ({
    assert,
  }) => {
    const records = [
      { name: 'www.[ZONE]', type: 'a', content: '192.0.2.1', ttl: 300 },
      { name: '[ZONE]', type: 'MX', content: 'mail.[ZONE]', priority: 10 },
    ]
    const stored = async (body: object[]) => {
      const template = { name: unique('template'), description: '', records: body }
      const id = await dataOf(as.post('/zone-templates', template), 'id')
      const shown: Record<string, unknown>[] = await recordsOf(id)
      return shown.map(({ name, type, content, ttl, priority }) =>
        [name, type, content, ttl, priority].join(' ')
      )
    }
    const expected = ['[ZONE] MX mail.[ZONE] 86400 10', 'www.[ZONE] A 192.0.2.1 300 0']
    assert.sameMembers(await stored(records), [`[ZONE] SOA ${SOA} 86400 0`, ...expected])
    const soa = { name: '@', type: 'SOA', content: '[NS1] [HOSTMASTER] [SERIAL]', ttl: 600 }
    assert.sameMembers(await stored([...records, soa]), [
      '@ SOA [NS1] [HOSTMASTER] [SERIAL] 600 0',
      ...expected,
    ])
    assert.deepEqual(await stored([]), [`[ZONE] SOA ${SOA} 86400 0`])
  })

  test('one answer has the errors of all records, and no template is created', async ({
    assert,
  }) => {
    const name = unique('template')
    const refused = await as.post('/zone-templates', {
      name,
      description: '',
      records: [
        { name: 'www', type: 'A', content: '192.0.2.256' },
        { name: 'www', type: 'A', content: '192.0.2.1' },
        { name: 'x', type: 'RRSIG', content: 'A 8' },
        { name: 'x', type: 'TXT', content: 'no quotes' },
      ],
    })
    refused.assertStatus(400)
    const errors: string[] = refused.body().data.errors
    assert.deepEqual(
      errors.map((message) => message.split(':')[0]),
      ['records.0', 'records.2', 'records.3']
    )
    const incomplete = { name, description: '', records: [{ name: 'www', type: 'A' }, 5] }
    const invalid = await as.post('/zone-templates', incomplete)
    invalid.assertStatus(400)
    assert.include(invalid.body().message, "Field 'records.0.content'")
    const record = { name: 'www', type: 'A', content: '192.0.2.1' }
    const many = { name, description: '', records: Array.from({ length: 1001 }, () => record) }
    await expectStatus(as.post('/zone-templates', many), 400)
    assert.isEmpty(await db.from('zw_zone_templates').where('name', name))
  })

  test('a taken name gets 409, also for a rename', async () => {
    const name = unique('template')
    await createZoneTemplate(as, { name })
    const other = await createZoneTemplate(as)
    const taken = 'A zone template with this name already exists'
    for (const call of [
      as.post('/zone-templates', { name, description: 'x' }),
      as.post('/zone-templates', { name, description: 'x', is_global: true }),
      as.put(`/zone-templates/${other}`, { name }),
    ]) {
      const response = await call
      response.assertStatus(409)
      response.assertBodyContains({ data: null, message: taken })
    }
    await expectStatus(as.put(`/zone-templates/${other}`, { description: 'same name' }), 200)
  })

  test('a global template has no owner, and can become private again', async ({ assert }) => {
    const id = await createZoneTemplate(as, { is_global: true })
    const seen = async () => {
      const { owner, is_global: isGlobal } = await dataOf(
        as.get(`/zone-templates/${id}`),
        'template'
      )
      return [owner, isGlobal]
    }
    assert.deepEqual(await seen(), [0, true])
    await expectStatus(as.put(`/zone-templates/${id}`, { is_global: false }), 200)
    assert.deepEqual(await seen(), [admin.id, false])
    await expectStatus(as.put(`/zone-templates/${id}`, { is_global: true }), 200)
    assert.deepEqual(await seen(), [0, true])
  })

  test('forms and the member `descr` are accepted', async ({ assert }) => {
    const body = new URLSearchParams({ name: unique('form'), descr: 'by form', is_global: '1' })
    const response = await fetch(`${baseUrl()}/api/v2/zone-templates`, {
      method: 'POST',
      headers: { 'x-api-key': admin.key },
      body,
    })
    assert.equal(response.status, 201)
    const { data } = (await response.json()) as { data: { id: number } }
    const template = await dataOf(as.get(`/zone-templates/${data.id}`), 'template')
    assert.deepInclude(template, { description: 'by form', is_global: true })
  })

  test('a dry run and a repeat create one template at most', async ({ client, assert }) => {
    const body = { name: unique('template'), description: '' }
    await expectStatus(as.post('/zone-templates?dry_run=true', body), 200)
    const send = () =>
      client
        .post('/api/v2/zone-templates')
        .header('x-api-key', admin.key)
        .header('idempotency-key', body.name)
        .json(body)
    const [first, second] = [await send(), await send()]
    first.assertStatus(201)
    second.assertStatus(201)
    assert.deepEqual(second.body(), first.body())
  })

  test('templates and their records create audit events', async ({ assert }) => {
    const id = await createZoneTemplate(as)
    const record = await addTemplateRecord(as, id, 'www', 'A', '192.0.2.1')
    const at = `/zone-templates/${id}/records/${record}`
    await as.put(at, { name: 'www', type: 'A', content: '192.0.2.2' })
    await as.put(at, { name: 'www', type: 'A', content: '192.0.2.2' })
    await as.put(`/zone-templates/${id}`, { description: 'other' })
    await as.delete(at)
    await as.delete(`/zone-templates/${id}`)
    const events: { action: string; detail: Record<string, unknown> }[] = await dataOf(
      as.get(`/audit?object=zone_template:${id}`),
      'entries'
    )
    const actions = events.reverse().map(({ action }) => action.replace('zone_template.', ''))
    assert.deepEqual(actions, [
      'created',
      'record_added',
      'record_changed',
      'updated',
      'record_removed',
      'deleted',
    ])
    assert.deepInclude(events[2].detail, {
      before: { id: record, name: 'www', type: 'A', content: '192.0.2.1', ttl: 3600, priority: 0 },
    })
    assert.deepEqual(events[3].detail, {
      before: { description: 'of a test' },
      after: { description: 'other' },
    })
  })
})

test.group('Records of zone templates', (tests) => {
  setUp(tests)

  test('a record is added, read, changed and deleted', async ({ assert }) => {
    const id = await createZoneTemplate(as)
    const body = { name: 'www.[ZONE]', type: 'a', content: '192.0.2.1', ttl: 300 }
    const created = await as.post(`/zone-templates/${id}/records`, body)
    created.assertStatus(201)
    const { id: recordId } = created.body().data
    assert.deepEqual(created.body().data, { id: recordId })
    const at = `/zone-templates/${id}/records/${recordId}`
    const record = { id: recordId, ...body, type: 'A', priority: 0 }
    assert.deepEqual(await dataOf(as.get(at), 'record'), record)
    assert.includeDeepMembers(await recordsOf(id), [record])
    const patch = { name: 'www.[ZONE]', type: 'A', content: '192.0.2.2' }
    const changed = await as.put(at, patch)
    changed.assertStatus(200)
    changed.assertBody({
      success: true,
      data: null,
      message: 'Zone template record updated successfully',
    })
    assert.deepEqual(await dataOf(as.get(at), 'record'), { ...record, ...patch })
    const deleted = await as.delete(at)
    deleted.assertStatus(200)
    deleted.assertBody({
      success: true,
      data: null,
      message: 'Zone template record deleted successfully',
    })
    const other = await createZoneTemplate(as)
    const [soa] = await recordsOf(other)
    for (const call of [
      as.get(at),
      as.put(at, patch),
      as.delete(at),
      as.delete(`/zone-templates/${id}/records/${soa.id}`),
    ]) {
      const missing = await call
      missing.assertStatus(404)
      missing.assertBodyContains({ message: 'Record not found in this zone template' })
    }
  })

  for (const [name, type, content, shown = content] of [
    ['[ZONE]', 'SOA', SOA],
    ['[ZONE]', 'SOA', '[NS1] [HOSTMASTER] [SERIAL]'],
    ['[ZONE]', 'SOA', '[NS1] [HOSTMASTER] [UNIXTIME] [SOA_REFRESH] [SOA_RETRY] [SOA_EXPIRE] 300'],
    ['[ZONE]', 'SOA', 'ns1.[ZONE] admin@[ZONE] [COUNTER] 1 2 3 [SOA_MINIMUM]'],
    ['@', 'NS', '[NS4]'],
    ['mail', 'CNAME', '[DOMAIN].mail.[TLD]'],
    ['[ZONE]', 'MX', 'mail.[ZONE]'],
    ['www', 'AAAA', '2001:DB8::1', '2001:db8::1'],
    ['@', 'TXT', '"v=spf1 include:[ZONE] -all"', 'v=spf1 include:[ZONE] -all'],
    ['*.[ZONE]', 'A', '192.0.2.7'],
    ['1', 'PTR', 'host.example.net'],
    ['_sip._tcp', 'SRV', '5 5060 sip.[ZONE]'],
  ]) {
    test(`${type} ${content} at ${name} is accepted`, async ({ assert }) => {
      const id = await createZoneTemplate(as)
      const record = await addTemplateRecord(as, id, name, type, content)
      const found = await dataOf(as.get(`/zone-templates/${id}/records/${record}`), 'record')
      assert.deepInclude(found, { name, type, content: shown })
    })
  }

  test('a record that no zone could contain gets 400 with the error of its type, and nothing is written', async ({
    assert,
  }) => {
    const id = await createZoneTemplate(as)
    const record = await addTemplateRecord(as, id, 'www', 'A', '192.0.2.1')
    const before = await recordsOf(id)
    for (const [body, message] of [
      [{ name: 'x.[ZONE]', type: 'A', content: 'bad' }, "Field 'content'"],
      [{ name: 'x', type: 'A', content: '[ZONE]' }, "Field 'content'"],
      [{ name: 'x', type: 'AAAA', content: '192.0.2.1' }, "Field 'content'"],
      [{ name: 'x', type: 'NOPE', content: 'x' }, "Field 'type'"],
      [{ name: 'x', type: 'RRSIG', content: 'x' }, "Field 'type'"],
      [{ name: 'a b', type: 'A', content: '192.0.2.1' }, "Field 'name'"],
      [{ name: 'www.[NOPE]', type: 'A', content: '192.0.2.1' }, "Field 'name'"],
      [{ name: 'www', type: 'SOA', content: SOA }, "Field 'name'"],
      [{ name: '@', type: 'SOA', content: '[NS1] [NOPE] [SERIAL] 1 2 3 4' }, "Field 'content'"],
      [{ name: '@', type: 'TXT', content: 'not in quotes' }, 'is not in quotes'],
      [{ name: '@', type: 'TXT', content: '"open' }, "Field 'content'"],
      [{ name: '@', type: 'A', content: '192.0.2.1', priority: 5 }, "Field 'priority'"],
      [{ name: '@', type: 'A', content: '192.0.2.1', ttl: -1 }, "Field 'ttl'"],
      [{ name: '@', type: 'A', content: '192.0.2.1', ttl: '1.5' }, "Field 'ttl'"],
      [{ name: 'x.[ZONE]' }, 'Missing required fields: name, type, content'],
    ] as const) {
      for (const response of [
        await as.post(`/zone-templates/${id}/records`, body),
        await as.put(`/zone-templates/${id}/records/${record}`, body),
      ]) {
        response.assertStatus(400)
        assert.include(response.body().message, message, JSON.stringify(body))
      }
    }
    assert.deepEqual(await recordsOf(id), before)
  })

  test('the number of records of a template is limited', async () => {
    const id = await createZoneTemplate(as)
    const rows = Array.from({ length: 999 }, (_, index) => ({
      template_id: id,
      name: `h${index}`,
      type: 'A',
      content: '192.0.2.1',
      ttl: 60,
      priority: 0,
    }))
    for (const part of chunks(rows, 100)) {
      await db.table('zw_zone_template_records').multiInsert(part)
    }
    const body = { name: 'x', type: 'A', content: '192.0.2.1' }
    await expectStatus(as.post(`/zone-templates/${id}/records`, body), 400)
  })
})
