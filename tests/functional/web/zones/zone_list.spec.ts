import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { owner, withReview } from '#tests/support/app/review'
import { statementsOf } from '#tests/support/app/database/statements'
import { signedIn, type WebClient, type Page } from '#tests/support/web/client'
import { fieldOf } from '#tests/support/web/review'

let admin: Person
let as: Caller
let client: WebClient
let word: string

/** Creates a zone of this test. */
function zone(label: string, more: Record<string, unknown> = {}) {
  return createZone(as, { name: `${label}.${word}.test`, ...more })
}

/** Returns the zone ids of a list in order. */
const idsOn = ({ html }: Page) =>
  [...html.matchAll(/class="row-link" href="\/zones\/(\d+)"/g)].map(([, id]) => Number(id))

const exists = async (id: number) =>
  (await db.from('zw_zones').where('id', id).whereNotNull('kind').first()) !== null

const owners = async (id: number): Promise<number[]> => {
  const rows: { user_id: number }[] = await db
    .from('zw_zone_owners')
    .where('zone_id', id)
    .orderBy('user_id')
  return rows.map((row) => row.user_id)
}

test.group('The list of zones in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    client = await signedIn(admin)
  })

  test('branches of the name tree are separate', async ({ assert }) => {
    const forward = await zone('a')
    const reverse = await createZone(as, { name: `1.${word}.in-addr.arpa` })
    const reverse6 = await createZone(as, { name: `1.${word}.ip6.arpa` })
    const list = async (tree: string) => idsOn(await client.get(`/zones?q=${word}&tree=${tree}`))
    assert.sameMembers(await list(''), [forward.id, reverse.id, reverse6.id])
    assert.deepEqual(await list('forward'), [forward.id])
    assert.deepEqual(await list('ipv4'), [reverse.id])
    assert.deepEqual(await list('ipv6'), [reverse6.id])
    assert.equal(await client.statusOf(`/zones?tree=sideways`), 400)
  })

  test('rows show the state of a zone as far as the user may see it', async ({ assert }) => {
    const created = await zone('a', { type: 'NATIVE' })
    await createRecord(as, created, { name: 'www', type: 'A', content: '192.0.2.1' })
    const page = await client.get(
      `/zones?q=${word}&columns=type,records,serial,changed,owners,dnssec,id`
    )
    for (const text of ['Native', admin.username, 'unsigned', '<time', `${created.id}`]) {
      assert.include(page.html, text)
    }
    assert.match(page.html, /data-label="Records">2</)
    assert.match(page.html, /data-label="Serial">\d{10}</)
    const viewer = await signedIn(await owner(created, ['zone_content_view_own']))
    const { html } = await viewer.get(`/zones?q=${word}`)
    assert.include(html, `a.${word}.test`)
    assert.notInclude(html, admin.username)
    assert.notInclude(html, 'name="ids[]"')
    const few = await client.get(`/zones?q=${word}&columns=none`)
    assert.notInclude(few.html, 'data-label="Serial"')
  })

  test('a page takes as many statements for many zones as for one', async ({ assert }) => {
    await zone('a')
    await client.get(`/zones?q=${word}`)
    const one = await statementsOf(() => client.get(`/zones?q=${word}`))
    for (let index = 0; index < 12; index++) await zone(`b${index}`)
    const many = await statementsOf(() => client.get(`/zones?q=${word}`))
    assert.isAtMost(many.length, one.length + 2)
  })

  test('international names are found by their Unicode form', async ({ assert }) => {
    const created = await createZone(as, { name: `${word}-münchen.test` })
    for (const text of [`${word}-münchen`, `${word}-MÜNCHEN.`, `${word}-münchen.te`]) {
      const q = encodeURIComponent(text)
      const page = await client.get(`/zones?q=${q}`)
      assert.deepEqual(idsOn(page), [created.id], text)
      const suggested = await client.get(`/names?of=zones&q=${q}`)
      const { names } = JSON.parse(suggested.html) as { names: unknown[] }
      assert.lengthOf(names, 1, text)
    }
    assert.deepEqual(idsOn(await client.get(`/zones?q=${encodeURIComponent(`${word}%ü`)}`)), [])
  })

  test('the search syntax finds zones by their contents', async ({ assert }) => {
    const [one, other] = [await zone('a'), await zone('b')]
    await createRecord(as, one, {
      name: 'mail',
      type: 'MX',
      content: `${word}.example.net`,
      priority: 1,
    })
    await createRecord(as, other, { name: 'www', type: 'TXT', content: `"${word} here"` })
    const found = async (q: string, visitor = client) => {
      const page = await visitor.get(`/zones?q=${encodeURIComponent(q)}`)
      return idsOn(page)
    }
    assert.deepEqual(await found(`type:MX content:${word}`), [one.id])
    assert.deepEqual(await found(`type:TXT ${word}`), [other.id])
    assert.sameMembers(await found(word), [one.id, other.id])
    const reverse = await createZone(as, { name: `1.${word}.in-addr.arpa` })
    assert.sameMembers(await found(`zone:${reverse.name} type:SOA`), [reverse.id])
    const query = encodeURIComponent(`name:*${word}* type:SOA`)
    assert.deepEqual(idsOn(await client.get(`/zones?tree=ipv4&q=${query}`)), [reverse.id])
    const page = await client.get(`/zones?q=${encodeURIComponent(`type:MX content:${word}`)}`)
    assert.include(page.html, `${word}.example.net`)
    const stranger = await signedIn(await person({ permissions: ['zone_content_view_own'] }))
    assert.deepEqual(await found(`content:${word}`, stranger), [])
    for (const q of ['ttl<soon', '-only:negative', 'type:', '-type:MX', '"open']) {
      const errorPage = await client.get(`/zones?q=${encodeURIComponent(q)}`)
      assert.equal(errorPage.status, 422, q)
      assert.include(errorPage.html, 'role="alert"')
    }
  })

  test('saved views belong to one user, and only contain list parameters', async ({ assert }) => {
    const query = `q=${word}&sort=name%3Adesc&page=7&_csrf=x&tree=forward`
    const response = await client.post(
      '/zones/views',
      { name: `<b>${word}`, query },
      { from: '/zones' }
    )
    assert.deepEqual(
      [response.status, response.location],
      [303, `/zones?q=${word}&tree=forward&sort=name%3Adesc`]
    )
    const page = await client.get('/zones')
    assert.include(page.html, `&lt;b&gt;${word}`)
    assert.notInclude(page.html, `<b>${word}`)
    const row = await db.from('zw_saved_views').where('name', `<b>${word}`).firstOrFail()
    const otherVisitor = await signedIn(await administrator())
    const { html } = await otherVisitor.get('/zones')
    assert.notInclude(html, `&lt;b&gt;${word}`)
    const stolen = await otherVisitor.post(`/zones/views/${row.id}/delete`, {}, { from: '/zones' })
    assert.equal(stolen.status, 404)
    for (const name of ['', ' ', 'x'.repeat(65), 'a\u0000b']) {
      await client.post('/zones/views', { name, query: '' }, { from: '/zones' })
    }
    assert.lengthOf(await db.from('zw_saved_views').where('user_id', admin.id), 1)
    await client.post('/zones/views', { name: `<b>${word}`, query: 'q=else' }, { from: '/zones' })
    await client.post(`/zones/views/${row.id}/delete`, {}, { from: '/zones' })
    assert.lengthOf(await db.from('zw_saved_views').where('user_id', admin.id), 0)
  })
})

