import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import type { Locator, Page } from 'playwright-core'
import { ace } from '#tests/support/app/commands'
import { OtherServer } from '#tests/support/app/server'
import { Visitor } from '#tests/support/browser/browser'
import { eventually } from '#tests/support/eventually'
import { PowerDns } from '#tests/support/powerdns'

const ROOT = { username: 'root', password: 'Correct-horse-7-battery' }
const ANN = { username: 'ann', password: 'Right-zebra-8-charger' }
const BOB = { username: 'bob', password: 'Brave-otter-9-cable' }
const ZONE = 'example.org'

let dns: PowerDns
let server: OtherServer

/** Starts an unused installation with a name server that signs. */
async function install(): Promise<void> {
  dns = await PowerDns.start({ api: true, ownDatabase: true })
  const variables = {
    DB_CONNECTION: 'sqlite',
    DB_FILE: dns.databaseFile,
    DNS_BACKEND: 'sql',
    PDNS_API_URL: new URL(dns.apiUrl!).origin,
    PDNS_API_KEY: dns.apiKey,
    DNSSEC_ENABLED: 'true',
    API_ENABLED: 'true',
    APPROVAL_ENABLED: 'true',
    DNS_DEFAULT_NS: 'ns1.example.net,ns2.example.net',
  }
  await ace(['setup'], { variables })
  server = await OtherServer.start(variables)
}

/** Returns the set-up page URL that the server printed. */
async function setUpPage(): Promise<string> {
  let path = ''
  await eventually(() => {
    path = /\/setup#token=[\w-]+/.exec(server.log())?.[0] ?? ''
    if (path === '') throw new Error(`No token in ${server.log()}`)
  })
  return path
}

/** Opens a page from the navigation. */
function openPage(page: Page, name: string): Promise<void> {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
}

/** Opens a tab. */
function openTab(page: Page, name: string): Promise<void> {
  return page.locator('.tabs').getByRole('link', { name, exact: true }).click()
}

/** Checks a page and takes a screenshot. */
async function inspect(visitor: Visitor, assert: Assert, name: string): Promise<void> {
  await visitor.picture(`path-${name}`)
  await visitor.inspect(assert)
}

/** First start: creates the administrator and a signed zone with records. */
async function begin(assert: Assert): Promise<Visitor> {
  const visitor = await Visitor.openWindow({ base: server.url, height: 760 })
  const { page } = visitor
  await page.goto(await setUpPage())
  await page.getByLabel('User name').fill(ROOT.username)
  await page.getByLabel('Password', { exact: true }).fill(ROOT.password)
  await page.getByLabel('Repeat password').fill(ROOT.password)
  await page.getByLabel('Create two sample zones').uncheck()
  await inspect(visitor, assert, '1-first-run')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByText('You are the first administrator').waitFor()

  await openPage(page, 'Zones')
  await page.getByRole('link', { name: 'Create zone' }).first().click()
  await page.getByLabel('Names or networks').fill(ZONE)
  await inspect(visitor, assert, '2-new-zone')
  await page.getByRole('button', { name: 'Create zone' }).click()
  await page.getByText(`Zone ${ZONE} created`).waitFor()
  // Before the scripts have loaded, the link opens the form without scripts.
  await page.waitForLoadState()
  await page.getByRole('link', { name: 'Add record' }).click()
  await page.getByLabel('Name', { exact: true }).fill('www')
  await page.getByLabel('Content', { exact: true }).fill('192.0.2.1')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 record set changed').waitFor()

  await openTab(page, 'DNSSEC')
  await page.getByRole('button', { name: 'Enable DNSSEC' }).click()
  await page.getByText('signs the zone with the active keys').waitFor()
  await inspect(visitor, assert, '3-signed')
  return visitor
}

