import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  caller,
  dataOf,
  createRecord,
  createZone,
  statusOf,
  type Caller,
} from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { journalOf } from '#tests/support/app/zones/zones'
import { WebClient, type Page } from '#tests/support/web/client'
import { entryOf, fieldOf, shownRecords, wordsOf } from '#tests/support/web/review'

let admin: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

type Change = Record<string, unknown>

const path = (rest = '') => `/zones/${zone.id}${rest}`
const from = { from: '/zones' }

function plan(changes: Change[], more: Record<string, string | string[]> = {}): Promise<Page> {
  return client.post(path('/plan'), { changes: JSON.stringify(changes), ...more }, from)
}

/** Applies the plan on a page with its form. */
function apply(page: Page, more: Record<string, string | string[]> = {}): Promise<Page> {
  const fields = { changes: fieldOf(page, 'changes'), plan_hash: fieldOf(page, 'plan_hash') }
  return client.post(path('/apply'), { ...fields, ...more }, from)
}

/** Returns a change of the record with this content, as the editor's script builds it. */
async function change(content: string, fields: Change, action = 'update'): Promise<Change> {
  const page = await client.get(path())
  const shown = shownRecords(page).find((record) => record.content === content)
  if (!shown) throw new Error(`No record ${content} is shown`)
  const { id, tag, ...was } = shown
  return { key: id, action, id, tag, was, since: entryOf(page), ...fields }
}

/** Returns the records of www with their comments. */
async function www(): Promise<string[]> {
  const page = await client.get(path())
  return shownRecords(page)
    .filter(({ name }) => name === 'www')
    .map(({ content, ttl, comment }) => `${ttl} ${content}${comment && ` ; ${comment}`}`)
    .sort()
}

/** Returns the contents of an owner name below the zone. */
async function contentsNamed(name: string): Promise<string[]> {
  const page = await client.get(path())
  return shownRecords(page).flatMap((one) => (one.name === name ? [one.content] : []))
}

/** Returns the choice field of the single conflicting RRset on a page. */
const choiceField = (page: Page) => /name="(keep-[0-9a-f]+)"/.exec(page.html)?.[1] ?? 'none'

const replaceWww = (...records: { content: string }[]) =>
  as.put(`/zones/${zone.id}/rrsets`, { name: 'www', type: 'A', ttl: 3600, records })

