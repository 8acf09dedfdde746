import { generateKeyPairSync } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { journalOf } from '#tests/support/app/zones/zones'
import { fieldOf, shownRecords } from '#tests/support/web/review'
import { signedIn, type WebClient } from '#tests/support/web/client'
import { WIZARDS } from '#dns/wizards/registry'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

const path = (rest = '') => `/zones/${zone.id}/wizards${rest}`

/** Returns the stored form texts of a user as they were sent. */
async function storedTexts(userId: number): Promise<string[]> {
  const rows: { name: string; content: string }[] = await db
    .from('zw_form_results')
    .where('user_id', userId)
    .orderBy('part')
  const pages = Map.groupBy(rows, ({ name }) => name)
  return [...pages.values()].map((parts) => {
    const text = parts.map(({ content }) => content).join('')
    return gunzipSync(Buffer.from(text, 'base64')).toString()
  })
}

test.group('Wizards in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    client = await signedIn(admin)
  })

  test('each wizard has a page for users who may write the zone', async ({ assert }) => {
    const reader = await signedIn(await owner(zone, ['zone_content_view_own']))
    const stranger = await signedIn(
      await owner(await createZone(as, { name: zoneNamed() }), ['zone_content_view_own'])
    )
    for (const kind of ['', ...WIZARDS.map((wizard) => `/${wizard.kind}`)]) {
      const page = await client.get(path(kind))
      assert.equal(page.status, 200, kind)
      assert.notMatch(page.html, /translation missing/)
    }
    assert.equal(await reader.statusOf(path('/spf')), 403)
    assert.equal(await stranger.statusOf(path('/spf')), 404)
    assert.equal(await client.statusOf(path('/nonsense')), 404)
  })

  test('an existing policy is loaded, changed in the review, and not written before', async ({
    assert,
  }) => {
    await createRecord(as, zone, { name: '@', type: 'TXT', content: '"v=spf1 mx -all"' })
    const { length: entries } = await journalOf(zone.id)
    const form = await client.get(path('/spf'))
    assert.match(form.html, /value="-all" selected/)
    const values = { name: '@', mx: 'on', includes: '_spf.example.net', all: '-all' }
    const preview = await client.post(path('/spf'), values)
    assert.equal(preview.status, 200)
    assert.lengthOf(await journalOf(zone.id), entries)
    const changes = preview.hidden('changes')
    const plan = await client.post(`/zones/${zone.id}/plan`, { changes }, { from: path('/spf') })
    assert.equal(plan.status, 200)
    assert.lengthOf(await journalOf(zone.id), entries)
    const applied = await client.post(
      `/zones/${zone.id}/apply`,
      { changes: fieldOf(plan, 'changes'), plan_hash: fieldOf(plan, 'plan_hash') },
      { from: path('/spf') }
    )
    assert.equal(applied.status, 303)
    const contents = await contentsOf(zone)
    const texts = contents.filter((line) => line.includes('v=spf1'))
    assert.lengthOf(texts, 1)
    assert.include(texts[0], 'include:_spf.example.net')
    const loaded = await client.post(path('/spf'), { ...values, includes: 'x.example', load: 'on' })
    assert.equal(loaded.typed('includes'), '_spf.example.net')
    const secondPage = await client.post(path('/spf'), values)
    assert.equal(secondPage.hidden('changes'), '')
  })

  test('a requested disabled record is enabled with its comment', async ({ assert }) => {
    const content = '"v=spf1 mx -all"'
    const comment = 'of the office'
    const apply = async (changes: string) => {
      const plan = await client.post(`/zones/${zone.id}/plan`, { changes }, { from: path('/spf') })
      assert.equal(plan.status, 200)
      const applied = await client.post(
        `/zones/${zone.id}/apply`,
        { changes: fieldOf(plan, 'changes'), plan_hash: fieldOf(plan, 'plan_hash') },
        { from: path('/spf') }
      )
      assert.equal(applied.status, 303)
    }
    const off = { action: 'create', name: '@', type: 'TXT', content, disabled: true, comment }
    await apply(JSON.stringify([{ key: 'new 1', ...off }]))
    const preview = await client.post(path('/spf'), { name: '@', mx: 'on', all: '-all' })
    await apply(preview.hidden('changes'))
    const secondPage = await client.post(path('/spf'), { name: '@', mx: 'on', all: '~all' })
    const [change] = JSON.parse(secondPage.hidden('changes')) as Record<string, unknown>[]
    const was = { content: 'v=spf1 mx -all', disabled: false, comment }
    assert.containsSubset(change, { action: 'update', was })
    await apply(secondPage.hidden('changes'))
    const stored = shownRecords(await client.get(`/zones/${zone.id}`))
    const now = stored.filter(({ type }) => type === 'TXT').map((record) => record.comment)
    assert.deepEqual(now, [comment])
  })

  test('the mail wizard changes three RRsets in one draft', async ({ assert }) => {
    const values = {
      name: '@',
      hosts: 'mx1.example.net\n5 mx2.example.net',
      all: '~all',
      p: 'none',
      rua: 'a@example.net',
    }
    const preview = await client.post(path('/mail'), values)
    const changes = preview.hidden('changes')
    assert.lengthOf(JSON.parse(changes), 4)
    const plan = await client.post(`/zones/${zone.id}/plan`, { changes }, { from: path('/mail') })
    assert.equal(plan.status, 200)
    assert.match(plan.html, /_dmarc/)
  })

  test('errors are shown at their field with the values; a private key is never returned', async ({
    assert,
  }) => {
    const spf = await client.post(path('/spf'), {
      name: '@',
      all: '-all',
      ip: '"><script>x</script>',
    })
    assert.equal(spf.status, 422)
    assert.notInclude(spf.html, '<script>x')
    assert.include(spf.html, 'is not an address or network')
    const key = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----'
    const dkim = await client.post(path('/dkim'), { selector: 's1', name: '@', key })
    assert.equal(dkim.status, 422)
    assert.notInclude(dkim.html, 'c2VjcmV0')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const whole = privateKey.export({ type, format: 'der' }).toString('base64')
      for (const pasted of [whole, whole.slice(0, 900), whole.slice(64)]) {
        for (const more of <Record<string, string>[]>[
          { selector: 's1' },
          { selector: 'a b' },
          { selector: 's1', load: '1' },
        ]) {
          const shown = await client.post(path('/dkim'), { name: '@', key: pasted, ...more })
          assert.notInclude(shown.html, pasted.slice(100, 140))
        }
      }
    }
    const fields = { name: '@', port: '443', protocol: 'tcp', certificate: key, load: '1' }
    const tlsa = await client.post(path('/tlsa'), fields)
    assert.notInclude(tlsa.html, 'c2VjcmV0')
    const formTexts = await storedTexts(admin.id)
    assert.isNotEmpty(formTexts)
    const der = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
    const inner = privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')
    for (const secret of ['c2VjcmV0', der.slice(100, 140), inner.slice(100, 140)]) {
      assert.isFalse(formTexts.some((text) => text.includes(secret)))
    }
    const named = await client.post(path('/verification'), { name: 'a..b', text: 'x' })
    assert.equal(named.status, 422)
    assert.equal(await client.statusOf(path('/spf?name=a..b')), 422)
    const long = await client.post(path('/verification'), { name: '@', text: 'x'.repeat(30_000) })
    assert.equal(long.status, 400)
  })
})
