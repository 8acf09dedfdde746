// @databases @api-backend
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { feedTexts } from '#database/trigram_index/indexer'
import { TEXT_SOURCES } from '#database/trigram_index/source'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'

interface Result {
  kind: string
  zone_id: number
  zone_name: string
  record_id: number | null
  name: string
  type: string | null
  content: string | null
  score: number
}

async function resultsOf(as: Caller, q: string, more = ''): Promise<Result[]> {
  const response = await as.get(`/search?q=${encodeURIComponent(q)}${more}`)
  return response.body().data.results as Result[]
}

/** Returns kind, type and relative name of each result. */
function shown(results: Result[]): string[] {
  return results.map(({ kind, type, name, zone_name: zone }) =>
    [kind, type, name === zone ? '@' : name.replace(`.${zone}`, '')].filter(Boolean).join(' ')
  )
}

async function feedAll() {
  for (const source of TEXT_SOURCES) {
    while (await feedTexts(db.connection(), source));
  }
}

test.group('GET /search', (group) => {
  let owner: Person
  let as: Caller
  let word: string
  let zone: { id: number; name: string }
  group.each.setup(async (t) => {
    owner = await person({ template: 'Zone Manager' })
    as = caller(t.context.client, owner)
    word = `w${Math.random().toString(36).slice(2, 12)}q`
    zone = await createZone(as, { name: zoneNamed(word) })
    await createRecord(as, zone, { name: 'mail', type: 'A', content: '192.0.2.7', ttl: 300 })
    await createRecord(as, zone, { name: 'mailbox', type: 'TXT', content: `"has ${word} in it"` })
    await createRecord(as, zone, {
      name: '@',
      type: 'MX',
      content: `mail.${zone.name}`,
      priority: 10,
    })
  })

  test('a search finds texts with quotes', async ({ assert }) => {
    const content = String.raw`"it is a \"${word}x\" with \\ in it"`
    await createRecord(as, zone, { name: 'quoted', type: 'TXT', content })
    for (const state of ['noted', 'indexed']) {
      for (const query of [
        String.raw`"a \"${word}x\" with"`,
        String.raw`content:"${word}x\" with \\ in"`,
        String.raw`content:${word}x\"`,
      ]) {
        assert.deepEqual(
          shown(await resultsOf(as, query)),
          ['record TXT quoted'],
          `${state} ${query}`
        )
      }
      assert.isEmpty(await resultsOf(as, String.raw`"${word}x with"`))
      await feedAll()
    }
  })

  test('words find zones and records, best match first', async ({ assert }) => {
    for (const state of ['noted', 'indexed']) {
      const names = shown(await resultsOf(as, word))
      assert.equal(names[0], 'zone @', state)
      assert.sameMembers(names, [
        'zone @',
        'record SOA @',
        'record MX @',
        'record A mail',
        'record TXT mailbox',
      ])
      const [best] = await resultsOf(as, zone.name.toUpperCase())
      assert.include(best, { kind: 'zone', zone_id: zone.id, name: zone.name, score: 100 })
      assert.deepInclude(best, { record_id: null, type: null, content: null })
      await feedAll()
    }
  })

  test('fields narrow the results', async ({ assert }) => {
    const cases: [query: string, found: string[]][] = [
      ['type:mx', ['record MX @']],
      ['type:a,mx', ['record MX @', 'record A mail']],
      ['name:mail*', ['record A mail', 'record TXT mailbox']],
      ['name:mail.*', ['record A mail']],
      ['name:*ilbo?.*', ['record TXT mailbox']],
      ['content:192.0.2.', ['record A mail']],
      ['content:192.*.7', ['record A mail']],
      ['content:192.0_2.7', []],
      ['content:has*', ['record TXT mailbox']],
      ['content:H?S*it', ['record TXT mailbox']],
      ['content:*it', ['record TXT mailbox']],
      ['content:*has', []],
      ['content:as*it', []],
      ['content:*in*it type:TXT -content:has*', []],
      ['content:"192.*"', []],
      ['ttl<=300', ['record A mail']],
      ['ttl:300 type:A', ['record A mail']],
      ['ttl>300 type:A', []],
      ['disabled:true', []],
      ['disabled:false type:A', ['record A mail']],
      ['name:mail* -type:TXT', ['record A mail']],
      ['mail -name:mail*', ['record MX @']],
      ["'; drop table records; --", []],
      ['"100%"', []],
    ]
    for (const state of ['noted', 'indexed']) {
      for (const [query, found] of cases) {
        const results = await resultsOf(as, `${query} zone:${zone.name}`)
        assert.sameMembers(shown(results), found, `${state}: ${query}`)
      }
      await feedAll()
    }
  })

  test('an invalid query gets an error with the reason', async ({ assert }) => {
    const wrong = [
      '',
      '   ',
      'typo:x',
      'ttl<soon',
      'ttl:-1',
      'disabled:maybe',
      'name<3',
      '-',
      '"open',
      '""',
    ]
    wrong.push('type:a_b', 'type:', '-mail', 'x '.repeat(21), 'y'.repeat(1001))
    for (const query of wrong) {
      const response = await as.get(`/search?q=${encodeURIComponent(query)}`)
      response.assertStatus(400)
      assert.match(response.body().message, /^Query parameter 'q'/, query)
    }
  })

  test('results are paged, and a page after the end is empty', async ({ assert }) => {
    const all = await resultsOf(as, word)
    const first = await as.get(`/search?q=${word}&per_page=2`)
    assert.deepEqual(first.body().data.results, all.slice(0, 2))
    assert.isTrue(first.body().data.is_complete)
    assert.deepEqual(first.body().pagination, {
      current_page: 1,
      per_page: 2,
      total: 5,
      last_page: 3,
    })
    assert.deepEqual(await resultsOf(as, word, '&per_page=2&page=3'), all.slice(4))
    assert.deepEqual(await resultsOf(as, word, '&per_page=2&page=4'), [])
    const wholeResponse = await as.get(`/search?q=${word}&per_page=0`)
    assert.equal(wholeResponse.body().pagination.per_page, 50)
  })

  test('hidden objects are neither found nor counted', async ({ assert, client }) => {
    await expectStatus(as.put(`/zones/${zone.id}`, { description: `about ${word}` }), 200)
    await db.table('comments').insert({
      domain_id: zone.id,
      name: `mail.${zone.name}`,
      type: 'A',
      modified_at: 1,
      account: 'x',
      comment: `note of ${word}`,
    })
    const others = await person({ template: 'Zone Manager' })
    const ownZone = await createZone(caller(client, others), { name: zoneNamed('mine') })
    const elsewhere = await keyFor(others, { zones: [ownZone] })
    const narrowed = await keyFor(owner, { zones: [zone] })
    const blind = await person()
    for (const state of ['noted', 'indexed']) {
      for (const { key } of [others, blind, elsewhere]) {
        for (const query of [word, `zone:${zone.name}`, `comment:${word}`, `name:*${word}*`]) {
          const response = await caller(client, { key }).get(
            `/search?q=${encodeURIComponent(query)}`
          )
          assert.deepEqual(response.body().data, { results: [], is_complete: true }, state)
          assert.equal(response.body().pagination.total, 0)
        }
      }
      const seen = shown(await resultsOf(caller(client, narrowed), word))
      assert.includeMembers(seen, ['zone @', 'record A mail', 'comment @', 'comment A mail'], state)
      await feedAll()
    }
  }).tags(['@sql'])

  test('new objects are found at once, and deleted ones no longer', async ({ assert }) => {
    await feedAll()
    const record = await createRecord(as, zone, {
      name: 'fresh',
      type: 'TXT',
      content: `"old${word}"`,
    })
    assert.deepEqual(shown(await resultsOf(as, `old${word}`)), ['record TXT fresh'])
    await expectStatus(
      as.put(`/zones/${zone.id}/records/${record.id}`, { content: `"new${word}"` }),
      200
    )
    assert.deepEqual(await resultsOf(as, `old${word}`), [])
    assert.deepEqual(shown(await resultsOf(as, `new${word}`)), ['record TXT fresh'])
    await expectStatus(as.delete(`/zones/${zone.id}/records/${record.id}`), 204)
    assert.deepEqual(await resultsOf(as, `new${word}`), [])
    const other = zoneNamed(`moved-${word.slice(2)}`)
    await expectStatus(as.put(`/zones/${zone.id}`, { name: other }), 200)
    assert.deepEqual(await resultsOf(as, `name:${zone.name}`), [])
    assert.lengthOf(await resultsOf(as, `name:${other}`), 5)
  }).tags(['@sql'])

  test('rows of other tools are found', async ({ assert, client }) => {
    await feedAll()
    const row = { domain_id: zone.id, type: 'TXT', ttl: 60, prio: 0, disabled: false, auth: true }
    await db.table('records').insert({ ...row, name: `Tool.${zone.name}`, content: `by-${word}` })
    const [result] = await resultsOf(as, `content:by-${word}`)
    assert.include(result, { type: 'TXT', name: `tool.${zone.name}`, content: `by-${word}` })
    await db.table('domains').insert({ name: `foreign-${word}.example`, type: 'NATIVE' })
    const admin = caller(client, await administrator())
    const zones = await resultsOf(admin, `foreign-${word}`)
    assert.deepEqual(shown(zones), ['zone @'])
  }).tags(['@sql'])

  test('international names are found by their Unicode form', async ({ assert }) => {
    const parent = zoneNamed('idn')
    await createZone(as, { name: `münchen.${parent}` })
    for (const state of ['noted', 'indexed']) {
      for (const query of [`münchen.${parent}`, `MÜNCHEN.${parent}`, `münchen ${parent}`]) {
        const [best] = await resultsOf(as, query)
        assert.include(best, { kind: 'zone', name: `xn--mnchen-3ya.${parent}` }, state)
      }
      assert.isNotEmpty(await resultsOf(as, 'münchen'))
      await feedAll()
    }
  })

  test('letters that storage cannot contain find nothing without an error', async ({ assert }) => {
    for (const query of [
      'пример',
      'zone:пример.рф',
      'content:日本',
      'name:*日*',
      'comment:🦊',
      '🦊🦊🦊',
    ]) {
      assert.isEmpty(await resultsOf(as, query), query)
    }
  })
})
