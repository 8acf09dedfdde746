import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, makeZone, type Caller } from '#tests/support/app/api'
import { isApiMode } from '#tests/support/app/backend'
import { foreignZone } from '#tests/support/app/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people'
import { journalOf } from '#tests/support/app/zones'
import { fieldOf, wordsOf } from '#tests/support/web/review'
import { inside, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let visitor: WebClient

const PATH = '/server/consistency'

/** The page of a check, from just before an id: what other tests made before is not looked at. */
const look = (check: string, id: number) => visitor.get(`${PATH}/${check}?after=${id - 1}`)

const plan = (check: string, ...ids: number[]) =>
  visitor.post(`${PATH}/${check}/plan`, { 'ids[]': ids.map(String) }, { from: `${PATH}/${check}` })

function apply(check: string, page: Page): Promise<Page> {
  const fields = { more: fieldOf(page, 'more'), plan_hash: fieldOf(page, 'plan_hash') }
  return visitor.post(`${PATH}/${check}/apply`, fields, { from: `${PATH}/${check}` })
}

const isListed = ({ html }: Page, id: number) => html.includes(`href="/zones/${id}"`)

/** Contents of the SOA records of a zone. */
async function soasOf(id: number): Promise<string[]> {
  const rows = await db.from('records').where({ domain_id: id, type: 'SOA' }).orderBy('id')
  return rows.map(({ content }) => content)
}

/** What a page or form is answered with. */
async function statusOf(answer: Promise<Page>): Promise<number> {
  const { status } = await answer
  return status
}

test.group('Consistency in the web interface', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    visitor = await inside(admin)
  })

  test('is for administrators alone', async ({ assert }) => {
    const other = await inside(await person({ permissions: ['server_status_view'] }))
    for (const rest of ['', '/no_soa']) {
      assert.equal(await statusOf(other.get(`${PATH}${rest}`)), 403)
    }
    for (const rest of ['/strays/plan', '/strays/apply', '/no_soa/apply']) {
      const refused = await other.post(`${PATH}${rest}`, {}, { from: '/account/password' })
      assert.equal(refused.status, 403)
    }
    assert.equal(await statusOf(visitor.get(PATH)), 200)
    assert.equal(await statusOf(visitor.get(`${PATH}/nothing`)), 404)
    const page = await visitor.get(`${PATH}/no_soa`)
    assert.equal(wordsOf(page).includes('it cannot be known from here'), isApiMode)
  })

  test('zones without an SOA record get one, as one planned change set', async ({ assert }) => {
    const [one, other] = [await foreignZone('MASTER'), await foreignZone('NATIVE')]
    const found = await look('no_soa', one.id)
    assert.isTrue(isListed(found, one.id) && isListed(found, other.id))
    assert.equal(await statusOf(plan('no_soa')), 422)
    const page = await plan('no_soa', one.id, other.id)
    assert.equal(page.status, 200)
    assert.include(page.html, 'class="in"')
    assert.deepEqual(await soasOf(one.id), [])
    const done = await apply('no_soa', page)
    assert.deepEqual([done.status, done.location], [303, `${PATH}/no_soa`])
    for (const zone of [one, other]) {
      assert.lengthOf(await soasOf(zone.id), 1)
      const entries = await journalOf(zone.id)
      assert.containSubset(entries.at(-1), { door: 'web', username: admin.username })
    }
    assert.isFalse(isListed(await look('no_soa', one.id), one.id))
    const again = await apply('no_soa', page)
    assert.equal(again.status, 409)
  }).tags(['@sql'])

  test('of several SOA records the newest stays', async ({ assert }) => {
    const zone = await makeZone(as, { name: zoneNamed('soas') })
    const [first] = await soasOf(zone.id)
    const newer = first.replace(/ 20\d{8} /, ' 2099010100 ')
    assert.notEqual(newer, first)
    const row = { domain_id: zone.id, name: zone.name, type: 'SOA', ttl: 3600, disabled: false }
    await db.table('records').insert({ ...row, content: newer, auth: true })
    const found = await look('several_soa', zone.id)
    assert.isTrue(isListed(found, zone.id))
    assert.include(wordsOf(found), '2 SOA records')
    const done = await apply('several_soa', await plan('several_soa', zone.id))
    assert.equal(done.status, 303)
    const left = await soasOf(zone.id)
    assert.lengthOf(left, 1)
    assert.match(left[0], / 20990101\d\d /)
  }).tags(['@sql'])

  test('records without a zone are deleted, and the audit log keeps them', async ({ assert }) => {
    const name = zoneNamed('stray')
    const row = { name, type: 'TXT', content: '"<b>left</b>"', ttl: 60, domain_id: null }
    await db.table('records').insert({ ...row, disabled: false, auth: true })
    const { id: found } = await db.from('records').where('name', name).firstOrFail()
    const id = Number(found)
    const zone = await makeZone(as, { name: zoneNamed() })
    const { id: other } = await db.from('records').where('domain_id', zone.id).firstOrFail()
    const page = await look('strays', id)
    assert.include(page.html, name)
    assert.notInclude(page.html, '<b>left')
    const asked = await plan('strays', id, Number(other))
    assert.equal(fieldOf(asked, 'more'), String(id))
    const done = await visitor.post(
      `${PATH}/strays/apply`,
      { more: `${id},${other}` },
      { from: `${PATH}/strays` }
    )
    assert.equal(done.status, 303)
    const left = await db.from('records').whereIn('id', [id, other]).select('id')
    assert.deepEqual(
      left.map((one) => Number(one.id)),
      [Number(other)]
    )
    const event = await db
      .from('zw_audit')
      .where('action', 'records.strays_removed')
      .orderBy('id', 'desc')
      .firstOrFail()
    assert.include(JSON.stringify(event.detail), name)
  }).tags(['@sql'])

  test('zones without an owner and secondaries without a primary lead to where they are mended', async ({
    assert,
  }) => {
    const [alone, replica] = [await foreignZone('NATIVE'), await foreignZone('SLAVE')]
    const found = await look('ownerless', alone.id)
    assert.isTrue(isListed(found, alone.id))
    assert.include(found.html, 'action="/zones/bulk"')
    const asked = await visitor.post(
      '/zones/bulk',
      { 'action': 'owner', 'ids[]': [String(alone.id)] },
      { from: `${PATH}/ownerless?after=${alone.id - 1}` }
    )
    assert.equal(asked.status, 200)
    const page = await look('no_primary', replica.id)
    assert.include(page.html, `/zones/${replica.id}/settings`)
    assert.isFalse(isListed(await look('no_soa', replica.id), replica.id))
  }).tags(['@sql'])

  test('signed zones with wrong rows are rectified', async ({ assert }) => {
    const zone = await makeZone(as, { name: zoneNamed('rows'), type: 'MASTER' })
    const key = { domain_id: zone.id, flags: 257, active: true, published: true, content: 'x' }
    await db.table('cryptokeys').insert(key)
    await db.from('records').where('domain_id', zone.id).update({ auth: false, ordername: 'zz' })
    const found = await look('wrong_rows', zone.id)
    assert.isTrue(isListed(found, zone.id))
    const done = await apply('wrong_rows', await plan('wrong_rows', zone.id))
    assert.equal(done.status, 303)
    assert.isFalse(isListed(await look('wrong_rows', zone.id), zone.id))
    await db.from('cryptokeys').where('domain_id', zone.id).delete()
  }).tags(['@sql'])
})
