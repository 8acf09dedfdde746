import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { signedIn, type WebClient, type Page } from '#tests/support/web/client'
import { wordsOf } from '#tests/support/web/review'
import { MAX_SHOWN as SHOWN } from '#web/plans/plan_view'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}${rest}`

async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

/** Returns the entries on a page. */
const entriesOn = ({ html }: Page) =>
  [...html.matchAll(/href="\/zones\/\d+\/history\/(\d+)">/g)]
    .map(([, entry]) => Number(entry))
    .filter((entry, at, all) => all.indexOf(entry) === at)

function hashOn(page: Page): string {
  return /name="plan_hash" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
}

const A = (name: string, content: string) => ({ name, type: 'A', content })

test.group('The history of a zone in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  /** Entry 1 creates the zone, 2 and 3 add records, 4 changes the first. */
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const { id } = await createRecord(as, zone, A('one', '192.0.2.1'))
    await createRecord(as, zone, { name: 'two', type: 'TXT', content: '"<b>&\'x"' })
    const put = await as.put(`/zones/${zone.id}/records/${id}`, A('one', '192.0.2.4'))
    put.assertStatus(200)
    client = await signedIn(admin)
  })

  test('truncated lists show the total, and have all rows as text', async ({ assert }) => {
    const [{ lines }, hosts] = [SHOWN, Array.from({ length: 60 }, (_, at) => `host${at}`)]
    const operations = hosts.map((name) => ({ action: 'create', ...A(name, '192.0.2.7') }))
    const created = await as.post(path('/records/bulk'), { operations })
    created.assertStatus(200)
    const drafted = async () => {
      const changes = hosts.map((name) => ({ action: 'create', ...A(name, '192.0.2.8') }))
      const from = { from: '/zones' }
      return client.post(path('/plan'), { changes: JSON.stringify(changes) }, from)
    }
    const pages = {
      entry: () => client.get(path('/history/5')),
      undo: () => client.get(path('/history/5/undo')),
      restore: () => client.get(path('/restore?point=4')),
      diff: () => client.get(path('/diff?from=4')),
      drafted,
    }
    try {
      for (const [most, isCut] of [
        [4, true],
        [2_000, false],
      ] as const) {
        SHOWN.lines = most
        for (const [name, page] of Object.entries(pages)) {
          const words = wordsOf(await page())
          assert.equal(/\b\d+ of 60 record sets shown/.test(words), isCut, name)
          assert.include(words, 'host59', name)
          assert.equal(
            words.includes('50 of 60 shown'),
            ['undo', 'restore', 'drafted'].includes(name),
            name
          )
        }
      }
    } finally {
      SHOWN.lines = lines
    }
    const list = await client.get(path('/history'))
    assert.include(wordsOf(list), 'Show all changes')
    assert.notInclude(wordsOf(list), 'View as text')
  })

  test('entries are listed with their changes, and filtered by query parameters', async ({
    assert,
  }) => {
    const all = await client.get(path('/history'))
    assert.deepEqual(entriesOn(all), [4, 3, 2, 1])
    assert.include(all.html, '192.0.2.4')
    assert.notInclude(all.html, '<b>&')
    for (const [query, entries] of [
      ['name=one', [4, 2]],
      ['name=two&type=txt', [3]],
      ['type=TXT', [3, 1]],
      [`user=${admin.username}`, [4, 3, 2, 1]],
      ['user=nobody-here', []],
      ['action=create', [1]],
      ['action=undo', []],
      ['channel=web', []],
      ['channel=api', [4, 3, 2, 1]],
      ['since=2020-01-01T00:00', [4, 3, 2, 1]],
      ['until=2020-01-01T00:00', []],
      ['since=2999-01-01', []],
    ] as [string, number[]][]) {
      const page = await client.get(path(`/history?${query}`))
      assert.equal(page.status, 200, query)
      const expected = query === 'type=TXT' ? entries.filter((entry) => entry !== 1) : entries
      assert.deepEqual(entriesOn(page), expected, query)
    }
    for (const query of [
      'action=x',
      'channel=x',
      'since=yesterday',
      'until=2026-02-31',
      'name=a..b',
    ]) {
      const page = await client.get(path(`/history?${query}`))
      assert.equal(page.status, 422, query)
      assert.notMatch(wordsOf(page), /Query parameter|Field '/, query)
      assert.include(page.html, 'role="alert"', query)
    }
    const typed = await client.get(path('/history?since=yesterday'))
    assert.include(wordsOf(typed), 'From: must be a time')
    assert.match(typed.html, /type="text" name="since" value="yesterday"/)
  })

  test('the entry of a clone names its source and is found by it', async ({ assert }) => {
    const created = await as.post(`/zones/${zone.id}/clone`, { name: zoneNamed('clone') })
    const page = await client.get(`/zones/${created.body().data.zone_id}/history?action=clone`)
    assert.deepEqual(entriesOn(page), [1])
    assert.include(wordsOf(page), `clone of zone ${zone.id}`)
  })

  test("an entered time is in the user's time zone", async ({ assert }) => {
    await db.from('zw_journal').where({ zone_id: zone.id }).update({
      time: '2026-01-10T12:00:00.000Z',
    })
    const tokyo = { theme: '', time_zone: 'Asia/Tokyo', rows_per_page: '', language: '' }
    await client.post('/account/preferences', tokyo)
    const at = async (query: string) => entriesOn(await client.get(path(`/history?${query}`)))
    assert.lengthOf(await at('since=2026-01-10T21:00'), 4)
    assert.lengthOf(await at('since=2026-01-10T21:01'), 0)
    assert.lengthOf(await at('until=2026-01-10T20:59'), 0)
    const page = await client.get(path(`/at?point=${encodeURIComponent('2026-01-10 21:00')}`))
    assert.include(page.html, '192.0.2.4')
  })

  test('entries of several operations show the number', async ({ assert }) => {
    const bulk = async (...added: string[]) => {
      const operations = added.map((content) => ({ action: 'create', ...A('bulk', content) }))
      const created = await as.post(path('/records/bulk'), { operations })
      created.assertStatus(200)
      return client.get(path('/history'))
    }
    const one = await bulk('192.0.2.7')
    assert.notMatch(one.html, /\d operations?\b/)
    const two = await bulk('192.0.2.8', '192.0.2.9')
    assert.include(two.html, '2 operations in one request')
  })

  test('long histories have pages', async ({ assert }) => {
    const ten = { theme: '', time_zone: '', rows_per_page: '10', language: '' }
    await client.post('/account/preferences', ten)
    for (let i = 0; i < 8; i++) await createRecord(as, zone, A(`more${i}`, '192.0.2.9'))
    const first = await client.get(path('/history'))
    assert.lengthOf(entriesOn(first), 10)
    const next = /href="([^"]+page=2[^"]*)"/.exec(first.html)?.[1] ?? ''
    const second = await client.get(next.replaceAll('&amp;', '&'))
    assert.deepEqual(entriesOn(second), [2, 1])
  })

  test('an entry with many changes is truncated in the list and complete on its page', async ({
    assert,
  }) => {
    const records = Array.from({ length: 60 }, (_, i) => ({
      action: 'create',
      ...A(`host${i}`, `198.51.100.${i}`),
    }))
    const bulk = await as.post(`/zones/${zone.id}/records/bulk`, { operations: records })
    bulk.assertStatus(200)
    const shown = ({ html }: Page) => html.match(/198\.51\.100\.\d+/g)?.length ?? 0
    const list = await client.get(path('/history'))
    assert.equal(shown(list), 12)
    const whole = await client.get(path('/history/5'))
    assert.equal(shown(whole), 60)
    assert.equal(await client.statusOf(path('/history/6')), 404)
  })

  test('two states are compared in both directions', async ({ assert }) => {
    const forth = await client.get(path('/diff?from=2'))
    assert.match(forth.html, /class="in".*192\.0\.2\.4/s)
    assert.match(forth.html, /class="out".*192\.0\.2\.1/s)
    const back = await client.get(path('/diff?from=4&to=2'))
    assert.match(back.html, /class="in".*192\.0\.2\.1/s)
    const same = await client.get(path('/diff?from=3&to=3'))
    assert.include(same.html, 'No differences')
    for (const [query, status] of [
      ['', 422],
      ['?from=x', 422],
      ['?from=9', 404],
      ['?from=1&to=2026-13-01', 422],
    ] as const) {
      assert.equal(await client.statusOf(path(`/diff${query}`)), status, query)
    }
  })

  test('an earlier state is shown as rows and as a zone file, and can be downloaded', async ({
    assert,
  }) => {
    const rows = await client.get(path('/at?point=2'))
    assert.include(rows.html, '192.0.2.1')
    assert.notInclude(rows.html, '192.0.2.4')
    assert.notInclude(rows.html, '&lt;b&gt;')
    const text = await client.get(path('/at?point=3&view=file'))
    assert.include(text.html, '$ORIGIN')
    assert.include(text.html, '&lt;b&gt;')
    const records = [{ content: '192.0.2.5', comment: 'the <i>old</i> one' }]
    const withComment = { name: `noted.${zone.name}`, type: 'A', ttl: 300, records }
    for (const op of ['add', 'remove']) {
      const written = await as.post('/changes', { actions: [{ op, ...withComment }] })
      written.assertStatus(201)
    }
    const commented = await client.get(path('/at?point=5'))
    assert.include(commented.html, 'the &lt;i&gt;old&lt;/i&gt; one')
    const ended = await client.get(path('/at?point=6'))
    assert.notInclude(ended.html, 'the &lt;i&gt;old')
    const file = await client.get(path('/at/file?point=3'))
    assert.match(file.headers.get('content-type') ?? '', /^text\/dns/)
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+"$/)
    assert.include(file.html, '192.0.2.1')
    for (const [query, status] of [
      ['', 422],
      ['?point=0', 404],
      ['?point=99', 404],
      ['?point=now', 422],
    ] as const) {
      assert.equal(await client.statusOf(path(`/at${query}`)), status, query)
    }
  })

  test('an undo carries out its displayed plan', async ({ assert }) => {
    const undo = path('/history/2/undo')
    const refused = await client.get(undo)
    assert.equal(refused.status, 409)
    assert.include(refused.html, 'merge=1')
    const latest = path('/history/4/undo')
    const plan = await client.get(latest)
    assert.equal(plan.status, 200)
    assert.include(await contents(), '192.0.2.4')
    await createRecord(as, zone, A('one', '192.0.2.5'))
    const moved = await client.post(latest, { plan_hash: hashOn(plan) })
    assert.equal(moved.status, 409)
    assert.include(await contents(), '192.0.2.4')
    const merged = await client.get(`${latest}?merge=1`)
    const done = await client.post(
      latest,
      { plan_hash: hashOn(merged), merge: '1', reason: 'too early' },
      { from: `${latest}?merge=1` }
    )
    assert.deepEqual([done.status, done.location], [303, path('/history')])
    assert.notInclude(await contents(), '192.0.2.4')
    assert.include(await contents(), '192.0.2.5')
    const history = await client.get(path('/history?action=undo'))
    assert.include(history.html, 'too early')
  })

  test('a restore carries out its displayed plan', async ({ assert }) => {
    const form = await client.get(path('/restore?point=2'))
    assert.equal(form.status, 200)
    assert.include(await contents(), '192.0.2.4')
    const fields = { plan_hash: hashOn(form), entry: '2', reason: 'as before' }
    const done = await client.post(path('/restore'), fields, { from: path('/restore?point=2') })
    assert.equal(done.status, 303)
    assert.include(await contents(), '192.0.2.1')
    assert.notInclude(await contents(), '<b>')
    const again = await client.get(path('/restore?point=2'))
    assert.include(again.html, 'No changes: everything is already as requested')
    const one = await client.get(path('/restore?point=4&name=one'))
    assert.include(one.html, '192.0.2.4')
    assert.notInclude(one.html, '&lt;b&gt;')
    for (const [query, status] of [
      ['', 400],
      ['?point=0', 404],
      ['?point=99', 404],
    ] as const) {
      assert.equal(await client.statusOf(path(`/restore${query}`)), status, query)
    }
  })

  test('users without rights see no history and no actions', async ({ assert }) => {
    const stranger = await signedIn(await person())
    const pages = [
      '/history/2',
      '/history/2/undo',
      '/at?point=2',
      '/at/file?point=2',
      '/diff?from=2',
    ]
    for (const rest of [...pages, '/restore?point=2']) {
      assert.equal(await stranger.statusOf(path(rest)), 404, rest)
    }
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const history = await viewer.get(path('/history'))
    assert.notInclude(history.html, '/undo')
    assert.notInclude(history.html, '/restore')
    assert.equal(await viewer.statusOf(path('/restore?point=2')), 403)
    const plan = await client.get(path('/history/4/undo'))
    const forged = await viewer.post(
      path('/history/4/undo'),
      { plan_hash: hashOn(plan) },
      { from: path('/history'), token: await viewer.tokenOn('/account/preferences') }
    )
    assert.equal(forged.status, 403)
    assert.include(await contents(), '192.0.2.4')
  })

  test('a deleted zone is in the trash, and a restore carries out its displayed plan', async ({
    assert,
  }) => {
    const deleted = await as.delete(`/zones/${zone.id}`)
    deleted.assertStatus(204)
    const trash = await client.get('/trash')
    assert.include(trash.html, zone.name)
    const row = await db.from('zw_trash').where('zone_name', zone.name).firstOrFail()
    const stranger = await signedIn(await person())
    const theirs = await stranger.get('/trash')
    assert.notInclude(theirs.html, zone.name)
    const restore = `/trash/${row.id}/restore`
    assert.equal(await stranger.statusOf(restore), 404)
    const plan = await client.get(restore)
    assert.equal(plan.status, 200)
    assert.include(plan.html, '192.0.2.4')
    const trashRow = await db.from('zw_trash').where('id', row.id).first()
    assert.isNotNull(trashRow)
    const back = await client.post(restore, { plan_hash: hashOn(plan) })
    assert.deepEqual([back.status, back.location], [303, path()])
    assert.include(await contents(), '192.0.2.4')
    assert.equal(await client.statusOf(restore), 404)
    assert.equal(await client.statusOf('/trash/99999999999999/restore'), 404)
  })

  test('only administrators delete a zone permanently, by entering its name', async ({
    assert,
  }) => {
    const them = await owner(zone, ['zone_content_view_own', 'zone_delete_own'])
    const deleted = await as.delete(`/zones/${zone.id}`)
    deleted.assertStatus(204)
    const { id } = await db.from('zw_trash').where('zone_name', zone.name).firstOrFail()
    const visitor = await signedIn(them)
    const theirs = await visitor.get('/trash')
    assert.include(theirs.html, zone.name)
    assert.notInclude(theirs.html, 'discard')
    const discard = `/trash/${id}/discard`
    const from = '/account/preferences'
    const forged = await visitor.post(discard, { name: zone.name }, { from })
    assert.equal(forged.status, 403)
    await client.post(discard, { name: 'other.example' }, { from: '/trash' })
    assert.isNotNull(await db.from('zw_trash').where({ id }).first())
    await client.post(discard, { name: `${zone.name}.` }, { from: '/trash' })
    assert.isNull(await db.from('zw_trash').where({ id }).first())
  })
})
