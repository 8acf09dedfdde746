import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { inTransaction } from '#database/transaction'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { isApiMode } from '#tests/support/app/backend'
import { backendUnderTest, foreignZone } from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { decide, withReview } from '#tests/support/app/review'
import { journalOf } from '#tests/support/app/zones/zones'
import { fieldOf, wordsOf } from '#tests/support/web/review'
import { signedIn, type Page, type WebClient } from '#tests/support/web/client'

let admin: Person
let as: Caller
let visitor: WebClient

const PATH = '/server/consistency'

/** Requests the page of a check, starting at an id, without rows of earlier tests. */
const checkPage = (check: string, id: number) => visitor.get(`${PATH}/${check}?after=${id - 1}`)

const plan = (check: string, ...ids: number[]) =>
  visitor.post(`${PATH}/${check}/plan`, { 'ids[]': ids.map(String) }, { from: `${PATH}/${check}` })

function apply(check: string, page: Page): Promise<Page> {
  const fields = { more: fieldOf(page, 'more'), plan_hash: fieldOf(page, 'plan_hash') }
  return visitor.post(`${PATH}/${check}/apply`, fields, { from: `${PATH}/${check}` })
}

const isListed = ({ html }: Page, id: number) => html.includes(`href="/zones/${id}"`)

/** Returns the contents of the SOA records of a zone. */
async function soasOf(id: number): Promise<string[]> {
  const rows = await db.from('records').where({ domain_id: id, type: 'SOA' }).orderBy('id')
  return rows.map(({ content }) => content)
}

/** Returns the removed records in the audit log. */
async function removedOf(ids: number[]): Promise<Record<string, unknown>[]> {
  const rows = await db.from('zw_audit').where('action', 'records.strays_removed').orderBy('id')
  return rows
    .map(({ detail }) => JSON.parse(detail) as Record<string, unknown>)
    .filter(({ id }) => ids.includes(Number(id)))
}

/** Returns a transaction that calls `happen` before it deletes rows that were read before. */
function meanwhile(
  trx: TransactionClientContract,
  happen: () => PromiseLike<unknown>
): TransactionClientContract {
  const from = (table: string) => {
    const query = trx.from(table)
    const remove = query.delete.bind(query)
    return Object.assign(query, {
      delete: async () => {
        await happen()
        return remove()
      },
    })
  }
  return new Proxy(trx, {
    get: (target, name) => (name === 'from' ? from : Reflect.get(target, name)),
  })
}

/** Returns the status of a pending page. */
async function statusOf(answer: Promise<Page>): Promise<number> {
  const { status } = await answer
  return status
}

