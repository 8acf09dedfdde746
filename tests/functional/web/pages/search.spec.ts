import { readdirSync, readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { signedIn, unescaped, WebClient } from '#tests/support/web/client'
import { alsoKey, type PaletteGroup as OfferGroup } from '#web/palette/palette'

const LANGUAGE = new URL('../../../../resources/lang/en/', import.meta.url)

let admin: Person
let as: Caller
let word: string
let zone: { id: number; name: string }
let other: { id: number; name: string }

/** Returns the suggestions of the command palette by group name. */
async function offers(client: WebClient, query: string): Promise<Map<string, OfferGroup['items']>> {
  const page = await client.get(`/palette?${query}`, { accept: 'application/json' })
  const { groups } = JSON.parse(page.html) as { groups: OfferGroup[] }
  return new Map(groups.map(({ label, items }) => [label, items]))
}

test.group('Search in the web interface', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 12).toLowerCase()
    zone = await createZone(as, { name: `${word}.test` })
    other = await createZone(as, { name: `other-${word}.test` })
    await createRecord(as, zone, { name: 'mail', type: 'A', content: '192.0.2.7' })
    await createRecord(as, other, {
      name: 'about',
      type: 'TXT',
      content: `"see ${word} <b>here</b>"`,
    })
  })

  test('results are grouped by match, each with a link to the record', async ({ assert }) => {
    const client = await signedIn(admin)
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

  test('an invalid search shows an error, and an empty search is a page', async ({ assert }) => {
    const client = await signedIn(admin)
    assert.equal(await client.statusOf('/search'), 200)
    const page = await client.get(`/search?q=${encodeURIComponent('ttl<soon "<script>')}`)
    assert.equal(page.status, 422)
    assert.notInclude(page.html, '"<script>')
    assert.notInclude(page.html, 'Query parameter')
  })

  test('hidden objects are not found', async ({ assert }) => {
    const client = await signedIn(await owner(other, ['zone_content_view_own']))
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

  test('the palette offers zones, records, users, pages and sections of the zone', async ({
    assert,
  }) => {
    const client = await signedIn(admin)
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

  test('scripts without a session get an error instead of a redirect', async ({ assert }) => {
    const client = new WebClient()
    const page = await client.get('/palette?q=x', { accept: 'application/json' })
    assert.equal(page.status, 401)
    const sent = await client.get('/search')
    assert.equal(sent.location, '/login')
  })

  test('the palette finds permitted actions by name or synonym', async ({ assert }) => {
    const client = await signedIn(admin)
    const addresses = async (by: WebClient, q: string, more = '') => {
      const found = await offers(by, `q=${encodeURIComponent(q)}${more}`)
      return [...found.values()].flat().map(({ href }) => href)
    }
    const wanted = {
      'api': '/settings/api-keys',
      'new key': '/settings/api-keys/new',
      'new user': '/users/new',
      'new group': '/groups/new',
      'new token': '/dyndns/tokens/new',
      'new webhook': '/webhooks/new',
      'new zone': '/zones/new',
      'new permission': '/permission-templates/new',
      'password': '/account/password',
      '2fa': '/account/second-factor',
      'end': '/account/sessions',
      'sign out': '/logout',
      'dark': '/account/preferences',
    }
    for (const [q, href] of Object.entries(wanted)) {
      assert.include(await addresses(client, q), href, q)
    }
    const deeds = {
      clone: 'clone',
      delete: 'delete',
      export: 'export',
      restore: 'at',
      sign: 'dnssec',
    }
    for (const [q, part] of Object.entries(deeds)) {
      const found = await addresses(client, q, `&zone=${zone.id}`)
      assert.include(found, `/zones/${zone.id}/${part}`, q)
    }
    const guest = await signedIn(await person({}))
    for (const q of ['new user', 'new webhook', 'new group']) {
      assert.isEmpty(await addresses(guest, q), q)
    }
    assert.include(await addresses(guest, 'sign out'), '/logout')
    // Every suggested page exists.
    for (const href of await addresses(client, '')) {
      assert.equal(await client.statusOf(href), 200, href)
    }
  })

  test('synonyms refer to existing entries in every language', async ({ assert }) => {
    const hrefs = new Set(
      [...readdirSync(LANGUAGE)].flatMap((file) =>
        Object.keys(JSON.parse(readFileSync(new URL(file, LANGUAGE), 'utf8')) as object).map(
          (key) => alsoKey(`${file.replace('.json', '')}.${key}`).slice('palette.'.length)
        )
      )
    )
    const texts = JSON.parse(readFileSync(new URL('palette.json', LANGUAGE), 'utf8')) as object
    const also = Object.keys(texts).filter((key) => key.startsWith('also_'))
    assert.isNotEmpty(also)
    assert.isEmpty(also.filter((key) => !hrefs.has(key)))
  })
})
