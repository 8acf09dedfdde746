// @slow
import { test } from '@japa/runner'
import { TAG_DESCRIPTIONS as TAGS } from '#openapi/api'
import { baseUrl, caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { Visitor } from '#tests/support/browser/browser'
import { WebClient } from '#tests/support/web/client'
import type { Locator } from 'playwright-core'

test.group('API documentation page in the browser', (group) => {
  group.each.timeout(120_000)
  let server: OtherServer
  group.setup(async () => {
    server = await OtherServer.start({ API_DOCS_ENABLED: 'true' })
    return () => server.stop()
  })

  /** Fills in and sends the form of an operation. Returns status and body of the response. */
  async function execute(operation: Locator, parameters: Record<string, string>, body?: object) {
    for (const [name, value] of Object.entries(parameters)) {
      await operation.locator(`tr[data-param-name="${name}"] input`).fill(value)
    }
    if (body) {
      await operation.locator('textarea.body-param__text').fill(JSON.stringify(body))
    }
    const clear = operation.getByRole('button', { name: 'Clear' })
    if (await clear.isVisible()) {
      await clear.click()
    }
    await operation.getByRole('button', { name: 'Execute' }).click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    const status = await answer.locator('tr.response .response-col_status').first().innerText()
    const text = await answer.locator('.highlight-code').first().innerText()
    return { status: status.trim(), text }
  }

  /** Takes a screenshot of a response, as `Visitor.picture` does of pages. The request would show the key. */
  async function picture(operation: Locator, name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS
    if (folder) {
      await operation.locator('.live-responses-table').screenshot({ path: `${folder}/${name}.png` })
    }
  }

  test('the API page is linked only if it is enabled', async ({ assert }) => {
    const admin = await administrator()
    for (const [base, isOn] of [
      [server.url, true],
      [baseUrl(), false],
    ] as const) {
      const visitor = new WebClient(base)
      await visitor.signIn(admin)
      for (const path of ['/settings', '/account/password']) {
        const { html } = await visitor.get(path)
        assert.equal(html.includes('href="/api/docs"'), isOn, `${base}${path}`)
      }
    }
  })

  test('a user authorises, lists zones, adds a record, and sees why another one is rejected', async ({
    client,
    assert,
    cleanup,
  }) => {
    const admin = await administrator()
    const zone = await createZone(caller(client, admin), { name: zoneNamed('docs') })
    const visitor = await Visitor.openWindow({ height: 1_000 })
    cleanup(() => visitor.leave())
    const { page } = visitor
    // The page renders whole sections at once, which is slow.
    page.setDefaultTimeout(45_000)
    const open = async (tag: string, id: string) => {
      await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
      const operation = page.locator(`#operations-${tag}-${id}`)
      await operation.locator('.opblock-summary-control').click()
      await operation.getByRole('button', { name: 'Execute' }).waitFor()
      return operation
    }

    await page.goto(`${server.url}/api/docs`)
    for (const tag of Object.keys(TAGS)) {
      await page.locator(`.opblock-tag[data-tag="${tag}"]`).waitFor()
    }
    await visitor.picture('api-docs')

    const list = await open('Zones', 'getZones')
    const stranger = await execute(list, { q: zone.name })
    assert.equal(stranger.status, '401')

    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const dialog = page.locator('.modal-ux')
    const byKey = dialog.locator('.auth-container', { hasText: 'X-API-Key' })
    await byKey.locator('input').fill(admin.key)
    await byKey.getByRole('button', { name: 'Apply credentials' }).click()
    await dialog.locator('button.close-modal').click()

    const zones = await execute(list, { q: zone.name })
    assert.equal(zones.status, '200')
    assert.include(zones.text, `"name": "${zone.name}"`)

    const create = await open('Records', 'postZonesIdRecords')
    const record = { name: 'www', type: 'A', content: '192.0.2.10', ttl: 300 }
    const made = await execute(create, { id: String(zone.id) }, record)
    assert.equal(made.status, '201')
    assert.include(made.text, '"content": "192.0.2.10"')
    await picture(create, 'api-docs-record')

    const bad = await execute(
      create,
      { id: String(zone.id) },
      { ...record, content: '192.0.2.300' }
    )
    assert.equal(bad.status, '400')
    assert.include(bad.text, '192.0.2.300')
    await picture(create, 'api-docs-refused')
    assert.deepEqual(visitor.complaints, [])
  })
})
