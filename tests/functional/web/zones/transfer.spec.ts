import { test } from '@japa/runner'
import interfaceSettings from '#config/interface'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { journalOf, ownersOf } from '#tests/support/app/zones/zones'
import { statusOfPage, signedIn, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}${rest}`

async function contents(of = zone): Promise<string> {
  const all = await contentsOf(of)
  return all.join('\n')
}

function preview(fields: Record<string, string | File>, visitor = client): Promise<Page> {
  return visitor.upload(path('/import/plan'), fields, { from: path('/import') })
}

/** Sends the apply form of the import plan. */
function apply(page: Page, more: Record<string, string> = {}): Promise<Page> {
  const names = ['text', 'mode', 'format', 'file_name', 'plan_hash']
  const fields = Object.fromEntries(names.map((name) => [name, page.hidden(name)]))
  return client.upload(path('/import/apply'), { ...fields, ...more }, { from: path('/import') })
}

const file = (text: string | Uint8Array<ArrayBuffer>, name = 'alpha.zone') =>
  new File([text], name, { type: 'text/plain' })

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

test.group('Import, export, clone and PTR records in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
    client = await signedIn(admin)
  })

  test('a file is parsed, shown as a plan with counts, and applied', async ({ assert }) => {
    const text = 'ftp 300 IN A 192.0.2.5\r\nftp 300 IN A 192.0.2.6\r\n'
    const page = await preview({ file: file(text), mode: 'merge', format: 'auto' })
    assert.equal(page.status, 200)
    assert.include(page.html, '2 records in 1 record set')
    assert.include(page.html, 'alpha.zone')
    assert.notInclude(await contents(), '192.0.2.5')
    const resultPage = await apply(page, { reason: 'moved' })
    assert.deepEqual([resultPage.status, resultPage.location], [303, path()])
    const now = await contents()
    for (const address of ['192.0.2.1', '192.0.2.5', '192.0.2.6']) assert.include(now, address)
    const entries = await journalOf(zone.id)
    const newest = entries.at(-1)
    assert.containsSubset(newest, { reason: 'moved', channel: 'web' })
  })

  test('pasted text may be a zone file, output of dig, or a table', async ({ assert }) => {
    const dig = `;; ANSWER SECTION:\ndig.${zone.name}. 60 IN A 192.0.2.7\nx.test. 60 IN A 192.0.2.8\n`
    const cases: [text: string, says: string, line: string][] = [
      ['zf 300 A 192.0.2.6', 'Zone file', '192.0.2.6'],
      [dig, 'dig output', '192.0.2.7'],
      ['csv,300,A,192.0.2.9', 'Table (CSV)', '192.0.2.9'],
    ]
    for (const [text, expectedText, line] of cases) {
      const page = await preview({ text })
      assert.equal(page.status, 200)
      assert.match(
        page.html,
        new RegExp(`Read as</dt>\\s*<dd>${expectedText.replace(/[()]/g, '.')}`)
      )
      assert.include(page.html, line)
      assert.equal(page.html.includes('line with a warning'), text === dig)
      await apply(page)
    }
    const now = await contents()
    for (const [, , line] of cases) assert.include(now, line)
    assert.notInclude(now, '192.0.2.8')
  })

  test('a replacing import shows deleted records', async ({ assert }) => {
    const soa = `@ 300 SOA ns1.example.net. hostmaster.example.net. 1 7200 3600 604800 300`
    const page = await preview({ text: `${soa}\nnew 300 A 192.0.2.9\n`, mode: 'replace' })
    assert.match(page.html, /class="out"[^]*192\.0\.2\.1/)
    await apply(page)
    const now = await contents()
    assert.include(now, '192.0.2.9')
    assert.notInclude(now, '192.0.2.1')
  })

  test('errors have line numbers, and the form keeps its text', async ({ assert }) => {
    const text = `ok 300 A 192.0.2.9\n${EVIL} 300 A 192.0.2.9\nbad 300 A x\n`
    const page = await preview({ text, mode: 'replace', format: 'zone' })
    assert.equal(page.status, 422)
    assert.equal(page.typed('text'), text)
    assert.match(page.html, /value="replace" checked|checked[^>]*value="replace"/)
    assert.include(page.html, 'Line 3')
    assert.notInclude(page.html, '<script>alert')
    const empty = await preview({ file: file('', ''), text: ' \n' })
    assert.equal(empty.status, 422)
    const binary = await preview({ file: file(Uint8Array.from([0xff, 0x00, 0xd8, 0x80])) })
    assert.equal(binary.status, 400)
    const errorPage = await preview({ text: 'x', mode: 'smash' })
    assert.equal(errorPage.status, 400)
    assert.notInclude(await contents(), '192.0.2.9')
  })

  test('a file above the size limit of the settings is refused', async ({ assert }) => {
    const maximum = interfaceSettings.max_upload_bytes
    const page = await preview({ file: file('x'.repeat(maximum + 1)) })
    assert.equal(page.status, 413)
    assert.include(page.html, `${maximum} bytes (interface.max_upload_bytes)`)
    assert.notInclude(page.html, 'action="/logout"')
  })

  test('a text has the same size limit as a file or as a field, which has longer line breaks', async ({
    assert,
  }) => {
    const maximum = interfaceSettings.max_upload_bytes
    const text = `${';'.repeat(99)}\n`.repeat(maximum / 100).padEnd(maximum, ';')
    const from = { from: path('/import') }
    const sent = (longer: string) => {
      const field = { text: `${text}${longer}`.replaceAll('\n', '\r\n') }
      return statusOfPage(client.upload(path('/import'), field, from))
    }
    assert.equal(
      await statusOfPage(client.upload(path('/import'), { file: file(text) }, from)),
      200
    )
    assert.equal(await sent(''), 200)
    assert.equal(await sent(';'), 413)
  })

  test('the preview returns to the form with its values', async ({ assert }) => {
    const text = '@ 300 SOA ns1.example.net. hostmaster.example.net. 1 7200 3600 604800 300'
    const page = await preview({ text, mode: 'replace', format: 'zone' })
    assert.include(page.html, `formaction="${path('/import')}"`)
    const names = ['text', 'mode', 'format']
    const fields = Object.fromEntries(names.map((name) => [name, page.hidden(name)]))
    const returnPage = await client.upload(path('/import'), fields, { from: path('/import') })
    assert.equal(returnPage.typed('text'), text)
    assert.match(returnPage.html, /value="replace" checked/)
    assert.match(returnPage.html, /value="zone" selected/)
  })

  test('only the displayed plan is applied', async ({ assert }) => {
    const page = await preview({ text: 'www 300 A 192.0.2.9' })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.77', ttl: 300 })
    const moved = await apply(page)
    assert.equal(moved.status, 409)
    assert.include(await contents(), '192.0.2.77')
    const secondPage = await apply(moved)
    assert.equal(secondPage.status, 303)
    assert.notInclude(await contents(), '192.0.2.77')
  })

  test('exports are files', async ({ assert }) => {
    const text = await client.get(path('/export'))
    assert.match(text.headers.get('content-disposition') ?? '', /attachment; filename=".*\.zone"/)
    assert.include(text.html, '$ORIGIN')
    const table = await client.get(path('/export?format=csv'))
    assert.match(table.headers.get('content-type') ?? '', /^text\/csv/)
    assert.include(table.html, 'www,300,A,192.0.2.1,,no')
  })

  test('readers export, editors import, and others do neither', async ({ assert }) => {
    const viewer = await signedIn(await owner(zone, ['zone_content_view_own']))
    const page = await viewer.get(path('/import'))
    assert.equal(page.status, 200)
    assert.notInclude(page.html, 'type="file"')
    assert.notInclude(page.html, path('/clone'))
    assert.equal(await viewer.statusOf(path('/export')), 200)
    assert.equal(await viewer.statusOf(path('/clone')), 403)
    for (const rest of ['/import/plan', '/import/apply']) {
      const refused = await viewer.upload(path(rest), { text: 'x' }, { from: '/zones' })
      assert.equal(refused.status, 403)
    }
    const stranger = await signedIn(await person({ permissions: ['zone_master_add'] }))
    for (const rest of ['/import', '/export', '/clone', '/ptr']) {
      assert.equal(await stranger.statusOf(path(rest)), 404)
    }
    for (const rest of ['/import/plan', '/import/apply', '/clone', '/ptr/plan', '/ptr/apply']) {
      const refused = await stranger.post(path(rest), { text: 'x' }, { from: '/zones' })
      assert.equal(refused.status, 404, rest)
    }
  })

  test('a zone is cloned', async ({ assert }) => {
    const name = zoneNamed('clone')
    const resultPage = await client.post(path('/clone'), { name, description: 'like it' })
    assert.equal(resultPage.status, 303)
    const id = Number(/\/zones\/(\d+)$/.exec(resultPage.location ?? '')?.[1])
    assert.include(await contents({ id, name }), `www.${name}`)
    assert.deepEqual(await ownersOf(id), { users: [admin.id], groups: [] })
    const shown = await client.get(resultPage.location ?? '')
    assert.include(shown.html, 'like it')
    const takenPage = await client.post(path('/clone'), { name: `${EVIL}`, description: EVIL })
    assert.equal(takenPage.status, 422)
    assert.notInclude(takenPage.html, '<script>alert')
    assert.include(takenPage.html, '&lt;script&gt;')
    const repeatedPage = await client.post(path('/clone'), { name })
    assert.equal(repeatedPage.status, 409)
    assert.include(repeatedPage.html, `value="${name}"`)
  })

  test('errors about a text contain no API field names', async ({ assert }) => {
    const page = await preview({ text: 'www 300 IN A 192.0.2.1 )\n', file: file('') })
    assert.equal(page.status, 422)
    assert.include(page.html, 'has no matching &quot;(&quot;')
    assert.notInclude(page.html, 'syntax')
  })

  test('record contents do not run as scripts on a plan', async ({ assert }) => {
    const quoted = `"${EVIL.replaceAll('"', '\\"')}"`
    const page = await preview({ text: `evil 300 TXT ${quoted} ; ${EVIL}\n`, file: file('') })
    assert.equal(page.status, 200)
    assert.notInclude(page.html, '<script>alert')
    assert.notInclude(page.html, '<img src=x')
    await apply(page)
    const secondPage = await preview({ text: 'evil 300 TXT "x"' })
    assert.notInclude(secondPage.html, '<script>alert')
    const named = await preview({ file: file('a 60 A 192.0.2.2', `${EVIL}.zone`) })
    assert.notInclude(named.html, '<script>alert')
  })
})

test.group('PTR records of a zone in the web interface', (group) => {
  let reverse: { id: number; name: string }
  let net: string

  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const [a, b] = [Math.random(), Math.random()].map((one) => Math.floor(one * 250) + 1)
    net = `10.${a}.${b}`
    reverse = await createZone(as, { name: `${b}.${a}.10.in-addr.arpa` })
    for (const [name, last] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 3],
    ] as const) {
      await createRecord(as, zone, { name, type: 'A', content: `${net}.${last}`, ttl: 300 })
    }
    await createRecord(as, zone, { name: 'far', type: 'A', content: '198.51.100.1' })
    await createRecord(as, zone, { name: '*', type: 'A', content: `${net}.9` })
    const ptr = (last: number, content: string) =>
      createRecord(as, reverse, { name: String(last), type: 'PTR', content })
    await ptr(1, `a.${zone.name}`)
    await ptr(2, 'old.example.net')
    client = await signedIn(admin)
  })

  const keys = (page: Page) =>
    [...page.html.matchAll(/<input type="checkbox" name="take" value="([^"]*)"( checked)?/g)].map(
      ([, value, checked]) => `${value}${checked ?? ''}`
    )

  test('missing PTR records are selected, differing ones offered, correct ones omitted', async ({
    assert,
  }) => {
    const page = await client.get(path('/ptr'))
    assert.deepEqual(keys(page), [
      `${net}.3 c.${zone.name} checked`,
      `${net}.3 d.${zone.name}`,
      `${net}.2 b.${zone.name}`,
    ])
    assert.include(page.html, '198.51.100.1')
    assert.include(page.html, 'none you can edit')
    const filteredPage = await client.get(path(`/ptr?network=${net}.2/32`))
    assert.lengthOf(keys(filteredPage), 1)
    const errorPage = await client.get(path('/ptr?network=x'))
    assert.equal(errorPage.status, 422)
  })

  test('selected PTR records are planned by zone and applied', async ({ assert }) => {
    const take = [`${net}.3 c.${zone.name}`, `${net}.3 d.${zone.name}`, `${net}.2 b.${zone.name}`]
    const from = path('/ptr')
    const page = await client.post(path('/ptr/plan'), { take }, { from })
    assert.equal(page.status, 200)
    assert.include(page.html, reverse.name)
    assert.include(page.html, 'old.example.net')
    const fields = { take: page.hidden('take'), plan_hash: page.hidden('plan_hash') }
    const resultPage = await client.post(path('/ptr/apply'), fields, { from })
    assert.equal(resultPage.status, 303)
    const now = await contents(reverse)
    for (const host of ['a', 'b', 'c', 'd']) assert.include(now, `${host}.${zone.name}`)
    assert.notInclude(now, 'old.example.net')
    const after = await client.get(from)
    assert.deepEqual(keys(after), [])
  })

  test('the page of a reverse zone finds the addresses of its network in other zones', async ({
    assert,
    cleanup,
  }) => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, otherZone, { name: 'e', type: 'A', content: `${net}.50` })
    await createRecord(as, otherZone, {
      name: 'off',
      type: 'A',
      content: `${net}.51`,
      disabled: true,
    })
    await createRecord(as, otherZone, { name: 'txt', type: 'TXT', content: `"${net}.52"` })
    const from = `/zones/${reverse.id}/ptr`
    const expected = [
      `${net}.3 c.${zone.name} checked`,
      `${net}.3 d.${zone.name}`,
      `${net}.50 e.${otherZone.name} checked`,
      `${net}.2 b.${zone.name}`,
    ]
    assert.deepEqual(keys(await client.get(from)), expected)
    const filteredPage = await client.get(`${from}?network=${net}.50`)
    assert.deepEqual(keys(filteredPage), [expected[2]])
    const take = [`${net}.50 e.${otherZone.name}`]
    const page = await client.post(`${from}/plan`, { take }, { from })
    const fields = { take: page.hidden('take'), plan_hash: page.hidden('plan_hash') }
    const resultPage = await client.post(`${from}/apply`, fields, { from })
    assert.equal(resultPage.status, 303)
    assert.include(await contents(reverse), `e.${otherZone.name}`)
    // Hosts of zones that the user may not see are excluded.
    const firstVisitor = await signedIn(
      await owner(reverse, ['zone_content_view_own', 'zone_content_edit_own'])
    )
    const seen = await firstVisitor.get(from)
    assert.equal(seen.status, 200)
    assert.deepEqual(keys(seen), [])
    assert.notInclude(seen.html, zone.name)
    const large = await createZone(as, { name: 'e.ip6.arpa' })
    cleanup(async () => {
      await as.delete(`/zones/${large.id}`)
    })
    const refused = await client.get(`/zones/${large.id}/ptr`)
    assert.equal(refused.status, 422)
    assert.include(refused.html, 'is too large')
    // An invalid network returns the form.
    const errorPage = await client.post(`${from}/plan`, { take, network: 'nowhere' }, { from })
    assert.equal(errorPage.status, 422)
    assert.include(errorPage.html, 'nowhere')
    // The page also supports part of a network (RFC 2317).
    const part = await createZone(as, { name: `0/25.${reverse.name}` })
    const classless = await client.get(`/zones/${part.id}/ptr`)
    assert.equal(classless.status, 200)
  })

  test('part of a network is found among many other addresses', async ({ assert }) => {
    const lines = Array.from({ length: 2_001 }, (_, at) => `h${at} 300 IN A ${net}.77`)
    await expectStatus(
      as.post(`/zones/${zone.id}/import`, { zone_file: lines.join('\n'), mode: 'merge' }),
      200
    )
    await createRecord(as, zone, { name: 'last', type: 'A', content: `${net}.50` })
    const page = await client.get(`/zones/${reverse.id}/ptr?network=${net}.48/29`)
    assert.deepEqual(keys(page), [`${net}.50 last.${zone.name} checked`])
    assert.notInclude(page.html, 'notice warning')
  })

  test('several reverse zones are written at once', async ({ assert }) => {
    const six = await createZone(as, {
      name: `${net.split('.').slice(1).join('.')}.8.b.d.0.1.0.0.2.ip6.arpa`.replace(
        /^(\d+)\.(\d+)/,
        (_, x: string, y: string) => [...`${x}${y}`].join('.')
      ),
    })
    const digits = six.name.replace('.ip6.arpa', '').split('.').reverse().join('').padEnd(32, '0')
    const address = (digits.match(/.{4}/g) ?? []).join(':')
    await createRecord(as, zone, { name: 'six', type: 'AAAA', content: address })
    const from = path('/ptr')
    const opened = await client.get(from)
    const take = keys(opened)
      .filter((key) => key.endsWith(' checked'))
      .map((key) => key.slice(0, -8))
    assert.lengthOf(take, 2)
    const page = await client.post(path('/ptr/plan'), { take }, { from })
    const fields = { take: page.hidden('take'), plan_hash: page.hidden('plan_hash') }
    await client.post(path('/ptr/apply'), fields, { from })
    const shown = await client.get(path())
    assert.include(shown.html, '2 record sets changed in 2 zones')
    assert.include(await contents(six), `six.${zone.name}`)
    assert.include(await contents(reverse), `c.${zone.name}`)
  })

  test('a reverse zone that the user may not write is ignored', async ({ assert }) => {
    const firstVisitor = await signedIn(
      await owner(zone, ['zone_content_view_own', 'zone_content_edit_own'])
    )
    const page = await firstVisitor.get(path('/ptr'))
    assert.equal(page.status, 200)
    assert.deepEqual(keys(page), [])
    assert.notInclude(page.html, reverse.name)
    assert.notInclude(page.html, 'old.example.net')
    const take = [`${net}.3 c.${zone.name}`]
    const forgedPage = await firstVisitor.post(path('/ptr/plan'), { take }, { from: path('/ptr') })
    assert.equal(forgedPage.status, 422)
    assert.notInclude(await contents(reverse), `c.${zone.name}`)
  })

  test('an empty selection shows an error, and the form keeps its values', async ({ assert }) => {
    const from = path('/ptr')
    const emptyPage = await client.post(path('/ptr/plan'), {}, { from })
    assert.equal(emptyPage.status, 422)
    const take = [`${net}.2 b.${zone.name}`]
    const page = await client.post(path('/ptr/plan'), { take }, { from })
    await createRecord(as, reverse, { name: '2', type: 'PTR', content: 'more.example.net' })
    const fields = { take: page.hidden('take'), plan_hash: page.hidden('plan_hash') }
    const moved = await client.post(path('/ptr/apply'), fields, { from })
    assert.equal(moved.status, 409)
    assert.include(await contents(reverse), 'more.example.net')
  })
})
