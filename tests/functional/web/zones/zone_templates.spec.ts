import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { eventsWith } from '#tests/support/app/audit'
import { owner } from '#tests/support/app/review'
import { contentsOf } from '#tests/support/app/zones/history'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { isEscaped } from '#tests/support/web/client'
import { signedIn, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let client: WebClient

interface TemplateRecord {
  id: number
  name: string
  type: string
  content: string
  ttl: number
  priority: number
}

const recordsOf = (id: number): Promise<TemplateRecord[]> =>
  dataOf(as.get(`/zone-templates/${id}/records`), 'records')

const idIn = ({ location }: Page) => Number(/^\/zone-templates\/(\d+)$/.exec(location ?? '')?.[1])

/** Returns the records of a zone as one text. */
async function textOf(zone: { id: number; name: string }): Promise<string> {
  const contents = await contentsOf(zone)
  return contents.join('\n')
}

/** Creates a template with www, and a zone from it. */
async function linked(members: object = {}) {
  const template = await createZoneTemplate(as, members)
  const www = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
  const zone = await createZone(as, { name: zoneNamed(), template })
  return { template, www, zone, path: `/zone-templates/${template}` }
}

test.group('Zone templates in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    client = await signedIn(admin)
  })

  test('a template is created, gets records, is previewed for a zone, copied and deleted', async ({
    assert,
  }) => {
    const name = unique('template')
    const created = await client.post('/zone-templates/new', { name, description: 'for shops' })
    const id = idIn(created)
    assert.equal(created.status, 303)
    const path = `/zone-templates/${id}`
    const record = {
      name: 'mail.[ZONE]',
      type: 'MX',
      content: 'mx.[ZONE]',
      ttl: '1h',
      priority: '10',
    }
    const added = await client.post(`${path}/records/new`, record)
    assert.deepEqual([added.status, added.location], [303, path])
    const records = await recordsOf(id)
    const mx = records.find(({ type }) => type === 'MX')!
    assert.containsSubset(mx, { name: 'mail.[ZONE]', ttl: 3600, priority: 10 })
    const shown = await client.get(`${path}?example=shop.example.org`)
    assert.match(shown.html, /mail\s+3600\s+IN\s+MX\s+10 mx/)
    assert.include(shown.html, 'shop.example.org')

    const copy = await client.post('/zone-templates/new', { name: `${name} 2`, from: String(id) })
    const copied = await recordsOf(idIn(copy))
    assert.sameMembers(
      copied.map(({ type }) => type),
      ['SOA', 'MX']
    )
    const unconfirmedPage = await client.post(`${path}/delete`, {}, { from: `${path}/settings` })
    assert.equal(unconfirmedPage.status, 422)
    const deleted = await client.post(`${path}/delete`, { sure: '1' }, { from: `${path}/settings` })
    assert.deepEqual([deleted.status, deleted.location], [303, '/zone-templates'])
    assert.equal(await client.statusOf(path), 404)
  })

  test('errors are shown, and the form keeps its values', async ({ assert }) => {
    const { path } = await linked()
    const { html } = await client.get(path)
    const taken = /<h1[^>]*>([^<]+)/.exec(html)?.[1] ?? ''
    for (const [name, status] of [
      ['', 422],
      [' \u0007', 422],
      ['x'.repeat(129), 422],
      [taken, 409],
    ] as const) {
      const page = await client.post('/zone-templates/new', { name, description: 'typed' })
      assert.equal(page.status, status, name)
      assert.include(page.html, 'typed')
    }
    const right = { name: 'new.[ZONE]', type: 'A', content: '192.0.2.9', ttl: '', priority: '' }
    for (const fields of [
      { content: '999.0.2.9' },
      { content: '' },
      { type: 'NOTYPE' },
      { ttl: 'soon' },
      { priority: '70000' },
      { name: 'a..b' },
    ]) {
      const page = await client.post(`${path}/records/new`, { ...right, ...fields })
      assert.equal(page.status, 422, JSON.stringify(fields))
      assert.include(page.html, 'role="alert"')
    }
    const nameless = await client.get(`${path}?example=..`)
    assert.equal(nameless.status, 200)
    assert.include(nameless.html, 'role="alert"')
  })

  test('a record and a template are changed from the version that the form showed', async ({
    assert,
  }) => {
    const { template, www, path } = await linked()
    const form = await client.get(`${path}/records/${www}`)
    const fields = { name: 'www', type: 'A', ttl: '300', priority: '' }
    const tag = form.hidden('tag')
    const saved = await client.post(`${path}/records/${www}`, {
      ...fields,
      content: '192.0.2.2',
      tag,
    })
    assert.equal(saved.status, 303)
    const lateSubmission = await client.post(`${path}/records/${www}`, {
      ...fields,
      content: '192.0.2.3',
      tag,
    })
    assert.equal(lateSubmission.status, 412)
    assert.include(lateSubmission.html, '192.0.2.3')
    const response = await client.post(`${path}/records/${www}/delete`, { tag }, { from: path })
    assert.equal(response.status, 412)
    const records = await recordsOf(template)
    assert.isTrue(records.some(({ content }) => content === '192.0.2.2'))

    const settings = await client.get(`${path}/settings`)
    const seen = settings.hidden('tag')
    const name = unique('renamed')
    const first = await client.post(`${path}/settings`, { name, tag: seen })
    assert.equal(first.status, 303)
    const second = await client.post(`${path}/settings`, { name: unique('other'), tag: seen })
    assert.equal(second.status, 412)
    const { html } = await client.get('/zone-templates')
    assert.include(html, name)
  })

  test('a refused sync of a zone creates one audit event', async ({ assert }) => {
    const { template, www, zone, path } = await linked({ is_global: true })
    const otherZone = await createZone(as, { name: zoneNamed(), template })
    const record = { name: 'www', type: 'A', content: '192.0.2.7' }
    await as.put(`/zone-templates/${template}/records/${www}`, record)
    const { username, ...somebody } = await owner(zone, [
      'zone_content_edit_own',
      'zone_content_view_others',
      'zone_templ_edit',
    ])
    const visitor = await signedIn({ username, ...somebody })
    const ids = { 'ids[]': [String(zone.id), String(otherZone.id)] }
    const planned = await visitor.post(`${path}/sync`, ids, { from: '/account/password' })
    assert.equal(planned.status, 200)
    assert.match(planned.path, /\/results\//)
    assert.lengthOf(await eventsWith({ username, action: 'access.denied' }), 1)
  })

  test('drift is shown, and selected zones are synced by their plans', async ({ assert }) => {
    const { template, www, zone, path } = await linked()
    const otherZone = await createZone(as, { name: zoneNamed(), template })
    await as.put(`/zone-templates/${template}/records/${www}`, {
      name: 'www',
      type: 'A',
      content: '192.0.2.7',
    })
    const report = await client.get(`${path}/zones`)
    assert.include(report.html, 'template edited')
    assert.match(report.html, /class="in">[^\n]*192\.0\.2\.7/)
    const from = `${path}/zones`
    const emptyPage = await client.post(`${path}/sync`, {}, { from })
    assert.equal(emptyPage.status, 422)
    const planned = await client.post(`${path}/sync`, { 'ids[]': String(zone.id) }, { from })
    assert.equal(planned.status, 200)
    assert.notInclude(await textOf(zone), '192.0.2.7')
    const send = () =>
      client.post(
        '/zones/bulk/apply',
        Object.fromEntries(
          ['action', 'template', 'local_changes', 'link', 'items'].map((field) => [
            field,
            planned.hidden(field),
          ])
        ),
        { from }
      )
    const applied = await send()
    assert.equal(applied.status, 200)
    assert.include(await textOf(zone), '192.0.2.7')
    assert.notInclude(await textOf(otherZone), '192.0.2.7')

    const parted = await client.post(`${path}/unlink`, { 'ids[]': String(otherZone.id) }, { from })
    assert.equal(parted.status, 303)
    const rest = await client.get(from)
    assert.notInclude(rest.html, otherZone.name)
    const stalePage = await client.post(
      `${path}/unlink`,
      { 'ids[]': String(otherZone.id) },
      { from }
    )
    assert.equal(stalePage.status, 409)
    assert.include(stalePage.html, zone.name)
  })

  test('a zone is saved as a template', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'CNAME', content: `host.${zone.name}` })
    const path = `/zones/${zone.id}/save-template`
    const offered = await client.get(`/zones/${zone.id}/import`)
    assert.include(offered.html, path)
    const created = await client.post(path, { name: unique('saved'), description: '' })
    assert.equal(created.status, 303)
    const records = await recordsOf(idIn(created))
    const cname = records.find(({ type }) => type === 'CNAME')
    assert.include(cname?.content, '[ZONE]')
  })

  test('a foreign template cannot be viewed, changed or copied', async ({ assert }) => {
    const { path, template } = await linked()
    const visitor = await signedIn(
      await person({ permissions: ['zone_templ_add', 'zone_templ_edit', 'zone_master_add'] })
    )
    for (const rest of ['', '/settings', '/zones', '/records/new']) {
      assert.equal(await visitor.statusOf(`${path}${rest}`), 403)
    }
    const copy = { name: unique('copy'), from: String(template) }
    const takenPage = await visitor.post('/zone-templates/new', copy)
    assert.equal(takenPage.status, 403)
    const shared = await createZoneTemplate(as, { is_global: true })
    const page = await visitor.get(`/zone-templates/${shared}`)
    assert.equal(page.status, 200)
    assert.notInclude(page.html, 'records/new')
    const ownPage = await visitor.post('/zone-templates/new', { ...copy, from: String(shared) })
    assert.equal(ownPage.status, 303)
  })

  test('only administrators copy a template with code', async ({ assert }) => {
    const shared = await createZoneTemplate(as, { is_global: true })
    await addTemplateRecord(as, shared, 'app', 'LUA', `A "ifportup(443, {'192.0.2.1'})"`)
    const visitor = await signedIn(await person({ permissions: ['zone_templ_add'] }))
    const fields = { name: unique('copy'), from: String(shared) }
    const refused = await visitor.post('/zone-templates/new', fields)
    assert.equal(refused.status, 403)
    assert.include(refused.html, 'LUA')
    const created = await client.post('/zone-templates/new', fields)
    assert.equal(created.status, 303)
  })

  test('names and contents are escaped', async ({ assert }) => {
    const nasty = '<img src=x onerror=alert(1)>'
    const id = await createZoneTemplate(as, { name: `${unique('t')} ${nasty}`, description: nasty })
    await addTemplateRecord(as, id, 'txt', 'TXT', `"${nasty}"`)
    for (const path of [
      '/zone-templates',
      `/zone-templates/${id}`,
      `/zone-templates/${id}/settings`,
    ]) {
      const { html } = await client.get(path)
      assert.isTrue(isEscaped(html), path)
    }
  })
})
