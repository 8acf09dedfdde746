// @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { withReviewSettings, withReview } from '#tests/support/app/review'
import {
  addTemplateRecord,
  createZoneTemplate,
  templateRecordIds,
} from '#tests/support/app/zones/zone_templates'
import { statusOfPage, signedIn, type WebClient } from '#tests/support/web/client'
import { fieldOf, wordsOf } from '#tests/support/web/review'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }
let template: number

/** Requests a sync of the zone with the template on the bulk page. Returns the path of the request. */
async function filed(): Promise<string> {
  const order = { action: 'template', template: String(template), local_changes: 'keep' }
  const from = { from: '/zones' }
  const page = await client.post('/zones/bulk', { ...order, 'ids[]': String(zone.id) }, from)
  await client.post('/zones/bulk/apply', { ...order, items: fieldOf(page, 'items') }, from)
  const row = await db.from('zw_change_requests').orderBy('id', 'desc').first()
  return `/requests/${row.id}`
}

/** Approves a request with the fields of its page. */
async function approve(request: string): Promise<number> {
  const page = await client.get(request)
  const fields = {
    plan_hash: page.hidden('plan_hash'),
    tag: page.hidden('tag'),
  }
  return statusOfPage(client.post(`${request}/approve`, fields, { from: '/account/password' }))
}

/** Syncs the zone with the template without a review. */
async function syncNow(): Promise<void> {
  const body = { zones: [zone.id], link: true }
  await withReviewSettings({ require_review_for_all: false }, async () => {
    await expectStatus(as.post(`/zone-templates/${template}/sync`, body), 200)
  })
}

async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

/** Returns the records that the zone has from the template; null without a link. */
async function given(): Promise<string | null> {
  const row = await db.from('zw_zone_template_links').where('template_id', template).first()
  return row?.given ?? null
}

test.group('Change requests that link a zone to its template', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    template = await createZoneTemplate(as)
    await addTemplateRecord(as, template, 'www', 'A', '192.0.2.5')
    client = await signedIn(admin)
  })
  group.each.setup(withReview({ require_review_for_all: true }))

  test('a request whose link changed is stale and is rebased on the current link', async ({
    assert,
  }) => {
    const request = await filed()
    const ids = await templateRecordIds(as, template)
    await as.delete(`/zone-templates/${template}/records/${ids.get('A 192.0.2.5')}`)
    await addTemplateRecord(as, template, 'ftp', 'A', '192.0.2.6')
    await syncNow()
    const page = await client.get(request)
    assert.include(wordsOf(page), `The link of '${zone.name}' to its zone template was changed`)
    assert.notInclude(page.html, `action="${request}/approve"`)
    assert.equal(await statusOfPage(client.post(`${request}/rebase`, {}, { from: request })), 303)
    assert.equal(await approve(request), 303)
    const [now, records] = [await contents(), (await given()) ?? '']
    for (const address of ['192.0.2.5', '192.0.2.6']) {
      assert.include(now, address)
      assert.include(records, address)
    }
  })

  test('a rebase after the deletion of the template drops the link', async ({ assert }) => {
    const request = await filed()
    await expectStatus(as.delete(`/zone-templates/${template}`), 200)
    assert.include(wordsOf(await client.get(request)), 'no longer exists; update the request')
    await client.post(`${request}/rebase`, {}, { from: request })
    const page = await client.get(request)
    assert.include(wordsOf(page), 'no longer links a zone to a template')
    assert.equal(await approve(request), 303)
    assert.include(await contents(), '192.0.2.5')
    assert.isNull(await given())
  })

  test('an approval does not link a zone that was unlinked since', async ({ assert }) => {
    await syncNow()
    await addTemplateRecord(as, template, 'ftp', 'A', '192.0.2.6')
    const request = await filed()
    await expectStatus(as.post(`/zone-templates/${template}/unlink`, { zones: [zone.id] }), 200)
    assert.equal(await approve(request), 422)
    const refused = await as.post(`/change-requests/${request.slice(10)}/approve`, {})
    refused.assertStatus(409)
    await expectStatus(as.post(`/change-requests/${request.slice(10)}/rebase`, {}), 200)
    assert.equal(await approve(request), 303)
    assert.include(await contents(), '192.0.2.6')
    assert.isNull(await given())
  })

  test('the same applies to renames of zones that were renamed since', async ({ assert }) => {
    const [wanted, meanwhile] = [zoneNamed(), zoneNamed()]
    const rename = async (name: string) => {
      const page = await client.get(`/zones/${zone.id}/settings`)
      const fields = { name, type: 'MASTER', tag: fieldOf(page, 'tag') }
      const from = { from: `/zones/${zone.id}/settings` }
      return statusOfPage(client.post(`/zones/${zone.id}/settings`, fields, from))
    }
    await withReviewSettings({ protected_names: [zone.name] }, async () => {
      assert.equal(await rename(wanted), 303)
    })
    const row = await db.from('zw_change_requests').orderBy('id', 'desc').first()
    const request = `/requests/${row.id}`
    await withReviewSettings({ require_review_for_all: false }, async () => {
      assert.equal(await rename(meanwhile), 303)
    })
    assert.include(wordsOf(await client.get(request)), 'were changed in the meantime')
    await client.post(`${request}/rebase`, {}, { from: request })
    assert.equal(await approve(request), 303)
    const { name } = (await db.from('zw_zones').where('id', zone.id).first()) as { name: string }
    assert.equal(name, wanted)
  }).tags(['@sql'])

  test('a request fails if the zone of a rename was deleted', async ({ assert }) => {
    const at = `/zones/${zone.id}`
    await withReviewSettings({ protected_names: [zone.name] }, async () => {
      const page = await client.get(`${at}/settings`)
      const fields = { name: zoneNamed(), type: 'MASTER', tag: fieldOf(page, 'tag') }
      assert.equal(await statusOfPage(client.post(`${at}/settings`, fields)), 303)
    })
    const row = await db.from('zw_change_requests').orderBy('id', 'desc').first()
    await withReviewSettings({ require_review_for_all: false }, () =>
      expectStatus(as.delete(at), 204)
    )
    const removed = `The zone '${zone.name}' was deleted`
    const shown = wordsOf(await client.get(`/requests/${row.id}`))
    assert.include(shown, 'The zone was deleted, so nothing was applied.')
    const refused = await as.post(`/change-requests/${row.id}/approve`, {})
    refused.assertStatus(409)
    assert.include(refused.body().message, removed)
    const after = await as.get(`/change-requests/${row.id}`)
    assert.equal(after.body().data.change_request.status, 'failed')
  }).tags(['@sql'])
})
