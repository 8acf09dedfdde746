// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { foreignZone } from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { ALL_APPEARANCES, inspectPages, TWO_APPEARANCES } from '#tests/support/browser/appearances'

let server: SigningServer
let admin: Person
let as: Caller
let zone: { id: number; name: string }

/** Signs in at the installation with a name server. */
async function arrive(appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow({ ...appearance, base: server.url })
  await visitor.signIn(admin)
  return visitor
}

test.group('Name server pages in the browser', (group) => {
  group.each.timeout(90_000)

  group.setup(async () => {
    // Signing a zone requires NS records.
    server = await SigningServer.start({ DNS_DEFAULT_NS: 'ns1.example.net,ns2.example.net' })
    admin = await administrator()
    return () => server.stop()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await plainZone(t.context.client, admin)
  })

  for (const [name, appearance] of Object.entries(ALL_APPEARANCES)) {
    test(`its pages pass the page checks, ${name}`, async ({ client, assert }) => {
      const parent = await createZone(as, { name: zoneNamed('parent') })
      const signed = await plainZone(client, admin, { name: `child.${parent.name}` })
      const path = `/zones/${signed.id}`
      await server.call(admin.key, 'POST', `${path}/dnssec`, { enabled: true })
      const extra = { type: 'zsk', algorithm: 'rsasha256', bits: 2048 }
      await server.call(admin.key, 'POST', `${path}/dnssec/keys`, extra)
      const keys = await server.call(admin.key, 'GET', `${path}/dnssec/keys`)
      const [{ id: keyId, ds }] = keys.body.data
      await createRecord(as, parent, { name: 'child', type: 'NS', content: 'ns1.example.net' })
      await createRecord(as, parent, { name: 'child', type: 'DS', content: ds[0] })
      await as.put(`${path}/metadata/ALSO-NOTIFY`, { values: ['192.0.2.1', '[2001:db8::1]:5300'] })
      await as.put(`${path}/metadata/X-LONG`, { values: ['value '.repeat(60)] })
      await db.table('supermasters').insert({
        ip: `2001:db8::${signed.id}`,
        nameserver: `${zoneNamed('a-name-server-with-a-long-name')}.example.net`,
        account: 'an account',
      })
      const broken = await foreignZone('MASTER')

      const visitor = await arrive(appearance)
      const visits: [file: string, path: string][] = [
        ['dnssec-unsigned', `/zones/${zone.id}/dnssec`],
        ['dnssec', `${path}/dnssec`],
        ['dnssec-end', `${path}/dnssec/unsign`],
        ['dnssec-key-new', `${path}/dnssec/keys/new`],
        ['dnssec-key-import', `${path}/dnssec/keys/import`],
        ['dnssec-key-delete', `${path}/dnssec/keys/${keyId}/delete`],
        ['metadata', `${path}/metadata`],
        ['metadata-kind', `${path}/metadata/edit?kind=ALLOW-AXFR-FROM`],
        ['zone-calls', `${path}/settings`],
        ['server', '/server?probe=1'],
        ['autoprimaries', '/server/autoprimaries'],
        ['consistency', '/server/consistency'],
        ['consistency-check', `/server/consistency/no_soa?after=${broken.id - 1}`],
      ]
      await inspectPages(visitor, assert, visits, name)
      await visitor.leave()
    })
  }

  test('DNSSEC is enabled and disabled without scripts', async ({ assert }) => {
    const visitor = await arrive({ scripts: false })
    const { page } = visitor
    await page.goto(`/zones/${zone.id}/dnssec`)
    await page.getByLabel('Algorithm').selectOption('ed25519')
    await page.getByRole('button', { name: 'Enable DNSSEC' }).click()
    await page.getByText('15 (ED25519)').first().waitFor()
    await page.getByRole('link', { name: 'Disable DNSSEC…' }).click()
    await page.getByLabel(/^Enter /).fill('other.example')
    await page.getByLabel('The DS record is removed').check()
    await page.getByRole('button', { name: 'Disable DNSSEC' }).click()
    await page.getByText('The name does not match the zone').waitFor()
    await visitor.picture('unsign-refused')
    await page.getByLabel(/^Enter /).fill(zone.name)
    await page.getByRole('button', { name: 'Disable DNSSEC' }).click()
    await page.getByText('DNSSEC disabled').waitFor()
    assert.include(page.url(), `/zones/${zone.id}/dnssec`)
    await visitor.leave()
  })

  test('a new zone is signed if its form says so', async ({ assert }) => {
    const visitor = await arrive()
    const { page } = visitor
    const [signed, plain] = [zoneNamed('ticked'), zoneNamed('unticked')]
    for (const name of [signed, plain]) {
      await page.goto('/zones/new')
      await page.getByLabel('Names or networks').fill(name)
      const tick = page.getByLabel('Sign with DNSSEC')
      assert.isFalse(await tick.isChecked())
      await tick.setChecked(name === signed)
      await page.getByRole('button', { name: 'Create zone' }).click()
      await page.waitForURL(/\/zones\/\d+$/)
      assert.equal(await page.locator('.toast > p').innerText(), `Zone ${name} created.`)
      await visitor.inspect(assert)
      await page.goto(`${page.url()}/dnssec`)
      const signs = page.getByRole('button', { name: 'Enable DNSSEC' })
      assert.equal(await signs.count(), name === signed ? 0 : 1)
      const { answers } = await server.dns!.query(name, 'DNSKEY')
      assert.equal(answers.length > 0, name === signed, name)
    }
    await visitor.leave()
  })

  test('a DS record is copied and metadata added by keyboard', async ({ assert }) => {
    await server.call(admin.key, 'POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    const visitor = await arrive()
    const { page } = visitor
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/zones/${zone.id}/dnssec`)
    await page.getByRole('button', { name: 'Copy DS record, SHA-256' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied').first().waitFor()
    const copied: string = await page.evaluate('navigator.clipboard.readText()')
    assert.match(copied, new RegExp(`^${zone.name}\\. IN DS \\d+ 13 2 [0-9A-F]{64}$`))

    await page.goto(`/zones/${zone.id}/metadata`)
    await page.getByLabel('Kind of PowerDNS').selectOption('NSEC3PARAM')
    await page.getByRole('button', { name: 'Continue', exact: true }).press('Enter')
    await page.getByLabel('Value', { exact: true }).fill('1 0 0 -')
    await page.keyboard.press('Enter')
    await page.getByText('NSEC3PARAM saved').waitFor()
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('the manager of a classless reverse zone enables DNSSEC, and adds, activates, deactivates and deletes keys', async ({
    client,
    assert,
  }) => {
    const manager = await person({ template: 'Zone Manager' })
    const [a, b] = [Math.random(), Math.random()].map((one) => Math.floor(one * 250) + 1)
    const ownZone = await plainZone(client, manager, { name: `64/26.${b}.${a}.10.in-addr.arpa` })
    const visitor = await Visitor.openWindow({ base: server.url })
    const { page } = visitor
    await visitor.signIn(manager)
    await page.goto(`/zones/${ownZone.id}/dnssec`)
    await page.getByRole('button', { name: 'Enable DNSSEC' }).click()
    await page.getByText('signs the zone with the active keys').waitFor()
    for (const [role, key] of [
      ['ksk', 'ecdsa256 256'],
      ['zsk', 'rsasha256 2048'],
    ]) {
      await page.getByRole('link', { name: 'Add key' }).click()
      await page.getByLabel('Role').selectOption(role)
      await page.getByLabel('Algorithm').selectOption(key)
      await page.getByRole('button', { name: 'Add key' }).click()
      await page.getByText('Key added').waitFor()
    }
    const inactive = page.getByRole('button', { name: 'Activate key' })
    assert.equal(await inactive.count(), 2)
    const name = await inactive.first().getAttribute('aria-label')
    const tag = /\d+/.exec(name ?? '')?.[0] ?? ''
    await inactive.first().click()
    await page.getByText('Key activated').waitFor()
    for (const [link, button, expectedText] of [
      ['Deactivate', 'Deactivate', 'Key deactivated'],
      ['Delete', 'Delete', 'Key deleted'],
    ]) {
      await page.getByRole('link', { name: `${link} key ${tag}`, exact: true }).click()
      await visitor.inspect(assert)
      const sure = page.getByLabel('names of the zone may stop resolving')
      if ((await sure.count()) > 0) await sure.check()
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByText(expectedText).waitFor()
    }
    assert.equal(await page.getByText(tag, { exact: true }).count(), 0)
    await visitor.leave()
  })

  test('an unreachable name server is reported and not shown as an unsigned zone', async ({
    assert,
    cleanup,
  }) => {
    // No server listens on this port.
    const silent = await SigningServer.start({}, 'http://127.0.0.1:9')
    cleanup(() => silent.stop())
    for (const [name, appearance] of Object.entries(TWO_APPEARANCES)) {
      const visitor = await Visitor.openWindow({ ...appearance, base: silent.url })
      await visitor.signIn(admin)
      const visits: [file: string, path: string][] = [
        ['silent-dnssec', `/zones/${zone.id}/dnssec`],
        ['silent-unsign', `/zones/${zone.id}/dnssec/unsign`],
        ['silent-server', '/server'],
        ['silent-home', '/'],
      ]
      await inspectPages(visitor, assert, visits, name)
      await visitor.page.goto(`/zones/${zone.id}/dnssec`)
      assert.equal(await visitor.page.locator('main .notice.warning').count(), 1)
      assert.equal(await visitor.page.getByText('unsigned').count(), 0)
      await visitor.leave()
    }
  })
})
