import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { signedIn, unescaped, type Page, type WebClient } from '#tests/support/web/client'

const FROM = { from: '/account/password' }

let admin: Person
let as: Caller
let client: WebClient

/** Asserts that the list links of a page that answers a form lead to existing pages. */
async function leadsOn(assert: Assert, { html }: Page, next: string): Promise<void> {
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => unescaped(href))
  const links = hrefs.filter((href) => /[?&](page|after|sort)=/.test(href))
  assert.include(links, next)
  for (const link of links) assert.equal(await client.statusOf(link), 200, link)
}

test.group('Lists on pages that answer a form', (group) => {
  group.setup(async () => {
    admin = await administrator()
    await db.table('zw_preferences').insert({ user_id: admin.id, rows_per_page: 1 })
    client = await signedIn(admin)
  })
  group.each.setup((t) => {
    as = caller(t.context.client, admin)
  })

  test('links of records and zones of a template lead to existing pages', async ({ assert }) => {
    const template = await createZoneTemplate(as)
    const www = await addTemplateRecord(as, template, 'www', 'A', '192.0.2.1')
    for (const name of [zoneNamed(), zoneNamed()]) await createZone(as, { name, template })
    const path = `/zone-templates/${template}`
    const response = await client.post(`${path}/records/${www}/delete`, { tag: 'old' }, FROM)
    assert.equal(response.status, 412)
    await leadsOn(assert, response, `${path}?page=2`)
    for (const form of ['sync', 'unlink']) {
      const page = await client.post(`${path}/${form}`, {}, FROM)
      assert.equal(page.status, 422)
      await leadsOn(assert, page, `${path}/zones?page=2`)
    }
  })

  test('links of deliveries of a webhook lead to existing pages', async ({ assert }) => {
    const hook = { name: unique('hook'), url: 'https://hooks.example.net/x', types: '' }
    await client.post('/webhooks/new', hook, FROM)
    const { id } = await db.from('zw_webhooks').where('name', hook.name).firstOrFail()
    const delivery = { webhook_id: id, type: 'zone.changed', zone_id: 0, body: '{}' }
    const now = new Date().toISOString()
    const state = { state: 'given_up', attempts: 1, next_at: now, created_at: now, ended_at: now }
    for (const position of [1, 2]) {
      await db.table('zw_webhook_deliveries').insert({ ...delivery, ...state, position })
    }
    const page = await client.post(`/webhooks/${id}/test`, {}, FROM)
    assert.equal(page.status, 409)
    await leadsOn(assert, page, `/webhooks/${id}?page=2`)
    await client.post(`/webhooks/${id}/delete`, {}, FROM)
  })

  test('links of the trash lead to existing pages', async ({ assert }) => {
    const names = [zoneNamed(), zoneNamed()]
    for (const name of names) {
      const { id } = await createZone(as, { name })
      await as.delete(`/zones/${id}`)
    }
    const { id } = await db.from('zw_trash').where('zone_name', names[0]).firstOrFail()
    const page = await client.post(`/trash/${id}/discard`, { name: 'other' }, FROM)
    assert.equal(page.status, 422)
    await leadsOn(assert, page, '/trash?page=2')
    // The page of a form response must not reload itself.
    assert.notInclude(page.html, 'data-live')
  })

  test('links of a consistency check lead to existing pages, also after the first', async ({
    assert,
    cleanup,
  }) => {
    const path = '/server/consistency/strays'
    const name = zoneNamed('strays')
    const row = { name, type: 'TXT', content: '"x"', ttl: 60, domain_id: null }
    // One row more than a check reads.
    const rows = Array.from({ length: 167 }, () => ({ ...row, disabled: false, auth: true }))
    for (let times = 0; times < 3; times++) await db.table('records').multiInsert(rows)
    cleanup(async () => {
      await db.from('records').where('name', name).delete()
    })
    const created = await db.from('records').where('name', name).orderBy('id').select('id')
    const ids = created.map(({ id }) => Number(id))
    const after = `?after=${ids[0] - 1}`
    const { html } = await client.get(`${path}${after}`)
    assert.include(html, `action="${path}/plan${after}"`)
    const page = await client.post(`${path}/plan${after}`, {}, FROM)
    assert.equal(page.status, 422)
    assert.include(page.html, `value="${ids[0]}"`)
    await leadsOn(assert, page, `${path}?after=${ids[499]}`)
  }).tags(['@sql'])
})
