import { test } from '@japa/runner'
import { caller, makeRecord, makeZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people'
import { owner } from '#tests/support/app/review'
import { inside, unescaped, WebClient } from '#tests/support/web/client'
import type { OfferGroup } from '#web/palette'

let admin: Person
let as: Caller
let word: string
let zone: { id: number; name: string }
let other: { id: number; name: string }

/** What the palette offers somebody, by the names of the groups. */
async function offers(client: WebClient, query: string): Promise<Map<string, OfferGroup['items']>> {
  const page = await client.get(`/palette?${query}`, { accept: 'application/json' })
  const { groups } = JSON.parse(page.html) as { groups: OfferGroup[] }
  return new Map(groups.map(({ label, items }) => [label, items]))
}

test.group('Finding anything in the web interface', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 12).toLowerCase()
    zone = await makeZone(as, { name: `${word}.test` })
    other = await makeZone(as, { name: `other-${word}.test` })
    await makeRecord(as, zone, { name: 'mail', type: 'A', content: '192.0.2.7' })
    await makeRecord(as, other, {
      name: 'about',
      type: 'TXT',
      content: `"see ${word} <b>here</b>"`,
    })
  })

  test('hits come by where they were found, each with its way to the record', async ({
    assert,
  }) => {
    const client = await inside(admin)
    const page = await client.get(`/search?q=${word}`)
    assert.equal(page.status, 200)
    assert.match(page.html, /Zones \(2\)/)
    assert.notInclude(page.html, '<b>here')
    const zones = await client.get(`/search?q=${word}&in=zone`)
    assert.notInclude(zones.html, 'about')
    const found = await client.get(
      `/search?q=${encodeURIComponent(`content:192.0.2.7 zone:${zone.name}`)}`
    )
    const [, href] = /class="row-link wrap-anywhere" href="([^"]+)"/.exec(found.html) ?? []
    const editor = await client.get(unescaped(href))
    assert.include(editor.html, '192.0.2.7')
    const rows = editor.html.match(/<tr data-record/g) ?? []
    assert.lengthOf(rows, 1)
  })

  test('a search that cannot be read is told, and none is a page too', async ({ assert }) => {
    const client = await inside(admin)
    assert.equal(await client.statusOf('/search'), 200)
    const page = await client.get(`/search?q=${encodeURIComponent('ttl<soon "<script>')}`)
    assert.equal(page.status, 422)
    assert.notInclude(page.html, '"<script>')
  })

  test('nobody finds what they may not see', async ({ assert }) => {
    const client = await inside(await owner(other, ['zone_content_view_own']))
    const page = await client.get(`/search?q=${word}`)
    assert.include(page.html, other.name)
    assert.notInclude(page.html, `/zones/${zone.id}"`)
    const found = await offers(client, `q=${word}`)
    assert.deepEqual(
      found.get('Zones')?.map(({ text }) => text),
      [other.name]
    )
    assert.isFalse(found.has('Users'))
    const hidden = await offers(client, `q=&zone=${zone.id}`)
    assert.isFalse(hidden.has('This zone'))
  })

  test('the palette offers zones, records, users, pages and parts of the zone', async ({
    assert,
  }) => {
    const client = await inside(admin)
    const found = await offers(client, `q=${word}`)
    assert.sameMembers(
      found.get('Zones')?.map(({ href }) => href) ?? [],
      [zone, other].map(({ id }) => `/zones/${id}`)
    )
    const records = await offers(client, `q=mail.${word}`)
    assert.match(
      records.get('Records')?.[0].href ?? '',
      new RegExp(`^/zones/${zone.id}\\?name=mail`)
    )
    const somebody = await person({})
    const users = await offers(client, `q=${somebody.username}`)
    assert.deepEqual(
      users.get('Users')?.map(({ text }) => text),
      [somebody.username]
    )
    const empty = await offers(client, `q=&zone=${zone.id}`)
    assert.includeMembers(empty.get('This zone')?.map(({ href }) => href) ?? [], [
      `/zones/${zone.id}/wizards`,
      `/zones/${zone.id}/history`,
    ])
    assert.include(empty.get('Pages')?.map(({ href }) => href) ?? [], '/zones')
    assert.isEmpty([...(await offers(client, `q=${encodeURIComponent('%_"\\*'.repeat(60))}`))])
  })

  test('scripts of nobody are told so, and not sent to a page', async ({ assert }) => {
    const client = new WebClient()
    const page = await client.get('/palette?q=x', { accept: 'application/json' })
    assert.equal(page.status, 401)
    const sent = await client.get('/search')
    assert.equal(sent.location, '/login')
  })
})
