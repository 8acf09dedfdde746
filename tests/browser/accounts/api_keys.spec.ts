// @databases @slow
import { test } from '@japa/runner'
import {
  baseUrl,
  caller,
  dataOf,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, type Person } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { ALL_APPEARANCES, inspectPages } from '#tests/support/browser/appearances'

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let other: { id: number; name: string }
let template: number
let keyId: number

/** Signs in and opens a page. */
async function visitorAt(path: string, appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

/** Updates a host as a router does. */
async function update(host: string, secret: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`token:${secret}`).toString('base64')}`
  const headers = { authorization, 'user-agent': 'ddclient/3.10.0 (a very long name of a router)' }
  await fetch(`${baseUrl()}/nic/update?hostname=${host}&myip=192.0.2.55`, { headers })
}

async function setUp(): Promise<void> {
  zone = await createZone(as, { name: zoneNamed() })
  const long = unique(`${'long-name-'.repeat(8)}of a template`)
  template = await createZoneTemplate(as, { name: long, is_global: true })
  const www = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
  const text = `"v=spf1 ${'include:spf.mail.example.net '.repeat(8)}-all"`
  await addTemplateRecord(as, template, '[ZONE]', 'TXT', text)
  other = await createZone(as, { name: zoneNamed(), template })
  const ownZone = await createZone(as, { name: zoneNamed(), template })
  await as.put(`/zone-templates/${template}/records/${www}`, {
    name: 'www',
    type: 'A',
    content: '192.0.2.7',
  })
  await createRecord(as, ownZone, { name: 'own', type: 'A', content: '192.0.2.9' })
  const { id } = await keyFor(admin, {
    zones: [zone],
    operations: ['view', 'update'],
    networks: ['192.0.2.0/24', '2001:db8::/32'],
    patterns: [{ name: `_acme-challenge.**.${zone.name}`, types: ['TXT'] }],
    idleDays: 90,
  })
  keyId = id
  const host = `home.${zone.name}`
  const made = await as.post('/dynamic-dns/tokens', { hostname: host, txt: true })
  await update(host, made.body().data.secret as string)
}

test.group('API key, dynamic DNS and zone template pages', (group) => {
  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    if (admin) return
    admin = await administrator()
    as = caller(t.context.client, admin)
    await setUp()
  })

  for (const [name, appearance] of Object.entries(ALL_APPEARANCES)) {
    test(`every page passes the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(appearance)
      await visitor.signIn(admin)
      const path = `/zone-templates/${template}`
      const visits: [file: string, path: string][] = [
        ['keys', '/settings/api-keys?of=all'],
        ['keys-none', '/settings/api-keys?q=no-such-key'],
        ['key-new', `/settings/api-keys/new?preset=acme&names=${zone.name}`],
        ['key', `/settings/api-keys/${keyId}`],
        ['dyndns', '/dyndns'],
        ['dyndns-tokens', '/dyndns/tokens'],
        ['dyndns-new', '/dyndns/tokens/new'],
        ['dyndns-recipes', `/dyndns/recipes?hostname=home.${zone.name}`],
        ['templates', '/zone-templates'],
        ['template', `${path}?example=shop.example.org`],
        ['template-record', `${path}/records/new`],
        ['template-zones', `${path}/zones`],
        ['template-settings', `${path}/settings`],
        ['template-save', `/zones/${zone.id}/save-template`],
      ]
      await inspectPages(visitor, assert, visits, name, { opensDetails: true })
      await visitor.leave()
    })
  }

  test('an API key is created from a preset, its secret is copied and hidden after going back', async ({
    client,
    assert,
  }) => {
    const visitor = await visitorAt('/')
    const { page } = visitor
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText(admin.username).first().click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('link', { name: 'Create API key' }).click()
    await page.getByText('ACME').first().click()
    await page.getByLabel('Zones, or hosts for dynamic DNS').fill(zone.name)
    await page.getByRole('button', { name: 'Apply preset' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const field = page.getByLabel('API key', { exact: true })
    await field.waitFor()
    const secret = await field.inputValue()
    await visitor.picture('key-secret')
    await visitor.inspect(assert)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    const works = await client.get('/api/v2/zones').header('x-api-key', secret)
    works.assertStatus(200)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.waitForURL(/\/settings\/api-keys$/)
    await page.goBack({ waitUntil: 'load' }).catch(() => null)
    // The browser shows either its own form resubmission page or the page without the secret.
    await page.waitForTimeout(300)
    assert.isFalse(await page.getByText(secret).or(page.locator('#secret')).first().isVisible())
    await visitor.leave()
  })

  test('a zone is suggested while typing and added to the restriction', async ({ assert }) => {
    const visitor = await visitorAt('/settings/api-keys/new')
    const { page } = visitor
    await page.getByLabel('Find zone').fill(zone.name.slice(0, 12))
    await page.getByRole('option').filter({ hasText: zone.name }).click()
    assert.include(await page.getByLabel('Zone names').inputValue(), zone.name)
    assert.isTrue(await page.getByLabel('Only these zones:').isChecked())
    await visitor.leave()
  })

  test('input in the details of a scope selects that scope', async ({ assert }) => {
    const visitor = await visitorAt('/settings/api-keys/new')
    const { page } = visitor
    await page.getByLabel('Names with optional types').fill(`www.${zone.name}`)
    assert.isTrue(await page.getByLabel('Only these names:').isChecked())
    assert.isTrue(await page.getByLabel('All zones you can access').isChecked())
    await page.getByLabel('Read', { exact: true }).check()
    assert.isTrue(await page.getByLabel('Only these operations:').isChecked())
    await visitor.leave()
  })

  test('a host token is created and copied without scripts', async ({ assert }) => {
    const visitor = await visitorAt('/dyndns/tokens/new', {
      scripts: false,
      width: 390,
      height: 844,
    })
    const { page } = visitor
    await page.getByLabel('Hosts').fill(`nas.${zone.name}`)
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.getByLabel('Token (the password for the device)').inputValue()
    assert.match(token, /^dy/)
    assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0)
    await visitor.picture('dyndns-secret-plain')
    await visitor.leave()
  })

  test('a zone with differences is synchronised with its template', async ({ assert }) => {
    const visitor = await visitorAt(`/zone-templates/${template}/zones`)
    const { page } = visitor
    await page.getByRole('button', { name: 'Preview sync' }).click()
    await page.waitForURL(/\/sync\/results\//)
    await visitor.picture('template-sync')
    await visitor.inspect(assert)
    await page.getByRole('button', { name: /^Apply/ }).click()
    await page.getByText('done').first().waitFor()
    const records: { content: string }[] = await dataOf(
      as.get(`/zones/${other.id}/records`),
      'records'
    )
    assert.isTrue(records.some(({ content }) => content === '192.0.2.7'))
    await visitor.leave()
  })
})