test.group('Drafts of the zone editor', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    client = new WebClient()
    await client.signIn(admin)
    for (const content of ['192.0.2.1', '192.0.2.2']) {
      await createRecord(as, zone, { name: 'www', type: 'A', content, ttl: 3600 })
    }
  })

  for (const [choice, outcome] of [
    ['mine', ['3600 192.0.2.11', '3600 192.0.2.2']],
    ['theirs', ['3600 192.0.2.2', '3600 192.0.2.9']],
    ['both', ['3600 192.0.2.11', '3600 192.0.2.2', '3600 192.0.2.9']],
  ] as const) {
    test(`the selected version of a conflicting RRset is planned: ${choice}`, async ({
      assert,
    }) => {
      const mine = await change('192.0.2.1', { content: '192.0.2.11' })
      const other = { key: 'new 1', action: 'create', name: 'ftp', type: 'A', content: '192.0.2.7' }
      await replaceWww({ content: '192.0.2.9' }, { content: '192.0.2.2' })
      const lateSubmission = await plan([mine, other])
      assert.equal(lateSubmission.status, 412)
      const words = wordsOf(lateSubmission)
      assert.include(words, 'Original')
      assert.match(words, /Your version.*192\.0\.2\.11.*Current version.*192\.0\.2\.9/)
      assert.notInclude(lateSubmission.html, 'formaction')
      const chosen = { [choiceField(lateSubmission)]: choice }
      const rebased = await plan([mine, other], chosen)
      assert.equal(rebased.status, 200)
      assert.include(rebased.html, 'data-rebased')
      const before = await www()
      assert.deepEqual(before, ['3600 192.0.2.2', '3600 192.0.2.9'])
      const resultPage = await apply(rebased)
      assert.equal(resultPage.status, 303)
      assert.deepEqual(await www(), [...outcome])
      const remaining = await contentsOf(zone)
      assert.include(remaining.join('\n'), '192.0.2.7')
    })
  }

  test('a review shows changed answers in the language of the page, also in the dialog', async ({
    assert,
  }) => {
    const deleted = [await change('192.0.2.1', {}, 'delete')]
    for (const part of ['page', 'plan']) {
      const ask = (language: string) => {
        const headers = { 'accept-language': language, 'x-fragment': part }
        return client.post(
          path('/plan'),
          { changes: JSON.stringify(deleted) },
          { ...from, headers }
        )
      }
      const [english, german] = [wordsOf(await ask('en')), wordsOf(await ask('de'))]
      assert.include(english, `www.${zone.name} A: 192.0.2.1 removed`)
      assert.include(german, `www.${zone.name} A: 192.0.2.1 entfernt`)
      assert.notInclude(german, 'removed')
    }
  })

  test('changed and deleted records are conflicts too', async ({ assert }) => {
    const mine = await change('192.0.2.1', {}, 'delete')
    const also = await change('192.0.2.2', { ttl: 60 })
    await as.put(`/zones/${zone.id}/records/${String(mine.id)}`, { content: '192.0.2.8' })
    await as.delete(`/zones/${zone.id}/records/${String(also.id)}`)
    const lateSubmission = await plan([mine, also])
    assert.equal(lateSubmission.status, 412)
    await apply(await plan([mine, also], { [choiceField(lateSubmission)]: 'mine' }))
    assert.deepEqual(await www(), ['60 192.0.2.2'])
  })

  test('selecting the other version everywhere leaves no changes', async ({ assert }) => {
    const mine = await change('192.0.2.1', { content: '192.0.2.11' })
    await replaceWww({ content: '192.0.2.9' })
    const lateSubmission = await plan([mine])
    const emptyPage = await plan([mine], { [choiceField(lateSubmission)]: 'theirs' })
    assert.equal(emptyPage.status, 200)
    assert.include(wordsOf(emptyPage), 'No pending changes')
    assert.deepEqual(await www(), ['3600 192.0.2.9'])
  })

  test('a record whose row has another TTL is planned without a conflict', async ({ assert }) => {
    const own = { domain_id: zone.id, content: '192.0.2.2' }
    await db.from('records').where(own).update({ ttl: 7200 })
    const mine = await change('192.0.2.2', { ttl: 3600 })
    const planned = await plan([mine])
    assert.equal(planned.status, 200)
    assert.notInclude(wordsOf(planned), 'Current version')
    await apply(planned)
    assert.deepEqual(await www(), ['3600 192.0.2.1', '3600 192.0.2.2'])
  }).tags(['@sql'])

  test('another user may change another record of the RRset', async ({ assert }) => {
    const mine = await change('192.0.2.1', { content: '192.0.2.11' })
    const theirs = await change('192.0.2.2', {})
    await as.put(`/zones/${zone.id}/records/${String(theirs.id)}`, { content: '192.0.2.22' })
    await apply(await plan([mine]))
    assert.deepEqual(await www(), ['3600 192.0.2.11', '3600 192.0.2.22'])
  })

  test('only selected changes are applied', async ({ assert }) => {
    const changes = [
      await change('192.0.2.1', { content: '192.0.2.11' }),
      { key: 'new 1', action: 'create', name: 'www', type: 'A', content: '192.0.2.300' },
      await change('192.0.2.2', {}, 'delete'),
    ]
    const errorPage = await plan(changes)
    assert.equal(errorPage.status, 422)
    assert.include(errorPage.html, 'name="pick"')
    const picking = { picking: '1' }
    const emptyPage = await plan(changes, picking)
    assert.equal(emptyPage.status, 422)
    const some = await plan(changes, { ...picking, pick: ['0', '2'] })
    assert.equal(some.status, 200)
    const words = wordsOf(some)
    assert.include(words, 'www A 192.0.2.1: content 192.0.2.11')
    assert.include(words, 'Delete: www A 192.0.2.2')
    assert.include(words, '1 change remains')
    const otherPage = await apply(some, { ...picking, pick: '0' })
    assert.equal(otherPage.status, 409)
    assert.deepEqual(await www(), ['3600 192.0.2.1', '3600 192.0.2.2'])
    const resultPage = await apply(some, { ...picking, pick: ['0', '2'] })
    assert.equal(resultPage.status, 303)
    assert.deepEqual(await www(), ['3600 192.0.2.11'])
  })

  test('comments are added, move with their record, and are deleted', async ({ assert }) => {
    const page = await plan([await change('192.0.2.1', { comment: 'the <b>first' })])
    assert.include(wordsOf(page), 'comment the <b>first')
    const response = await apply(page)
    assert.equal(response.status, 303)
    const zonePage = await client.get(path())
    assert.include(wordsOf(zonePage), 'Comments saved')
    assert.deepEqual(await www(), ['3600 192.0.2.1 ; the <b>first', '3600 192.0.2.2'])
    assert.notInclude(zonePage.html, '<b>first')
    await apply(await plan([await change('192.0.2.1', { content: '192.0.2.11' })]))
    assert.deepEqual(await www(), ['3600 192.0.2.11 ; the <b>first', '3600 192.0.2.2'])
    await apply(await plan([await change('192.0.2.11', { comment: '' })]))
    assert.deepEqual(await www(), ['3600 192.0.2.11', '3600 192.0.2.2'])
  })

  test('a conflicting comment is shown, and the user selects one', async ({ assert }) => {
    const [one, other, moved] = [
      await change('192.0.2.1', { comment: 'of one' }),
      await change('192.0.2.1', { comment: 'of another' }),
      await change('192.0.2.1', { content: '192.0.2.11' }),
    ]
    const form = path(`/records/${String(one.id)}/edit`)
    const shown = await client.get(form)
    const [was, tag, since] = ['was', 'tag', 'since'].map((name) => fieldOf(shown, name))
    await apply(await plan([one]))
    const values = { name: 'www', type: 'A', content: '192.0.2.1', ttl: '3600', priority: '' }
    const typed = { ...values, comment: 'of another', was, tag, since }
    for (const lateSubmission of [await plan([other]), await client.post(form, typed, from)]) {
      assert.equal(lateSubmission.status, 412)
      const words = wordsOf(lateSubmission)
      assert.include(words, 'The comment of www A 192.0.2.1 was changed in the meantime.')
      assert.match(
        words,
        /Your version.*192\.0\.2\.1 ; of another.*Current version.*192\.0\.2\.1 ; of one/
      )
      assert.notInclude(words, 'Keep both')
      const began = words.slice(words.indexOf('Original'), words.indexOf('Your version'))
      assert.notInclude(began, ' ; ')
    }
    assert.deepEqual(await www(), ['3600 192.0.2.1 ; of one', '3600 192.0.2.2'])
    const lateSubmission = await plan([other])
    const changes = JSON.parse(fieldOf(lateSubmission, 'changes')) as Change[]
    await apply(await plan(changes, { [choiceField(lateSubmission)]: 'mine' }))
    assert.deepEqual(await www(), ['3600 192.0.2.1 ; of another', '3600 192.0.2.2'])
    // The comment of one user moves with the record that another user changes.
    await apply(await plan([moved]))
    assert.deepEqual(await www(), ['3600 192.0.2.11 ; of another', '3600 192.0.2.2'])
  })

  test('an equal comment of another user is no conflict', async ({ assert }) => {
    await createRecord(as, zone, { name: 'ftp', type: 'A', content: '192.0.2.3', ttl: 3600 })
    const [one, other, moved] = [
      await change('192.0.2.1', { comment: 'of both' }),
      await change('192.0.2.1', { comment: '; of both ', content: '192.0.2.11' }),
      await change('192.0.2.3', { content: '192.0.2.13' }),
    ]
    await apply(await plan([one]))
    await apply(await plan([{ ...moved, content: '192.0.2.23' }]))
    const planPage = await plan([other, moved])
    assert.equal(planPage.status, 412)
    assert.lengthOf(new Set(planPage.html.match(/keep-[0-9a-f]+/g)), 1)
    const singlePage = await plan([other])
    assert.equal(singlePage.status, 200)
    await apply(singlePage)
    assert.deepEqual(await www(), ['3600 192.0.2.11 ; of both', '3600 192.0.2.2'])
  })

  test('records with comments of maximum length are changed and deleted', async ({ assert }) => {
    const long = 'x'.repeat(2000)
    const file = `www 3600 IN A 192.0.2.1 ; ${long}\nwww 3600 IN A 192.0.2.2\n`
    const doneResponse = await as.post(`/zones/${zone.id}/import`, {
      zone_file: file,
      mode: 'merge',
    })
    doneResponse.assertStatus(200)
    const { id } = await change('192.0.2.1', {})
    const form = path(`/records/${String(id)}/edit`)
    const shown = await client.get(form)
    assert.match(shown.html, /<input[^>]* name="comment"[^>]* maxlength="2000"/)
    const [comment, was, tag] = ['comment', 'was', 'tag'].map((name) => fieldOf(shown, name))
    const values = { name: 'www', type: 'A', content: '192.0.2.11', ttl: '3600', priority: '' }
    const typed = await client.post(form, { ...values, comment, was, tag }, from)
    assert.equal(typed.status, 200)
    await apply(typed)
    assert.deepEqual(await www(), [`3600 192.0.2.11 ; ${long}`, '3600 192.0.2.2'])
    const other = long.replaceAll('x', 'y')
    await apply(await plan([await change('192.0.2.11', { comment: other })]))
    assert.deepEqual(await www(), [`3600 192.0.2.11 ; ${other}`, '3600 192.0.2.2'])
    await apply(await plan([await change('192.0.2.11', {}, 'delete')]))
    assert.deepEqual(await www(), ['3600 192.0.2.2'])
  })

  test('two changes of one record are merged, including the comment', async ({ assert }) => {
    const first = await change('192.0.2.1', { content: '192.0.2.11', comment: 'of the first' })
    const { id, tag } = first
    const second = { key: 'second', action: 'update', id, tag, content: '192.0.2.12' }
    await apply(await plan([first, second]))
    assert.deepEqual(await www(), ['3600 192.0.2.12 ; of the first', '3600 192.0.2.2'])
  })

  test('a new record without a TTL gets the TTL of its RRset', async ({ assert }) => {
    const fields = { key: 'new 1', action: 'create', name: 'www', type: 'A', content: '192.0.2.3' }
    await apply(await plan([fields]))
    assert.deepEqual(await www(), ['3600 192.0.2.1', '3600 192.0.2.2', '3600 192.0.2.3'])
  })

  test('PTR records are planned and applied with their addresses', async ({ assert }) => {
    const octets = [1, 2].map(() => Math.floor(Math.random() * 256))
    const network = `10.${octets.join('.')}`
    const reverse = await createZone(as, {
      name: `${octets.toReversed().join('.')}.10.in-addr.arpa`,
    })
    const added = { action: 'create', name: 'mail', type: 'A', ptr: true }
    const page = await plan([
      { key: 'new 1', ...added, content: `${network}.5` },
      { key: 'new 2', ...added, content: '198.51.100.77' },
    ])
    const words = wordsOf(page)
    assert.include(words, reverse.name)
    assert.include(words, 'there is no reverse zone for 198.51.100.77 that you can edit')
    const resultPage = await apply(page)
    assert.equal(resultPage.status, 303)
    const mirrored = async () => {
      const lines = await contentsOf(reverse)
      return lines.join('\n')
    }
    assert.include(await mirrored(), `mail.${zone.name}`)
    // The page offers to undo both changes together. After a further change of one zone, it offers neither.
    const zonePage = await client.get(path())
    const [undo] = /\/zones\/\d+\/history\/\d+\/undo\?with=[\d:]+/.exec(zonePage.html) ?? ['']
    assert.include(undo, `with=${reverse.id}:`)
    const pointer = { name: '5', type: 'PTR', content: `other.${zone.name}` }
    const moved = await as.put(`/zones/${reverse.id}/rrsets`, {
      ...pointer,
      records: [{ content: pointer.content }],
    })
    moved.assertStatus(200)
    const own = { name: 'mail', type: 'A' }
    const taken = await dataOf(as.get(`/zones/${zone.id}/rrsets/mail/A`), 'rrset')
    await as.put(`/zones/${zone.id}/rrsets`, { ...own, records: [{ content: '192.0.2.99' }] })
    const refused = await client.post(undo, {}, from)
    assert.equal(refused.status, 409)
    for (const { name } of [zone, reverse]) {
      assert.match(wordsOf(refused), new RegExp(`Entry \\d+ of zone .{0,9}${name}.{0,9} cannot`))
    }
    assert.lengthOf(await contentsNamed('mail'), 1)
    await as.put(`/zones/${zone.id}/rrsets`, { ...own, ttl: taken.ttl, records: taken.records })
    await as.put(`/zones/${reverse.id}/rrsets`, {
      ...pointer,
      records: [{ content: `mail.${zone.name}` }],
    })
    const shown = await client.get(undo)
    assert.include(wordsOf(shown), reverse.name)
    assert.equal(await statusOf(client.post(undo, {}, from)), 303)
    const undone = await client.get(path())
    assert.include(wordsOf(undone), 'Change reverted in 2 zones')
    for (const { id } of [zone, reverse]) {
      const number = new RegExp(`(?:/zones/${id}/history/|${id}:)(\\d+)`).exec(undo)?.[1]
      const entries = await journalOf(id)
      const { origin_kind: kind, origin_id: of } = entries.at(-1)!
      assert.deepEqual([kind, of], ['undo', number])
    }
    assert.lengthOf(await contentsNamed('mail'), 0)
    assert.notInclude(await mirrored(), `mail.${zone.name}`)
    const [redo] = /\/zones\/\d+\/history\/\d+\/undo\?with=[\d:]+/.exec(undone.html) ?? ['']
    assert.equal(await statusOf(client.post(redo, {}, from)), 303)
    assert.include(await mirrored(), `mail.${zone.name}`)
    const moving = await change(`${network}.5`, { content: `${network}.6`, ptr: true })
    await apply(await plan([moving]))
    const { html } = await client.get(`/zones/${reverse.id}?type=PTR`)
    assert.include(html, '"name":"6"'.replaceAll('"', '&quot;'))
    assert.notInclude(html, '"name":"5"'.replaceAll('"', '&quot;'))
  })

  for (const [field, text] of [
    ['ttl', 'abc'],
    ['ttl', '-1'],
    ['priority', '1o'],
    ['priority', '70000'],
  ]) {
    test(`a ${field} of "${text}" gets an error at its record, which can be excluded`, async ({
      assert,
    }) => {
      const sound = await change('192.0.2.2', { content: '192.0.2.22', ttl: '1h' })
      const wrong = await change('192.0.2.1', { content: '192.0.2.11', [field]: text })
      const planPage = await plan([sound, wrong])
      assert.equal(planPage.status, 422)
      assert.include(wordsOf(planPage), `"${text}"`)
      assert.match(planPage.html, /class="check problem".*www A 192\.0\.2\.1:/)
      assert.equal(fieldOf(planPage, 'plan_hash'), '')
      const [, kept] = JSON.parse(fieldOf(planPage, 'changes')) as Change[]
      assert.equal(kept[field], text)
      await apply(await plan([sound, wrong], { picking: '1', pick: '0' }), {
        picking: '1',
        pick: '0',
      })
      assert.deepEqual(await www(), ['3600 192.0.2.1', '3600 192.0.2.22'])
    })
  }

  test('forms of one record report the same errors', async ({ assert }) => {
    const mine = await change('192.0.2.1', {})
    const form = path(`/records/${String(mine.id)}/edit`)
    const shown = await client.get(form)
    const was = fieldOf(shown, 'was')
    const [tag, since] = [fieldOf(shown, 'tag'), fieldOf(shown, 'since')]
    await replaceWww({ content: '192.0.2.9' })
    const values = { name: 'www', type: 'A', content: '192.0.2.11', ttl: '', priority: '' }
    const lateSubmission = await client.post(form, { ...values, was, tag, since }, from)
    assert.equal(lateSubmission.status, 412)
    assert.include(wordsOf(lateSubmission), 'Current version')
    const changes = JSON.parse(fieldOf(lateSubmission, 'changes')) as Change[]
    await apply(await plan(changes, { [choiceField(lateSubmission)]: 'mine' }))
    assert.deepEqual(await www(), ['3600 192.0.2.11', '3600 192.0.2.2'])
  })

  test('the form of a record keeps its comment when its content changes', async ({ assert }) => {
    await apply(await plan([await change('192.0.2.1', { comment: 'shop' })]))
    assert.deepEqual(await www(), ['3600 192.0.2.1 ; shop', '3600 192.0.2.2'])
    const mine = await change('192.0.2.1', {})
    const form = path(`/records/${String(mine.id)}/edit`)
    const shown = await client.get(form)
    const [was, tag, since] = ['was', 'tag', 'since'].map((name) => fieldOf(shown, name))
    const values = { name: 'www', type: 'A', content: '192.0.2.11', ttl: '', priority: '' }
    const planned = await client.post(form, { ...values, comment: 'shop', was, tag, since }, from)
    await apply(planned)
    assert.deepEqual(await www(), ['3600 192.0.2.11 ; shop', '3600 192.0.2.2'])
  })
})
