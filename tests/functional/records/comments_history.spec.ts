// @api-backend(all)
import { test } from '@japa/runner'
import type { RRsetKey } from '#dns/types'
import db from '@adonisjs/lucid/services/db'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import {
  newest,
  restore,
  historyEntries,
  undo,
  writeExternally,
} from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { withReviewSettings } from '#tests/support/app/review'
import { fileOf } from '#tests/support/app/zones/zone_files'
import { signedIn } from '#tests/support/web/client'

interface Item {
  content: string
  comment?: string
}

test.group('Comments of records in the history', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  /** Entry 1 creates the zone. Entry 2 adds two records, the first with a comment. */
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await write(A, B)
  })

  const A = { content: '"a"', comment: 'first' }
  const B = { content: '"b"' }

  const submit = (op: 'set' | 'add' | 'clear', records: Item[], overrides: object = {}) => {
    const action = { op, name: `www.${zone.name}`, type: 'TXT', ttl: 300 }
    return as.post('/changes', {
      actions: [op === 'clear' ? action : { ...action, records }],
      ...overrides,
    })
  }
  const write = async (...records: Item[]) => {
    const response = await submit('set', records)
    response.assertStatus(201)
    return response.body().data.change.zones[0]
  }
  /** Returns the records of the RRset with their comments, as in an export. */
  const lines = async (text?: string) => {
    const file = text ?? (await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file'))
    const all = (file as string).split('\n').filter((line) => line.startsWith('www '))
    return all.map((line) => line.replace(/^.*TXT\s+/, ''))
  }

  const tagOf = async () => {
    const response = await as.get(`/zones/${zone.id}`)
    return response.header('etag')
  }

  test('a change of a comment alone is an entry and keeps the serial', async ({ assert }) => {
    const tag = await tagOf()
    const dry = await submit('set', [{ ...A, comment: 'second' }, B], { dry_run: true })
    const plan = dry.body().data.plan
    const done = await write({ ...A, comment: 'second' }, B)
    assert.equal(done.entry, 3)
    assert.equal(done.serial_before, done.serial_after)
    const [entry] = await historyEntries(as, zone)
    const state = (comment: string) => ({
      ttl: 300,
      records: [
        { content: 'a', priority: 0, disabled: false, comment },
        { content: 'b', priority: 0, disabled: false },
      ],
    })
    const change = {
      name: `www.${zone.name}`,
      type: 'TXT',
      before: state('first'),
      after: state('second'),
      operations: ['update'],
    }
    assert.deepEqual(entry.changes, [change])
    assert.deepEqual(done.changes, [change])
    assert.deepEqual(plan.zones[0].changes, [change])
    assert.notEqual(await tagOf(), tag)
    assert.lengthOf(await historyEntries(as, zone, '&name=www&type=TXT'), 2)

    const again = await write({ ...A, comment: 'second' }, B)
    assert.isNull(again.entry)
    const staleResponse = await submit('set', [{ ...A, comment: 'third' }, B], {
      plan_hash: plan.plan_hash,
    })
    staleResponse.assertStatus(409)

    const input = [{ ...A, comment: 'third' }, B]
    const shown = await submit('set', input, { dry_run: true })
    await write({ ...A, comment: 'of somebody else' }, B)
    const { plan_hash: hash } = shown.body().data.plan
    const overtaken = await submit('set', input, { plan_hash: hash })
    overtaken.assertStatus(409)
    const moved = overtaken.body().data.moved.map(({ name, type }: RRsetKey) => [name, type])
    assert.deepEqual(moved, [[`www.${zone.name}`, 'TXT']])
    assert.deepEqual(await lines(), ['"a" ; of somebody else', '"b"'])
  })

  test('an undo restores a comment, and an undo of the undo removes it again', async ({
    assert,
  }) => {
    await write({ ...A, comment: 'second' }, B)
    const undoResponse = await undo(as, zone, 3)
    undoResponse.assertStatus(200)
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
    await undo(as, zone, 4)
    assert.deepEqual(await lines(), ['"a" ; second', '"b"'])
    await write({ ...A, comment: '' }, B)
    await undo(as, zone, 6)
    assert.deepEqual(await lines(), ['"a" ; second', '"b"'])
  })

  test('later changes of records do not prevent the undo, another comment does', async ({
    assert,
  }) => {
    await write({ ...A, comment: 'second' }, B)
    await write({ content: '"a"' }, { content: '"c"' })
    await undo(as, zone, 3)
    assert.deepEqual(await lines(), ['"a" ; first', '"c"'])
    await write({ ...A, comment: 'third' }, { content: '"c"' })
    const refused = await undo(as, zone, 5)
    refused.assertStatus(409)
    const conflicts = [{ name: `www.${zone.name}`, type: 'TXT', entry: 6 }]
    assert.deepEqual(refused.body().data.conflicts, conflicts)
    const merged = await undo(as, zone, 5, { merge: true })
    merged.assertStatus(200)
    assert.isNull(merged.body().data.change.zones[0].entry)
    assert.deepEqual(await lines(), ['"a" ; third', '"c"'])
  })

  test('a restored record has its earlier comment', async ({ assert }) => {
    await write(B)
    await write({ ...A, comment: 'later' }, B)
    await undo(as, zone, 4)
    await undo(as, zone, 3)
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
    for (const entry of [6, 5, 4, 3, 2]) await undo(as, zone, entry)
    assert.deepEqual(await lines(), [])
    assert.equal(await newest(zone), 11)
  })

  test('an undo of a comment on a deleted record is a conflict that can be excluded', async ({
    assert,
  }) => {
    await write({ ...A, comment: 'second' }, B)
    await write(B)
    const refused = await undo(as, zone, 3)
    refused.assertStatus(409)
    const conflicts = [{ name: `www.${zone.name}`, type: 'TXT', entry: 4 }]
    assert.deepEqual(refused.body().data.conflicts, conflicts)
    const merged = await undo(as, zone, 3, { merge: true })
    merged.assertStatus(200)
    assert.isNull(merged.body().data.change.zones[0].entry)
    await undo(as, zone, 4)
    assert.deepEqual(await lines(), ['"a" ; second', '"b"'])
  })

  test('a changed record keeps its comment', async ({ assert }) => {
    const file = fileOf('; above', 'www 300 TXT "a" ; first', 'www 300 TXT "b"')
    await as.post(`/zones/${zone.id}/import`, { zone_file: file, mode: 'merge' })
    const records = await dataOf(as.get(`/zones/${zone.id}/records`), 'records')
    const { id } = records.find(({ content }: Item) => /^"?a"?$/.test(content))
    const changed = await as.put(`/zones/${zone.id}/records/${id}`, { content: '"c"' })
    changed.assertStatus(200)
    assert.deepEqual(await lines(), ['"b"', '"c" ; first'])
    assert.include(await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file'), '; above')
    await undo(as, zone, await newest(zone))
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
  })

  test('a restore includes comments, and the history has them for any entry', async ({
    assert,
  }) => {
    await write({ ...A, comment: 'second' }, { ...B, comment: 'of b' })
    await submit('clear', [])
    await write({ ...A, comment: 'last' })
    const at = await as.get(`/zones/${zone.id}/at?entry=2`).header('accept', 'text/dns')
    assert.deepEqual(await lines(at.text()), ['"a" ; first', '"b"'])
    const earlier = await as.get(`/zones/${zone.id}/at?entry=3`).header('accept', 'text/dns')
    assert.deepEqual(await lines(earlier.text()), ['"a" ; second', '"b" ; of b'])
    const diff = await dataOf(as.get(`/zones/${zone.id}/diff?from=2`), 'changes')
    const commentsOf = (side: 'before' | 'after') =>
      diff[0][side].records.map(({ comment }: Item) => comment)
    assert.deepEqual([commentsOf('before'), commentsOf('after')], [['first', ''], ['last']])
    const part = await restore(as, zone, { entry: 3, name: 'www', type: 'TXT' })
    part.assertStatus(200)
    assert.deepEqual(await lines(), ['"a" ; second', '"b" ; of b'])
    await restore(as, zone, { entry: 2 })
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
    await as.put(`/zones/${zone.id}`, { name: zoneNamed() })
    await restore(as, zone, { entry: 3 })
    assert.deepEqual(await lines(), ['"a" ; second', '"b" ; of b'])
    const old = await as.get(`/zones/${zone.id}/at?entry=2`).header('accept', 'text/dns')
    assert.deepEqual(await lines(old.text()), ['"a" ; first', '"b"'])
  }).tags(['@sql'])

  test('the comment of the SOA record stays when its serial changes, and can be undone afterwards', async ({
    assert,
  }) => {
    const soa = () => dataOf(as.get(`/zones/${zone.id}/rrsets/@/SOA`), 'rrset.records.0.content')
    const setComment = async (comment: string) => {
      const records = [{ content: await soa(), comment }]
      const actions = [{ op: 'set', name: zone.name, type: 'SOA', records }]
      const response = await as.post('/changes', { actions })
      response.assertStatus(201)
    }
    const commentLines = async () => {
      const file = await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file')
      return / ; (of .*)/.exec(file as string)?.[1] ?? null
    }
    await setComment('of one')
    await write({ content: '"c"' })
    assert.equal(await commentLines(), 'of one')
    await setComment('of another')
    assert.lengthOf(await db.from('zw_record_comments').where({ zone_id: zone.id, type: 'SOA' }), 1)
    await write({ content: '"d"' })
    assert.equal(await commentLines(), 'of another')
    await undo(as, zone, 5)
    assert.equal(await commentLines(), 'of one')
    await undo(as, zone, 3)
    assert.isNull(await commentLines())
  })

  test('a comment refers to a record of another tool in its stored spelling', async ({
    assert,
  }) => {
    await writeExternally(zone, { name: 'away', type: 'CNAME', content: 'Target.EXAMPLE.net' })
    const name = `away.${zone.name}`
    const records = [{ content: 'Target.EXAMPLE.net', comment: 'of a tool' }]
    const action = { op: 'set', name, type: 'CNAME', records }
    const response = await as.post('/changes', { actions: [action] })
    response.assertStatus(201)
    assert.match(
      await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file'),
      /^away .* ; of a tool$/m
    )
  })

  test('an import of comments alone is an entry that can be undone', async ({ assert }) => {
    const zoneFile = fileOf('; above', 'www 300 TXT "a" ; from the file', 'www 300 TXT "b"')
    const imported = await as.post(`/zones/${zone.id}/import`, {
      zone_file: zoneFile,
      mode: 'merge',
    })
    const [done] = imported.body().data.change.zones
    assert.equal(done.entry, 3)
    assert.equal(done.changes[0].after.records[0].comment, 'above\nfrom the file')
    await undo(as, zone, 3)
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
    const file = await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file')
    assert.notInclude(file, 'above')
  })

  test('an undo of a comment requires review if records do', async ({ assert }) => {
    await write({ ...A, comment: 'second' }, B)
    await withReviewSettings({ require_review_for_all: true }, async () => {
      const filed = await undo(as, zone, 3)
      filed.assertStatus(202)
      const { id } = filed.body().data.change_request
      assert.deepEqual(await lines(), ['"a" ; second', '"b"'])
      const approved = await as.post(`/change-requests/${id}/approve`, {})
      approved.assertStatus(200)
    })
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
  })

  test('a requested import keeps the comments of unchanged records', async ({ assert }) => {
    const zoneFile = fileOf('www 300 TXT "a" ; first', 'www 300 TXT "b"', 'new 300 A 192.0.2.1')
    await withReviewSettings({ require_review_for_all: true }, async () => {
      const body = { zone_file: zoneFile, mode: 'merge' }
      const filed = await as.post(`/zones/${zone.id}/import`, body)
      filed.assertStatus(202)
      const { id } = filed.body().data.change_request
      const approved = await as.post(`/change-requests/${id}/approve`, {})
      approved.assertStatus(200)
    })
    assert.deepEqual(await lines(), ['"a" ; first', '"b"'])
  })

  test('the web interface shows the change of a comment and offers an undo', async ({ assert }) => {
    await write({ ...A, comment: 'second <b>' }, B)
    const client = await signedIn(admin)
    const page = await client.get(`/zones/${zone.id}/history/3`)
    assert.include(page.html, 'Only comments changed.')
    assert.include(page.html, '; first')
    assert.include(page.html, '; second &lt;b&gt;')
    const planned = await client.get(`/zones/${zone.id}/history/3/undo`)
    assert.include(planned.html, 'Only comments changed.')
    const otherPage = await client.get(`/zones/${zone.id}/history/2`)
    assert.notInclude(otherPage.html, 'Only comments changed.')
  })
})