/** Adds two zone owners: an editor of records, and a user who may only request changes. */
async function delegate({ page }: Visitor): Promise<void> {
  await openPage(page, 'People')
  await openTab(page, 'Permission templates')
  await page.getByRole('link', { name: 'Create template' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Asks for changes')
  for (const scale of ['View zones and their records', 'Submit change requests']) {
    await page
      .getByRole('radiogroup', { name: scale, exact: true })
      .getByRole('radio', { name: 'own zones' })
      .check()
  }
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByText('Template created').waitFor()
  await createUser(page, ANN, 'Asks for changes')
  await createUser(page, BOB, 'Editor')

  await openPage(page, 'Zones')
  await page.getByRole('link', { name: ZONE }).click()
  await openTab(page, 'Settings')
  const owners = page.getByRole('region', { name: 'Owners' })
  for (const { username } of [ANN, BOB]) {
    await owners.getByLabel('Add user as owner').fill(username)
    await owners.getByRole('button', { name: 'Add' }).first().click()
    await owners.getByRole('button', { name: `Remove owner ${username}` }).waitFor()
  }
}

async function createUser(page: Page, who: typeof ANN, template: string): Promise<void> {
  await openPage(page, 'People')
  await page.getByRole('link', { name: 'Create user' }).click()
  await page.getByLabel('User name').fill(who.username)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByLabel('Permission template').selectOption({ label: template })
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('User created').waitFor()
}

/** Changes the address of www and opens the review. */
async function readdress({ page }: Visitor, address: string): Promise<Locator> {
  await openPage(page, 'Zones')
  await page.getByRole('link', { name: ZONE }).click()
  await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
  await page.getByLabel('Content', { exact: true }).fill(address)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  return page.getByRole('dialog')
}

/** The editor changes a record. Other actions on the zone are denied. */
async function edit(assert: Assert): Promise<void> {
  const bob = await Visitor.openWindow({ base: server.url, height: 760 })
  await bob.signIn(BOB)
  const dialog = await readdress(bob, '192.0.2.70')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await bob.page.getByText('1 record set changed').waitFor()
  await bob.inspect(assert)
  const { answers } = await dns.query(`www.${ZONE}`, 'A')
  assert.include(JSON.stringify(answers), '192.0.2.70')
  await openTab(bob.page, 'Settings')
  assert.equal(await bob.page.getByRole('link', { name: 'Delete zone…' }).count(), 0)
  await bob.leave()
}

/** The requester submits a change, which the administrator reviews and applies. */
async function review(assert: Assert, admin: Visitor): Promise<void> {
  const ann = await Visitor.openWindow({ base: server.url, height: 760 })
  await ann.signIn(ANN)
  const { page } = ann
  const dialog = await readdress(ann, '192.0.2.80')
  await dialog.getByLabel('Reason').fill('The web server moved')
  await dialog.getByRole('button', { name: 'Request review' }).click()
  await page.getByText('Change request 1').first().waitFor()
  await ann.inspect(assert)
  await ann.leave()

  await openPage(admin.page, 'Requests')
  await admin.page.getByRole('link', { name: '#1' }).first().click()
  await admin.page.getByText('The web server moved').waitFor()
  await inspect(admin, assert, '4-request')
  await admin.page.getByRole('button', { name: 'Approve and apply' }).click()
  await admin.page.getByText('approved and applied').waitFor()
  const { answers } = await dns.query(`www.${ZONE}`, 'A', { dnssec: true })
  assert.include(JSON.stringify(answers), '192.0.2.80')
  assert.include(JSON.stringify(answers), 'RRSIG')
}

/** Creates an API key for an ACME client, which may only write challenges. */
async function acmeKey(assert: Assert, visitor: Visitor): Promise<void> {
  const { page } = visitor
  await page.getByText(ROOT.username).first().click()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('link', { name: 'Create API key' }).first().click()
  await page.getByRole('radio', { name: 'ACME' }).check()
  await page.getByLabel('Zones, or hosts').fill(ZONE)
  await page.getByRole('button', { name: 'Apply preset' }).click()
  await page.getByText('Filled in for ACME').waitFor()
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = await page.locator('#secret').inputValue()
  await inspect(visitor, assert, '5-key')

  const found = await ask(secret, 'GET', `/zones?name=${ZONE}`)
  const path = `/zones/${found.data.zones[0].id}/records`
  const challenge = { name: '_acme-challenge.www', type: 'TXT', content: '"proof"', ttl: 60 }
  const proof = await ask(secret, 'POST', path, challenge)
  assert.equal(proof.status, 201)
  const other = await ask(secret, 'POST', path, { ...challenge, name: 'www' })
  assert.equal(other.status, 403)
  const { answers } = await dns.query(`_acme-challenge.www.${ZONE}`, 'TXT')
  assert.include(JSON.stringify(answers), 'proof')
}

async function ask(key: string, method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/api/v2${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { data } = (await response.json()) as { data: { zones: { id: number }[] } }
  return { status: response.status, data }
}

test.group('First steps of an administrator', (group) => {
  group.setup(async () => {
    await install()
    return async () => {
      await server.stop()
      await dns.stop()
    }
  })

  test('a new administrator sets up a signed zone, a delegated editor, a reviewed change and an ACME key', async ({
    assert,
  }) => {
    const visitor = await begin(assert)
    await delegate(visitor)
    await edit(assert)
    await review(assert, visitor)
    await acmeKey(assert, visitor)
    await visitor.leave()
  }).timeout(120_000)
})