test.group('Consistency in the web interface', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    visitor = await signedIn(admin)
  })

  test('only administrators open the pages', async ({ assert }) => {
    const otherVisitor = await signedIn(await person({ permissions: ['server_status_view'] }))
    for (const rest of ['', '/no_soa']) {
      assert.equal(await statusOf(otherVisitor.get(`${PATH}${rest}`)), 403)
    }
    for (const rest of ['/strays/plan', '/strays/apply', '/no_soa/apply']) {
      const refused = await otherVisitor.post(`${PATH}${rest}`, {}, { from: '/account/password' })
      assert.equal(refused.status, 403)
    }
    assert.equal(await statusOf(visitor.get(PATH)), 200)
    assert.equal(await statusOf(visitor.get(`${PATH}/nothing`)), 404)
    const page = await visitor.get(`${PATH}/no_soa`)
    assert.equal(wordsOf(page).includes('Not available with this backend'), isApiMode)
  })

  test('zones without an SOA record get one in a planned change set', async ({ assert }) => {
    const [one, other] = [await foreignZone('MASTER'), await foreignZone('NATIVE')]
    const foundPage = await checkPage('no_soa', one.id)
    assert.isTrue(isListed(foundPage, one.id) && isListed(foundPage, other.id))
    assert.equal(await statusOf(plan('no_soa')), 422)
    const page = await plan('no_soa', one.id, other.id)
    assert.equal(page.status, 200)
    assert.include(page.html, 'class="in"')
    assert.deepEqual(await soasOf(one.id), [])
    const resultPage = await apply('no_soa', page)
    assert.deepEqual([resultPage.status, resultPage.location], [303, `${PATH}/no_soa`])
    for (const zone of [one, other]) {
      assert.lengthOf(await soasOf(zone.id), 1)
      const entries = await journalOf(zone.id)
      assert.containSubset(entries.at(-1), { channel: 'web', username: admin.username })
    }
    assert.isFalse(isListed(await checkPage('no_soa', one.id), one.id))
    const secondPage = await apply('no_soa', page)
    assert.equal(secondPage.status, 409)
  }).tags(['@sql'])

  test('a zone that cannot be repaired does not prevent the others', async ({ assert }) => {
    const [one, broken] = [await foreignZone('MASTER'), await foreignZone('MASTER')]
    const name = `broken..${broken.name}`
    await db.from('domains').where('id', broken.id).update({ name })
    const page = await plan('no_soa', broken.id, one.id)
    assert.equal(page.status, 200)
    assert.include(wordsOf(page), 'One of the selected zones cannot be fixed')
    assert.include(wordsOf(page), name)
    const resultPage = await apply('no_soa', page)
    assert.equal(resultPage.status, 303)
    assert.lengthOf(await soasOf(one.id), 1)
    assert.lengthOf(await soasOf(broken.id), 0)
    const singlePage = await plan('no_soa', broken.id)
    assert.equal(singlePage.status, 422)
    await db.from('domains').where('id', broken.id).delete()
  }).tags(['@sql'])

  test('ids that no zone can have are ignored', async ({ assert }) => {
    for (const check of ['no_soa', 'wrong_rows']) {
      assert.equal(await statusOf(visitor.get(`${PATH}/${check}?after=999999999999999`)), 200)
      for (const id of [2_147_483_648, 999_999_999_999_999]) {
        const { status } = await plan(check, id)
        assert.equal(status, 422)
      }
    }
  })

  test('of several SOA records the newest stays', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed('soas') })
    const [first] = await soasOf(zone.id)
    const newer = first.replace(/ 20\d{8} /, ' 2099010100 ')
    assert.notEqual(newer, first)
    const row = { domain_id: zone.id, name: zone.name, type: 'SOA', ttl: 3600, disabled: false }
    await db.table('records').insert({ ...row, content: newer, auth: true })
    const foundPage = await checkPage('several_soa', zone.id)
    assert.isTrue(isListed(foundPage, zone.id))
    assert.include(wordsOf(foundPage), '2 SOA records')
    const resultPage = await apply('several_soa', await plan('several_soa', zone.id))
    assert.equal(resultPage.status, 303)
    const left = await soasOf(zone.id)
    assert.lengthOf(left, 1)
    assert.match(left[0], / 20990101\d\d /)
  }).tags(['@sql'])

  test('without an enabled SOA record the newest disabled one stays; all stay disabled', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed('dark') })
    const [first] = await soasOf(zone.id)
    const [older, newer] = [2_030_010_100, 2_031_010_100].map((serial) =>
      first.replace(/ 20\d{8} /, ` ${serial} `)
    )
    await db.from('records').where({ domain_id: zone.id, type: 'SOA' }).update({ disabled: true })
    const row = { domain_id: zone.id, name: zone.name, type: 'SOA', ttl: 3600, disabled: true }
    await db
      .table('records')
      .multiInsert([newer, older].map((content) => ({ ...row, content, auth: true })))
    assert.isTrue(isListed(await checkPage('no_soa', zone.id), zone.id))
    const resultPage = await apply('no_soa', await plan('no_soa', zone.id))
    assert.equal(resultPage.status, 303)
    const served = async (disabled: boolean) => {
      const rows = await db
        .from('records')
        .where({ domain_id: zone.id, type: 'SOA', disabled })
        .orderBy('id')
      return rows.map(({ content }) => content)
    }
    assert.deepEqual(await served(false), [newer])
    assert.sameMembers(await served(true), [first, older])
    const entries = await journalOf(zone.id)
    assert.equal(entries.at(-1)?.serial_after, 2_031_010_100)

    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
    const [moved] = await served(false)
    assert.match(moved, / 20310101\d\d /)
    assert.sameMembers(await served(true), [first, older])
  }).tags(['@sql'])

  test('disabled SOA records stay next to the newest of several', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed('beside') })
    const [first] = await soasOf(zone.id)
    const row = { domain_id: zone.id, name: zone.name, type: 'SOA', ttl: 3600, auth: true }
    const of = (serial: number) => first.replace(/ 20\d{8} /, ` ${serial} `)
    await db.table('records').multiInsert([
      { ...row, content: of(2_030_010_100), disabled: false },
      { ...row, content: of(2_031_010_100), disabled: true },
    ])
    const resultPage = await apply('several_soa', await plan('several_soa', zone.id))
    assert.equal(resultPage.status, 303)
    const rows = await db.from('records').where({ domain_id: zone.id, type: 'SOA' }).orderBy('id')
    assert.deepEqual(
      rows.map(({ content, disabled }) => [content, Boolean(disabled)]),
      [
        [of(2_030_010_100), false],
        [of(2_031_010_100), true],
      ]
    )
  }).tags(['@sql'])

  test('records without a zone are deleted and stored in the audit log', async ({ assert }) => {
    const name = zoneNamed('stray')
    const row = { name, type: 'TXT', content: '"<b>left</b>"', ttl: 60, domain_id: null }
    await db.table('records').insert({ ...row, disabled: false, auth: true })
    const { id: found } = await db.from('records').where('name', name).firstOrFail()
    const id = Number(found)
    const zone = await createZone(as, { name: zoneNamed() })
    const { id: other } = await db.from('records').where('domain_id', zone.id).firstOrFail()
    const page = await checkPage('strays', id)
    assert.include(page.html, name)
    assert.notInclude(page.html, '<b>left')
    const planPage = await plan('strays', id, Number(other))
    assert.equal(fieldOf(planPage, 'more'), String(id))
    const resultPage = await visitor.post(
      `${PATH}/strays/apply`,
      { more: `${id},${other}` },
      { from: `${PATH}/strays` }
    )
    assert.equal(resultPage.status, 303)
    const left = await db.from('records').whereIn('id', [id, other]).select('id')
    assert.deepEqual(
      left.map((one) => Number(one.id)),
      [Number(other)]
    )
    const [event] = await removedOf([id])
    assert.deepEqual(event, {
      id,
      domain_id: null,
      name,
      type: 'TXT',
      ttl: 60,
      priority: null,
      disabled: false,
      content: ['"<b>left</b>"'],
    })
  }).tags(['@sql'])

  test('many and long records without a zone are stored completely', async ({ assert }) => {
    const name = zoneNamed('strays')
    const long = Array.from({ length: 60 }, (_, index) => `"${`${index}\\"é`.repeat(50)}"`).join(
      ' '
    )
    const contents = [
      long,
      ...Array.from({ length: 99 }, (_, index) => `"${index} ${'x'.repeat(200)}"`),
    ]
    await db.table('records').multiInsert(
      contents.map((content, index) => {
        const row = { name, type: 'TXT', content, ttl: index, prio: index, domain_id: null }
        return { ...row, disabled: index % 2 === 0, auth: true }
      })
    )
    const rows = await db.from('records').where('name', name).orderBy('id')
    const ids = rows.map((row) => Number(row.id))
    const resultPage = await visitor.post(
      `${PATH}/strays/apply`,
      { more: ids.join(',') },
      { from: `${PATH}/strays` }
    )
    assert.equal(resultPage.status, 303)
    assert.lengthOf(await db.from('records').whereIn('id', ids), 0)
    const events = await removedOf(ids)
    for (const [index, id] of ids.entries()) {
      const own = events.filter((event) => event.id === id)
      assert.equal(own.flatMap(({ content }) => content).join(''), contents[index])
      assert.containsSubset(own[0], {
        name,
        ttl: index,
        priority: index,
        disabled: index % 2 === 0,
      })
    }
    const parts = events.filter((event) => event.id === ids[0])
    assert.isAbove(parts.length, 1)
    assert.deepEqual(
      parts.map(({ part, parts: all }) => [part, all]),
      parts.map((_, index) => [index + 1, parts.length])
    )
    const pieces = events.flatMap(({ content }) => content as string[])
    assert.isTrue(pieces.every((piece) => piece.length <= 256))
  }).tags(['@sql'])

  test('a record that gets a zone during the removal stays', async ({ assert }) => {
    const name = zoneNamed('found')
    const row = { name, type: 'A', content: '192.0.2.1', ttl: 60, disabled: false, auth: true }
    await db.table('records').multiInsert([row, { ...row, content: '192.0.2.2' }])
    const [found, stray] = await db.from('records').where('name', name).orderBy('id')
    const zone = await foreignZone()
    const { inspection } = await backendUnderTest()
    const removed = await inTransaction(db.connection(), (trx) =>
      inspection!.removeStrays(
        [found, stray].map(({ id }) => Number(id)),
        meanwhile(trx, () =>
          trx.from('records').where('id', found.id).update({ domain_id: zone.id })
        )
      )
    )
    assert.deepEqual(
      removed.map(({ id }) => id),
      [Number(stray.id)]
    )
    const left = await db.from('records').where('name', name)
    assert.deepEqual(
      left.map(({ id, domain_id: domain }) => [Number(id), Number(domain)]),
      [[Number(found.id), zone.id]]
    )
  }).tags(['@sql'])

  test('zones without an owner and secondary zones without a primary link to the page that repairs them', async ({
    assert,
  }) => {
    const [alone, replica] = [await foreignZone('NATIVE'), await foreignZone('SLAVE')]
    const foundPage = await checkPage('ownerless', alone.id)
    assert.isTrue(isListed(foundPage, alone.id))
    assert.include(foundPage.html, 'action="/zones/bulk"')
    const response = await visitor.post(
      '/zones/bulk',
      { 'action': 'owner', 'ids[]': [String(alone.id)] },
      { from: `${PATH}/ownerless?after=${alone.id - 1}` }
    )
    assert.equal(response.status, 200)
    const page = await checkPage('no_primary', replica.id)
    assert.include(page.html, `/zones/${replica.id}/settings`)
    assert.isFalse(isListed(await checkPage('no_soa', replica.id), replica.id))
  }).tags(['@sql'])

  test('signed zones with wrong rows are rectified', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed('rows'), type: 'MASTER' })
    const key = { domain_id: zone.id, flags: 257, active: true, published: true, content: 'x' }
    await db.table('cryptokeys').insert(key)
    await db.from('records').where('domain_id', zone.id).update({ auth: false, ordername: 'zz' })
    const foundPage = await checkPage('wrong_rows', zone.id)
    assert.isTrue(isListed(foundPage, zone.id))
    const resultPage = await apply('wrong_rows', await plan('wrong_rows', zone.id))
    assert.equal(resultPage.status, 303)
    assert.isFalse(isListed(await checkPage('wrong_rows', zone.id), zone.id))
    await db.from('cryptokeys').where('domain_id', zone.id).delete()
  }).tags(['@sql'])
})

test.group('Consistency under review in the web interface', (group) => {
  group.setup(withReview({ require_review_for_all: true }))

  test('SOA records are repaired after an approval by another user', async ({ assert, client }) => {
    admin = await administrator()
    visitor = await signedIn(admin)
    const zone = await foreignZone('MASTER')
    const page = await plan('no_soa', zone.id)
    assert.equal(page.status, 200)
    const filed = await apply('no_soa', page)
    assert.deepEqual([filed.status, filed.location], [303, `${PATH}/no_soa`])
    assert.deepEqual(await soasOf(zone.id), [])
    const reviewer = caller(client, await administrator())
    const pending = await dataOf(
      reviewer.get(`/change-requests?zone_id=${zone.id}`),
      'change_requests'
    )
    assert.deepEqual(
      pending.map(({ status }: { status: string }) => status),
      ['pending']
    )
    const approved = await decide(reviewer, pending[0].id, 'approve')
    approved.assertStatus(200)
    assert.lengthOf(await soasOf(zone.id), 1)
    assert.isFalse(isListed(await checkPage('no_soa', zone.id), zone.id))
  }).tags(['@sql'])
})
