// @databases
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { feedTexts, verifyTexts } from '#database/trigram_index/indexer'
import { clearEngineCache } from '#database/trigram_index/engine'
import { zoneNamesContaining } from '#database/trigram_index/lookup'
import { buildTrigramIndex } from '#database/trigram_index/postgres'
import { TEXT_SOURCES, ZONE_TEXTS } from '#database/trigram_index/source'
import { caller, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'

/** Returns the names of zones that contain the text, from the product and from a scan of all names. */
async function found(text: string): Promise<{ found: string[]; wanted: string[] }> {
  const rows = db.from('zw_zones')
  const narrow = await zoneNamesContaining(db.connection(), 'zw_zones.name', text)
  narrow(rows)
  const named = (await rows.select('name')) as { name: string }[]
  const all = (await db.from('zw_zones').select('name')) as { name: string }[]
  const wanted = all.filter(({ name }) => name.includes(text.toLowerCase()))
  const names = (list: { name: string }[]) => list.map(({ name }) => name).sort()
  return { found: names(named), wanted: names(wanted) }
}

async function namesFound(text: string): Promise<string[]> {
  const result = await found(text)
  return result.found
}

async function feedAll() {
  for (const source of TEXT_SOURCES) {
    while (await feedTexts(db.connection(), source));
  }
}

test.group('Trigram index of zone names', (group) => {
  let as: Caller
  let word: string
  let id: number
  let name: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await person({ template: 'Administrator' }))
    word = `needle${Math.random().toString(36).slice(2, 10)}`
    name = zoneNamed(`hay-${word}-stack`)
    const zone = await createZone(as, { name })
    id = zone.id
  })

  const texts = (it: string) => [
    it,
    it.toUpperCase(),
    it.slice(3),
    it.slice(-3),
    it.slice(-2),
    `${it}-`,
  ]

  test('names are found before and after they are indexed', async ({ assert }) => {
    for (const state of ['noted', 'indexed']) {
      for (const text of [...texts(word), '%', '_', "'", '!', 'nothing-has-this']) {
        const { found: names, wanted } = await found(text)
        assert.deepEqual(names, wanted, `${state}: ${text}`)
      }
      assert.deepEqual(await namesFound(word), [name], state)
      await feedAll()
    }
  })

  test('renamed zones are found by the new name at once, and not by the old one', async ({
    assert,
  }) => {
    await feedAll()
    const other = zoneNamed(`renamed-${word.replace('needle', 'thread')}`)
    await expectStatus(as.put(`/zones/${id}`, { name: other }), 200)
    assert.deepEqual(await namesFound(word), [])
    assert.deepEqual(await namesFound(word.replace('needle', 'thread')), [other])
    await expectStatus(as.delete(`/zones/${id}`), 204)
    assert.deepEqual(await namesFound(word.replace('needle', 'thread')), [])
  })

  test('silent changes of other tools are found after a sweep, and never cause wrong results', async ({
    assert,
  }) => {
    await feedAll()
    await db
      .from('zw_zones')
      .where('id', id)
      .update({ name: `foreign-${name}` })
    await db.from('zw_text_marks').where('id', ZONE_TEXTS.number).update({ swept_to: 0 })
    await verifyTexts(db.connection(), ZONE_TEXTS, 1_000_000)
    assert.deepEqual(await namesFound(`foreign-hay-${word}`), [`foreign-${name}`])
    await db.from('zw_zones').where('id', id).update({ name })
    assert.deepEqual(await namesFound(`foreign-hay-${word}`), [])
  })

  test('names are found if PostgreSQL lacks its index', async ({ assert }) => {
    const client = db.connection()
    const isPostgres = client.dialect.name === 'postgres'
    if (isPostgres) {
      await client.rawQuery(`DROP INDEX ${ZONE_TEXTS.index}`)
      clearEngineCache()
    }
    try {
      await feedAll()
      const other = zoneNamed(`late-${word}`)
      await createZone(as, { name: other })
      assert.deepEqual(await namesFound(`late-${word}`), [other])
      await feedAll()
      assert.deepEqual(await namesFound(`late-${word}`), [other])
      assert.deepEqual(await namesFound(`hay-${word}`), [name])
    } finally {
      if (isPostgres) {
        assert.isNull(await buildTrigramIndex(client, ZONE_TEXTS))
        clearEngineCache()
      }
    }
  })

  test('the queue is empty after everything is indexed', async ({ assert }) => {
    await feedAll()
    for (const source of TEXT_SOURCES) {
      assert.isFalse(await feedTexts(db.connection(), source))
    }
    assert.lengthOf(await db.from('zw_text_pending').whereIn('source', [1, 2]), 0)
  })
})