test.group('Bulk actions on zones in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    client = await signedIn(admin)
  })

  const plan = (fields: Record<string, string | string[]>, visitor = client) =>
    visitor.post('/zones/bulk', fields, { from: '/zones' })
  const apply = (page: Page, more: Record<string, string> = {}, visitor = client) => {
    const names = [
      'action',
      'items',
      'once',
      'run',
      'owner_kind',
      'owner',
      'owner_group',
      'keeps_others',
      'template',
      'local_changes',
    ]
    const fields = names.flatMap((name) =>
      page.html.includes(`name="${name}"`) ? [[name, fieldOf(page, name)]] : []
    )
    return visitor.post(
      '/zones/bulk/apply',
      { ...Object.fromEntries(fields), ...more },
      { from: '/zones' }
    )
  }

  test('zones are deleted as planned, and only permitted ones', async ({ assert }) => {
    const [mine, foreign, other] = [await zone('a'), await zone('b'), await zone('c')]
    const user = await owner(mine, ['zone_content_view_own', 'zone_delete_own'])
    await db
      .table('zw_zone_owners')
      .insert({ zone_id: other.id, user_id: user.id, created_at: '2026-01-01' })
    const reader = await createTeam(['zone_content_view_own'])
    await db
      .table('zw_zone_groups')
      .insert({ zone_id: foreign.id, group_id: reader.id, created_at: '2026-01-01' })
    await db
      .table('zw_group_members')
      .insert({ group_id: reader.id, user_id: user.id, joined_at: '2026-01-01' })
    const visitor = await signedIn(user)
    const ids = [mine, foreign, other].map(({ id }) => String(id))
    const page = await plan(
      { 'action': 'delete', 'ids[]': ids.slice(0, 2), 'more': `${ids[2]},999999999` },
      visitor
    )
    assert.equal(page.status, 200)
    assert.include(page.html, '1 refused')
    assert.include(page.html, 'You do not have permission to delete this zone')
    assert.include(page.html, '1 zone was deleted or is not accessible to you')
    assert.isTrue(await exists(mine.id))
    await createRecord(as, other, { name: 'new', type: 'A', content: '192.0.2.1' })
    const resultPage = await apply(page, { reason: 'tidy' }, visitor)
    assert.include(resultPage.html, '1 done')
    assert.include(resultPage.html, 'The zone was changed in the meantime')
    assert.deepEqual(
      [await exists(mine.id), await exists(foreign.id), await exists(other.id)],
      [false, true, true]
    )
    const entry = await db
      .from('zw_journal')
      .where('zone_id', mine.id)
      .orderBy('id', 'desc')
      .firstOrFail()
    assert.deepEqual([entry.channel, entry.reason, entry.username], ['web', 'tidy', user.username])
    // An apply without a plan is refused as well.
    const token = fieldOf(page, 'items').split(':')[1].split(',')[0]
    const forgedPage = await visitor.post(
      '/zones/bulk/apply',
      { action: 'delete', items: `${foreign.id}:${token}` },
      { from: '/zones' }
    )
    assert.include(forgedPage.html, '1 failed')
    assert.isTrue(await exists(foreign.id))
  })

  test('changes that require review create requests', async ({ assert, cleanup }) => {
    const created = await zone('a')
    const user = await owner(created, ['zone_content_view_own', 'zone_delete_own'])
    cleanup(withReview({ require_review_for_all: true })())
    const visitor = await signedIn(user)
    const page = await plan({ 'action': 'delete', 'ids[]': String(created.id) }, visitor)
    assert.include(page.html, '1 requires review')
    const resultPage = await apply(page, {}, visitor)
    assert.match(resultPage.html, /Change request (?:<[^>]*>)*\d+(?:<[^>]*>)* submitted/)
    assert.isTrue(await exists(created.id))
  })

  test('all matching zones are selected, and processed in steps', async ({ assert }) => {
    for (let index = 0; index < 28; index++) await zone(`n${index}`)
    const stays = await createZone(as, { name: `stays.${word}.in-addr.arpa` })
    const page = await plan({ action: 'delete', all: '1', q: word, tree: 'forward' })
    assert.include(page.html, '28 zones change')
    const unconfirmedPage = await apply(page)
    assert.equal(unconfirmedPage.status, 422)
    assert.lengthOf(
      await db.from('zw_zones').where('name', 'like', `n%.${word}.test`).whereNotNull('kind'),
      28
    )
    let step = await apply(unconfirmedPage, { confirm: '28' })
    assert.match(step.html, /(\d|1\d|2[0-5]) of 28 zones/)
    for (let left = 28; left > 0 && step.html.includes('data-bulk-rest'); left--) {
      step = await apply(step)
    }
    assert.include(step.html, '28 of 28 zones · 28 done')
    assert.isTrue(await exists(stays.id))
  })

  test('a new owner replaces the others or is added', async ({ assert }) => {
    const created = await zone('a')
    const newOwner = await person()
    const ids = { 'ids[]': String(created.id), 'action': 'owner' }
    const planPage = await plan(ids)
    assert.include(planPage.html, 'name="owner"')
    for (const wrong of ['', 'nobody-of-that-name', "x' or 1=1"]) {
      const refused = await plan({ ...ids, owner_kind: 'user', owner: wrong })
      assert.equal(refused.status, 422)
      assert.include(refused.html, 'There is no user named')
    }
    const joins = await plan({
      ...ids,
      owner_kind: 'user',
      owner: newOwner.username,
      keeps_others: 'yes',
    })
    await apply(joins)
    assert.sameMembers(await owners(created.id), [admin.id, newOwner.id])
    const singlePage = await plan({ ...ids, owner_kind: 'user', owner: newOwner.username })
    const resultPage = await apply(singlePage, { reason: 'moved on' })
    assert.include(resultPage.html, '1 done')
    assert.deepEqual(await owners(created.id), [newOwner.id])
    const events = await db
      .from('zw_audit')
      .where({ action: 'zone.owner_removed', object_id: created.id })
      .orderBy('id', 'desc')
      .firstOrFail()
    assert.deepEqual(JSON.parse(events.detail), { user_id: admin.id, reason: 'moved on' })
    const secondPage = await plan({ ...ids, owner_kind: 'user', owner: newOwner.username })
    assert.include(secondPage.html, 'No changes')
    const { id } = await createTeam(['zone_content_view_own'])
    const shared = await plan({ ...ids, owner_kind: 'group', owner_group: String(id) })
    await apply(shared)
    assert.deepEqual(await owners(created.id), [])
    assert.lengthOf(await db.from('zw_zone_groups').where({ zone_id: created.id, group_id: id }), 1)
    const returnPage = await plan({ ...ids, owner_kind: 'user', owner: newOwner.username })
    assert.include(returnPage.html, 'Groups stay.')
    await apply(returnPage)
    assert.deepEqual(await owners(created.id), [newOwner.id])
    assert.lengthOf(await db.from('zw_zone_groups').where({ zone_id: created.id, group_id: id }), 1)
  })

  test('nobody transfers more rights than they hold', async ({ assert }) => {
    const created = await zone('a')
    const user = await owner(created, ['zone_content_view_own', 'zone_meta_edit_own'])
    const strong = await person({ permissions: ['zone_content_edit_own', 'zone_content_view_own'] })
    const visitor = await signedIn(user)
    const fields = {
      'action': 'owner',
      'ids[]': String(created.id),
      'owner_kind': 'user',
      'owner': strong.username,
    }
    const page = await plan(fields, visitor)
    assert.include(page.html, '1 refused')
    const before = await owners(created.id)
    const forced = await visitor.post(
      '/zones/bulk/apply',
      { ...fields, items: `${created.id}:-` },
      { from: '/zones' }
    )
    assert.include(forced.html, '1 failed')
    const { id } = await createTeam(['zone_content_view_own'])
    const toGroup = { ...fields, owner_kind: 'group', owner_group: String(id) }
    const grouped = await plan(toGroup, visitor)
    assert.equal(grouped.status, 403)
    assert.deepEqual(await owners(created.id), before)
  })

  test('a template is applied as planned', async ({ assert }) => {
    const [one, other] = [await zone('a'), await zone('b')]
    const template = await as.post('/zone-templates', {
      name: `<i>${word}`,
      description: '',
    })
    assert.equal(template.status(), 201, JSON.stringify(template.body()))
    const id = String(template.body().data.id)
    const text = { name: '[ZONE]', type: 'TXT', content: `"from ${word}"`, ttl: 300 }
    const added = await as.post(`/zone-templates/${id}/records`, text)
    assert.equal(added.status(), 201, JSON.stringify(added.body()))
    const ids = [one, other].map((created) => String(created.id))
    const planPage = await plan({ 'action': 'template', 'ids[]': ids })
    assert.include(planPage.html, `&lt;i&gt;${word}`)
    const page = await plan({ 'action': 'template', 'ids[]': ids, 'template': id })
    assert.include(page.html, '2 zones change')
    assert.include(page.html, `from ${word}`)
    await createRecord(as, other, { name: '@', type: 'TXT', content: '"other"' })
    const resultPage = await apply(page)
    assert.include(resultPage.html, '1 done')
    assert.include(resultPage.html, 'The zone was changed in the meantime')
    const records = await as.get(`/zones/${one.id}/records?type=TXT`)
    assert.include(JSON.stringify(records.body()), `from ${word}`)
    const missing = await plan({ 'action': 'template', 'ids[]': ids, 'template': '999999' })
    assert.equal(missing.status, 404)
  })

  test('errors are shown and change nothing', async ({ assert }) => {
    const created = await zone('a')
    for (const fields of [
      {},
      { action: 'format' },
      { action: 'delete' },
      { 'action': 'delete', 'ids[]': 'x' },
      { 'action': 'delete', 'ids[]': '-1' },
      { action: 'delete', more: Array.from({ length: 501 }, (_, index) => index + 1).join(',') },
      { action: 'delete', all: '1', q: 'ttl<soon' },
    ] as Record<string, string>[]) {
      const page = await plan(fields)
      assert.isTrue(
        page.status >= 400 && page.status < 500,
        `${JSON.stringify(fields)}: ${page.status}`
      )
    }
    for (const items of [
      '',
      'x',
      `${created.id}`,
      `${created.id}:`,
      `0:x`,
      `${created.id}:${'x'.repeat(300)}`,
    ]) {
      const page = await client.post(
        '/zones/bulk/apply',
        { action: 'delete', items },
        { from: '/zones' }
      )
      assert.equal(page.status, 422, items)
    }
    const token = await client.post(
      '/zones/bulk/apply',
      { action: 'delete', items: `${created.id}:x` },
      { token: 'wrong' }
    )
    assert.notEqual(token.status, 200)
    assert.isTrue(await exists(created.id))
  })
})
