// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'

let admin: Person
let as: Caller
let zone: { id: number; name: string }

/** Opens the zone text with the caret at its end. */
async function atEnd(): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  const { page } = visitor
  await visitor.signIn(admin)
  await page.goto(`/zones/${zone.id}/text`)
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  return visitor
}

/** Sends a paste event to the focused element. */
async function paste({ page }: Visitor, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.querySelector('.cm-content').dispatchEvent(paste)
  })()`)
}

/** Terminal output of dig. */
const digOutput = (name: string) => `
; <<>> DiG 9.18.24-1-Debian <<>> @192.0.2.53 shop.${name} A
; (1 server found)
;; global options: +cmd
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 4711
;; flags: qr aa rd; QUERY: 1, ANSWER: 2, AUTHORITY: 1, ADDITIONAL: 1

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
;; QUESTION SECTION:
;shop.${name}.\t\tIN\tA

;; ANSWER SECTION:
shop.${name}.\t300\tIN\tCNAME\tfront.${name}.
front.${name}.\t300\tIN\tA\t192.0.2.210

;; AUTHORITY SECTION:
${name}.\t3600\tIN\tNS\tns1.example.net.

;; Query time: 3 msec
;; SERVER: 192.0.2.53#53(192.0.2.53) (UDP)
;; WHEN: Sat Jan 31 12:00:00 CET 2026
;; MSG SIZE  rcvd: 107
`

test.group('Pasted text in the zone text editor', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
  })

  test('a pasted table becomes zone file lines', async ({ assert }) => {
    const visitor = await atEnd()
    const { page } = visitor
    await paste(visitor, 'name,type,content\nshop,A,192.0.2.210\n')
    await page.getByText('Detected format: Table (CSV)').waitFor()
    assert.match(await page.locator('.cm-content').innerText(), /shop +\d+ +IN A +192\.0\.2\.210/)
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('pasted dig output becomes zone file lines with the same records', async ({ assert }) => {
    const visitor = await atEnd()
    const { page } = visitor
    await paste(visitor, digOutput(zone.name))
    await page.getByText('Detected format: dig output').waitFor()
    const text = await page.locator('.cm-content').innerText()
    assert.match(text, /shop\S* +300 +IN CNAME +front/)
    assert.match(text, /front\S* +300 +IN A +192\.0\.2\.210/)
    assert.notMatch(text, /HEADER|Query time|DiG/)
    assert.equal(await page.locator('.cm-lint-marker-error').count(), 0)
    await visitor.inspect(assert)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { name: 'Review changes' }).waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(`/zones/${zone.id}`)
    const contents = await contentsOf(zone)
    const now = contents.join('\n')
    for (const content of [`front.${zone.name}`, '192.0.2.210', '192.0.2.1']) {
      assert.include(now, content)
    }
    await visitor.leave()
  })

  test('pasted text stays unchanged without a connection', async ({ assert }) => {
    const visitor = await atEnd()
    const { page } = visitor
    await page.route('**/text/check', (route) => route.abort())
    await paste(visitor, digOutput(zone.name))
    await page.getByText('ANSWER SECTION').waitFor()
    assert.include(await page.locator('.cm-content').innerText(), '192.0.2.210')
    const unheard = visitor.complaints.filter((text) => text.startsWith('script:'))
    assert.deepEqual(unheard, [])
    await visitor.leave()
  })
})
