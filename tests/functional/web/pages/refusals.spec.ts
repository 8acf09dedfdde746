import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { signedIn, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }
let template: number

/** Returns true if the error on a page is marked as English; null without an error. */
function isMarkedEnglish({ html }: Page): boolean | null {
  const [alert] = /<div class="notice error" role="alert"[^]*?<\/div>/.exec(html) ?? []
  return alert === undefined ? null : alert.includes('lang="en" dir="ltr"')
}

test.group('Refused forms and searches', (group) => {
  group.each.setup(async (t) => {
    if (admin) return
    admin = await administrator()
    client = await signedIn(admin)
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    template = await createZoneTemplate(as, { name: unique('template') })
  })

  /** A refused form: its path, its fields, and its page. */
  type Form = readonly [path: string, fields: Record<string, string>, from?: string]

  const refused = async ([path, fields, from = path]: Form) => {
    const page = await client.post(path, fields, { from })
    return `${path} ${page.status} ${isMarkedEnglish(page)}`
  }

  test('errors of use cases are marked as English', async ({ assert }) => {
    const at = `/zones/${zone.id}`
    const forms: Form[] = [
      [
        '/settings/api-keys/new',
        { name: 'x', access: 'all', zone_scope: 'some', zones: 'x.test', name_scope: 'all' },
      ],
      ['/dyndns/tokens/new', { hostnames: 'a..b' }],
      ['/zone-templates/' + template + '/records/new', recordOf({ ttl: 'soon' })],
      [`${at}/clone`, { name: '..' }],
      [`${at}/ptr/plan`, {}, `${at}/ptr`],
      [`${at}/settings`, { name: '..' }],
      [`${at}/owners`, { owner: 'nobody-of-that-name' }, `${at}/settings`],
      [`${at}/records/new`, recordOf({ content: '999.0.2.1' })],
      [`${at}/import/plan`, { text: 'x 1 A y', format: 'zone', mode: 'merge' }, `${at}/import`],
      ['/zones/new', { names: unique('x'), kind: 'OTHER' }],
    ]
    for (const form of forms) {
      assert.equal(await refused(form), `${form[0]} 422 true`)
    }
  })

  test('errors of the catalogue are not marked as English', async ({ assert }) => {
    const at = `/zones/${zone.id}`
    const forms: (readonly [status: number, ...Form])[] = [
      [422, '/settings/api-keys/new', { name: '' }],
      [422, '/zone-templates/new', { name: '' }],
      [422, `/zone-templates/${template}/records/new`, recordOf({ priority: 'much' })],
      [412, `${at}/settings`, { name: zone.name, tag: 'stale' }],
      [412, `${at}/settings`, { description: 'unseen', tag: '' }],
      [412, `${at}/settings`, { description: 'unseen' }],
      [412, `${at}/delete`, { tag: 'stale' }],
      [409, `${at}/history/2/undo`, { plan_hash: `sha256:${'0'.repeat(64)}` }],
      [422, '/zones/new', { names: '', kind: 'MASTER' }],
    ]
    for (const [status, ...form] of forms) {
      assert.equal(await refused(form), `${form[0]} ${status} false`)
    }
  })

  test('ids that no zone, group or template can have are not looked up', async ({ assert }) => {
    const words = ['2147483648', '9999999999']
    const items = words.map((id) => `${id}:sha256:${'0'.repeat(64)}`).join(',')
    const inputs: Record<string, string>[] = [
      { action: 'delete' },
      { action: 'owner', owner_kind: 'user', owner: admin.username },
      { action: 'owner', owner_kind: 'group', owner_group: '9999999999' },
      { action: 'template', template: '9999999999' },
    ]
    for (const body of inputs) {
      for (const [path, fields] of [
        ['/zones/bulk', { more: words.join(',') }],
        ['/zones/bulk', { more: String(zone.id) }],
        ['/zones/bulk/apply', { items }],
      ] as const) {
        const { status } = await client.post(path, { ...body, ...fields }, { from: '/zones' })
        assert.isBelow(status, 500, `${path} ${JSON.stringify({ ...body, ...fields })}`)
      }
    }
  })

  test('a wizard only marks English errors', async ({ assert }) => {
    const path = `/zones/${zone.id}/wizards/spf`
    const page = await client.post(path, { name: 'a..b', addresses: '192.0.2.1' })
    assert.equal(page.status, 422)
    assert.match(page.html, /<p class="problem" id="field-name-more" lang="en" dir="ltr">/)
    assert.equal(isMarkedEnglish(page), false)
  })

  test('a search keeps the sort order of a list', async ({ assert }) => {
    const lists = [
      '/settings/api-keys',
      '/dyndns',
      '/dyndns/tokens',
      '/zone-templates',
      `/zone-templates/${template}`,
      '/users',
      '/groups',
    ]
    for (const path of lists) {
      const sort = { '/dyndns': 'hostname:desc', '/users': 'username:desc' }[path] ?? 'name:desc'
      const { status, html } = await client.get(`${path}?q=x&sort=${sort}`)
      assert.equal(status, 200, path)
      const [form] = /<form class="filters"[^]*?<\/form>/.exec(html) ?? ['']
      assert.include(form, `<input type="hidden" name="sort" value="${sort}">`, path)
      assert.include(form, `href="${path}?sort=${encodeURIComponent(sort)}"`, path)
    }
    const { html } = await client.get('/dyndns?sort=%22%3E%3Cscript%3E')
    assert.notInclude(html, '"><script>')
  })
})

function recordOf(more: Record<string, string>): Record<string, string> {
  return { name: 'mail', type: 'A', content: '192.0.2.9', ttl: '300', priority: '0', ...more }
}
