import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner, withReview } from '#tests/support/app/review'
import { journalOf } from '#tests/support/app/zones/zones'
import { signedIn, WebClient, type Page } from '#tests/support/web/client'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}/text${rest}`

/** Returns the records of the zone as one text. */
async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

/** Opens the zone text, changes it, and requests the plan. */
async function planned(
  change: (text: string) => string,
  visitor = client
): Promise<{ page: Page; base: string }> {
  const opened = await visitor.get(path())
  const base = opened.hidden('base')
  const fields = { base, text: change(opened.typed('text')) }
  return { page: await visitor.upload(path('/plan'), fields, { from: path() }), base }
}

/** Sets the comment of the record of www. */
async function comment(text: string): Promise<void> {
  const records = [{ content: '192.0.2.1', comment: text }]
  const action = { op: 'set', name: `www.${zone.name}`, type: 'A', ttl: 300, records }
  const doneResponse = await as.post('/changes', { actions: [action] })
  doneResponse.assertStatus(201)
}

/** Sends the apply form of the plan. */
function apply(page: Page, more: Record<string, string> = {}, visitor = client): Promise<Page> {
  const [base, text, hash] = ['base', 'text', 'plan_hash'].map((name) => page.hidden(name))
  const fields = { base, text, plan_hash: hash, ...more }
  return visitor.upload(path('/apply'), fields, { from: path() })
}

/** Returns the texts that a page offers: with the conflicting changes, and without. */
function choicesOf({ html }: Page): string[] {
  return [...html.matchAll(/<form method="post"[^]*?<\/form>/g)]
    .map(([form]) => form)
    .filter((form) => form.includes('Keep my version') || form.includes('Use the current version'))
    .map((form) => /name="text" value="([^"]*)"/.exec(form)?.[1] ?? '')
}

const add = (line: string) => (text: string) => `${text}${line}\n`

test.group('The text editor of a zone', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
    await createRecord(as, zone, { name: 'mail', type: 'A', content: '192.0.2.2', ttl: 300 })
    client = await signedIn(admin)
  })

  test('the text equals the export, and its changes are planned and applied', async ({
    assert,
  }) => {
    const opened = await client.get(path())
    const exported = await as.get(`/zones/${zone.id}/export`)
    assert.equal(opened.typed('text'), exported.body().data.zone_file)
    const { page } = await planned((text) => text.replace('192.0.2.1', '192.0.2.9'))
    assert.equal(page.status, 200)
    assert.include(page.html, 'class="in"')
    assert.include(await contents(), '192.0.2.1')
    const resultPage = await apply(page, { reason: 'ticket 7' })
    assert.deepEqual([resultPage.status, resultPage.location], [303, `/zones/${zone.id}`])
    const now = await contents()
    assert.include(now, '192.0.2.9')
    assert.notInclude(now, '192.0.2.1')
    const entries = await journalOf(zone.id)
    const newest = entries.at(-1)
    assert.containsSubset(newest, { channel: 'web', reason: 'ticket 7', username: admin.username })
    const shown = await client.get(`/zones/${zone.id}`)
    assert.match(shown.html, /action="\/zones\/\d+\/history\/\d+\/undo"/)
  })

  test('the text runs from left to right in every language', async ({ assert }) => {
    for (const rest of ['', '/../import']) {
      const { html } = await client.get(path(rest).replace('/text/..', ''), {
        'accept-language': 'ar',
      })
      assert.include(html, 'dir="rtl"')
      assert.match(html, /<textarea name="text"[^>]* dir="ltr"/)
    }
  })

  test('an unchanged text changes nothing and offers nothing', async ({ assert }) => {
    const { page } = await planned((text) => text.replaceAll('\n', '\r\n'))
    assert.equal(page.status, 200)
    assert.include(page.html, 'No changes: everything is already as requested')
    assert.notInclude(page.html, 'name="plan_hash"')
  })

  test('comments alone can be changed', async ({ assert }) => {
    const { page } = await planned((text) =>
      text.replace(/^(www .*192\.0\.2\.1)$/m, '$1 ; by the channel')
    )
    assert.include(page.html, 'Only comments changed.')
    await apply(page)
    const opened = await client.get(path())
    assert.include(opened.typed('text'), '; by the channel')
  })

  test('errors have line numbers, and the form keeps its text', async ({ assert }) => {
    const line = 'bad 300 IN A 999.1.1.1 ; <script>alert(1)</script>'
    const { page } = await planned(add(line))
    assert.equal(page.status, 422)
    assert.include(page.typed('text'), line)
    const lines = page.typed('text').split('\n')
    const lineNumber = lines.findIndex((one) => one.startsWith('bad')) + 1
    assert.include(page.html, `data-line="${lineNumber}"`)
    assert.include(page.html, `Line ${lineNumber}`)
    assert.notInclude(page.html, '<script>alert')
    assert.notInclude(await contents(), '999')
  })

  test('a text without its SOA record, or with a broken rule, is refused', async ({ assert }) => {
    const without = await planned((text) => text.replace(/^.* SOA .*\n/m, ''))
    assert.equal(without.page.status, 422)
    assert.include(without.page.html, 'exactly one SOA record')
    const twice = await planned(add('www 300 IN CNAME mail'))
    assert.equal(twice.page.status, 422)
    const nothing = await client.upload(path('/plan'), { base: 'x (', text: '' }, { from: path() })
    assert.equal(nothing.status, 422)
  })

  test('concurrent changes of other RRsets are kept', async ({ assert }) => {
    const opened = await client.get(path())
    await createRecord(as, zone, { name: 'new', type: 'A', content: '192.0.2.77' })
    const text = opened.typed('text').replace('192.0.2.1', '192.0.2.9')
    const fields = { base: opened.hidden('base'), text }
    const page = await client.upload(path('/plan'), fields, { from: path() })
    assert.equal(page.status, 200)
    await apply(page)
    const now = await contents()
    assert.include(now, '192.0.2.77')
    assert.include(now, '192.0.2.9')
  })

  test('a concurrent change of the same RRset is a conflict', async ({ assert }) => {
    const opened = await client.get(path())
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.77', ttl: 300 })
    const text = opened.typed('text').replace(/192\.0\.2\.([12])\b/g, '192.0.2.9$1')
    const fields = { base: opened.hidden('base'), text }
    const page = await client.upload(path('/plan'), fields, { from: path() })
    assert.equal(page.status, 412)
    assert.include(page.html, 'Keep my version')
    const [mine, theirs] = choicesOf(page)
    assert.isDefined(theirs)
    const base = page.hidden('base')
    const their = await client.upload(path('/plan'), { base, text: theirs }, { from: path() })
    assert.equal(their.status, 200)
    assert.include(their.html, '192.0.2.92')
    assert.notInclude(their.html, '192.0.2.91')
    const ownPage = await client.upload(path('/plan'), { base, text: mine }, { from: path() })
    await apply(ownPage)
    const now = await contents()
    assert.include(now, '192.0.2.91')
    assert.notInclude(now, '192.0.2.77')
  })

  test('concurrent comments on the same records are kept', async ({ assert }) => {
    const opened = await client.get(path())
    await comment('of others')
    await createRecord(as, zone, { name: 'mail', type: 'A', content: '192.0.2.77', ttl: 300 })
    const text = add('www 300 IN A 192.0.2.3')(opened.typed('text'))
    const fields = { base: opened.hidden('base'), text }
    const page = await client.upload(path('/plan'), fields, { from: path() })
    assert.equal(page.status, 200)
    // The page also keeps it if other RRsets conflict.
    const both = { ...fields, text: text.replace('192.0.2.2', '192.0.2.92') }
    const response = await client.upload(path('/plan'), both, { from: path() })
    assert.equal(response.status, 412)
    for (const choice of choicesOf(response)) {
      assert.match(choice, /^www .*192\.0\.2\.1 ; of others$/m)
    }
    await apply(page)
    assert.include(await contents(), '192.0.2.3')
    const after = await client.get(path())
    assert.match(after.typed('text'), /192\.0\.2\.1 ; of others$/m)
  })

  test('a concurrent comment that would be deleted is a conflict', async ({ assert }) => {
    const opened = await client.get(path())
    await comment('of others')
    const changed = ['192.0.2.1 ; of mine', '192.0.2.91']
    for (const line of changed) {
      const text = opened.typed('text').replace(/192\.0\.2\.1$/m, line)
      const fields = { base: opened.hidden('base'), text }
      const page = await client.upload(path('/plan'), fields, { from: path() })
      assert.equal(page.status, 412)
      assert.match(page.html, /192\.0\.2\.1 ; of others/)
      const [mine, theirs] = choicesOf(page)
      assert.include(mine, line)
      assert.notInclude(mine, 'of others')
      assert.match(theirs, /192\.0\.2\.1 ; of others$/m)
    }
    const same = opened.typed('text').replace(/192\.0\.2\.1$/m, '192.0.2.1 ; of others')
    const fields = { base: opened.hidden('base'), text: same }
    const page = await client.upload(path('/plan'), fields, { from: path() })
    assert.include(page.html, 'No changes: everything is already as requested')
  })

  test('only the displayed plan is applied', async ({ assert }) => {
    const { page } = await planned((text) => text.replace(/^www .*\n/m, ''))
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.77', ttl: 300 })
    const moved = await apply(page)
    assert.equal(moved.status, 412)
    assert.include(await contents(), '192.0.2.77')
    const forged = await planned(add('x 300 IN A 192.0.2.3'))
    const otherPage = await apply(forged.page, { plan_hash: page.hidden('plan_hash') })
    assert.equal(otherPage.status, 409)
    assert.notInclude(await contents(), '192.0.2.3')
  })

  test('readers get the text without a way to change it', async ({ assert }) => {
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const page = await viewer.get(path())
    assert.equal(page.status, 200)
    assert.include(page.typed('text'), '192.0.2.1')
    assert.match(page.html, /<textarea[^>]* readonly/)
    assert.match(page.html, /<button [^>]*disabled>Review</)
    for (const rest of ['', '/plan', '/apply', '/check']) {
      const refused = await viewer.upload(path(rest), { base: '', text: '' }, { from: '/zones' })
      assert.equal(refused.status, 403)
    }
  })

  test('a hidden zone gets 404, and visitors are redirected to the sign-in', async ({ assert }) => {
    const stranger = await signedIn(await person())
    for (const visitor of [stranger]) {
      const hidden = await visitor.get(path())
      const missing = await visitor.get('/zones/999999999/text')
      assert.deepEqual([hidden.status, missing.status], [404, 404])
      for (const rest of ['', '/plan', '/apply', '/check']) {
        const sent = await visitor.upload(path(rest), { text: 'x' }, { from: '/zones' })
        assert.equal(sent.status, 404)
      }
    }
    const visitor = new WebClient()
    const page = await visitor.upload(path('/plan'), { text: 'x' }, { from: '/login' })
    assert.deepEqual([page.status, page.location], [303, '/login'])
    const forgedPage = await client.post(path('/plan'), { text: 'x' }, { token: null })
    assert.equal(forgedPage.status, 403)
  })

  test('a client-level editor cannot change NS records', async ({ assert }) => {
    const rights = ['zone_content_view_own', 'zone_content_edit_own_as_client'] as const
    const editor = await signedIn(await owner(zone, [...rights]))
    const own = await planned((text) => text.replace('192.0.2.1', '192.0.2.9'), editor)
    assert.equal(own.page.status, 200)
    const line = '@ 300 IN NS ns9.example.net.'
    const { page } = await planned(add(line), editor)
    assert.equal(page.status, 403)
    assert.include(page.typed('text'), line)
  })

  test('changes that require review create a request', async ({ assert, client: api }) => {
    const end = withReview()()
    try {
      const rights = ['zone_content_view_own', 'zone_change_request_own'] as const
      const requester = await owner(zone, [...rights])
      const visitor = await signedIn(requester)
      const { page } = await planned((text) => text.replace('192.0.2.1', '192.0.2.9'), visitor)
      assert.include(page.html, 'This change needs approval')
      const filed = await apply(page, {}, visitor)
      assert.equal(filed.status, 303)
      assert.include(await contents(), '192.0.2.1')
      const listResponse = await caller(api, requester).get('/change-requests')
      assert.equal(listResponse.body().data.change_requests.length, 1)
    } finally {
      end()
    }
  })

  test('the page keeps the text when the user goes back', async ({ assert }) => {
    const fields = { base: 'b', text: 'half a ( line' }
    const page = await client.upload(path(), fields, { from: path() })
    assert.equal(page.status, 200)
    assert.deepEqual([page.hidden('base'), page.typed('text')], ['b', 'half a ( line'])
  })

  test('a zone with too many records is offered as a file', async ({ assert }) => {
    const lines = Array.from({ length: 10_001 }, (_, at) => `n${at} 300 IN A 192.0.2.1`)
    const body = { zone_file: `${lines.join('\n')}\n`, mode: 'merge' }
    const doneResponse = await as.post(`/zones/${zone.id}/import`, body)
    doneResponse.assertStatus(200)
    const page = await client.get(path())
    assert.equal(page.status, 200)
    assert.include(page.html, 'too large')
    assert.include(page.html, `/zones/${zone.id}/export`)
    assert.notInclude(page.html, '<textarea')
  }).timeout(120_000)

  test('scripts request the errors of a text and the lines of a table', async ({ assert }) => {
    const ask = async (text: string) => {
      const page = await client.upload(path('/check'), { text }, { from: path() })
      return { status: page.status, ...JSON.parse(page.html) } as Record<string, any>
    }
    const wrong = await ask('www 300 IN A 999.1.1.1\n')
    assert.containsSubset(wrong, { status: 200, format: 'zone' })
    assert.containsSubset(wrong.problems[0], { line: 1, severity: 'error' })
    const table = await ask('ftp,300,A,192.0.2.4\n@,300,MX,10 mail.example.net\n')
    assert.equal(table.format, 'csv')
    assert.match(
      table.lines,
      /^@ +300 +IN MX +10 mail\.example\.net\.\nftp +300 +IN A +192\.0\.2\.4\n$/
    )
  })

  test('record contents do not run as scripts on the page', async ({ assert }) => {
    const evil = '</textarea><script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
    const text = `"${evil.replaceAll('"', '\\"')}"`
    await createRecord(as, zone, { name: 'evil', type: 'TXT', content: text, comment: evil })
    const opened = await client.get(path())
    assert.include(opened.typed('text'), '</textarea><script>')
    const { page } = await planned((whole) => whole.replace(/^evil .*\n/m, ''))
    for (const { html } of [opened, page]) {
      assert.notInclude(html, '<script>alert')
      assert.notInclude(html, '<img src=x')
      assert.equal(html.split('</textarea>').length, html.split('<textarea').length)
    }
  })
})
