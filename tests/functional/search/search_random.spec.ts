// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { feedTexts } from '#database/trigram_index/indexer'
import { TEXT_SOURCES } from '#database/trigram_index/source'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'
import { Random, seedOfRun } from '#tests/support/random'

/** As in lists/properties.spec.ts. */
const SEED = seedOfRun()
const RUNS = Number(process.env.LIST_RUNS ?? 40)

/** A zone or a record. */
interface Row {
  id: string
  zone: string
  name: string
  /** null for a zone. */
  record: { type: string; content: string; ttl: number; disabled: boolean } | null
}

/** A condition as text, and its meaning according to docs/reference/api.md. */
interface Condition {
  text: string
  holds: (row: Row) => boolean
}

const PARTS = ['mail', 'ost', 'H', '192.0.2.1', 'x y', 'B2', 'nowhere', '10', 'te', '%', '_', '-b']
const PATTERNS = ['mail*', '*host*', 'h?st*', '*.*', '*', '192.0.2.?', '*Y*', '?', '*10*']
const TTL = { '<': below, '<=': atMost, '=': same, ':': same, '>=': atLeast, '>': above }

function below(one: number, other: number) {
  return one < other
}
function atMost(one: number, other: number) {
  return one <= other
}
function same(one: number, other: number) {
  return one === other
}
function atLeast(one: number, other: number) {
  return one >= other
}
function above(one: number, other: number) {
  return one > other
}

function has(value: string | undefined, part: string): boolean {
  return value !== undefined && value.toLowerCase().includes(part.toLowerCase())
}

/** Returns the stored content. A TXT record of one string has quotes. */
function storedContent({ record }: Row): string | undefined {
  return record?.type === 'TXT' ? `"${record.content}"` : record?.content
}

function matches(value: string | undefined, pattern: string): boolean {
  const source = [...pattern.toLowerCase()].map((character) =>
    character === '*' ? '.*' : character === '?' ? '.' : character.replace(/[^a-z0-9]/, '\\$&')
  )
  return value !== undefined && new RegExp(`^${source.join('')}$`, 's').test(value.toLowerCase())
}

/** Generates all single conditions, none of them negated. */
function conditionsOf(zones: string[]): fc.Arbitrary<Condition> {
  const fields = {
    name: (row: Row) => row.name,
    content: (row: Row) => storedContent(row),
  }
  const quoted = (part: string) => `"${part}"`
  const words = PARTS.map((part) => ({
    text: quoted(part),
    holds: (row: Row) => has(row.name, part) || has(row.record?.content, part),
  }))
  const inFields = Object.entries(fields).flatMap(([field, of]) => [
    ...PARTS.map((part) => ({
      text: `${field}:${quoted(part)}`,
      holds: (row: Row) => has(of(row), part),
    })),
    ...PATTERNS.map((pattern) => ({
      text: `${field}:${pattern}`,
      // A text condition also matches the content without quotes, as it is shown.
      holds: (row: Row) =>
        matches(of(row), pattern) || (field === 'content' && matches(row.record?.content, pattern)),
    })),
  ])
  const inZones = [...zones, 'elsewhere.test', `*.${zones[0].split('.')[1]}.test`, 'Z*'].map(
    (zone) => ({ text: `zone:${zone}`, holds: (row: Row) => matches(row.zone, zone) })
  )
  const types = ['A', 'mx', 'A,TXT', 'SOA', 'AAAA'].map((list) => ({
    text: `type:${list}`,
    holds: ({ record }: Row) =>
      record !== null && list.toUpperCase().split(',').includes(record.type),
  }))
  const ttls = Object.entries(TTL).flatMap(([sign, compare]) =>
    [60, 300].map((seconds) => ({
      text: `ttl${sign}${seconds}`,
      holds: ({ record }: Row) => record !== null && compare(record.ttl, seconds),
    }))
  )
  const states = [true, false].map((state) => ({
    text: `disabled:${state}`,
    holds: ({ record }: Row) => record?.disabled === state,
  }))
  const of = (some: Condition[]) => fc.constantFrom(...some)
  return fc.oneof(of(words), of(inFields), of(inZones), of([...types, ...ttls, ...states]))
}

/** Generates up to three conditions. The first one is not negated. */
function queriesOf(zones: string[]): fc.Arbitrary<Condition> {
  const one = conditionsOf(zones)
  const more = fc.tuple(one, fc.boolean()).map(([{ text, holds }, isNegated]) => ({
    text: isNegated ? `-${text}` : text,
    holds: (row: Row) => holds(row) !== isNegated,
  }))
  return fc.tuple(one, fc.array(more, { maxLength: 2 })).map(([first, others]) => ({
    text: [first, ...others].map(({ text }) => text).join(' '),
    holds: (row: Row) => [first, ...others].every(({ holds }) => holds(row)),
  }))
}

test.group('Random searches', (group) => {
  let as: Caller
  const zones: string[] = []
  const rows: Row[] = []

  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    const random = new Random(SEED)
    as = caller(t.context.client, await person({ template: 'Zone Manager' }))
    const word = unique('z').slice(0, 9)
    for (const label of ['zone', 'mail', 'host10']) {
      const zone = await createZone(as, { name: `${label}.${word}.test` })
      zones.push(zone.name)
      const operations = Array.from({ length: 12 }, (_, index) => {
        const [type, content, more] = random.pick([
          ['A', `192.0.2.${index}`, {}],
          ['TXT', `"${random.pick(['x y', 'Mail', '10%', 'a_b'])} ${index}"`, {}],
          ['MX', `mail${index}.example.net`, { priority: 10 }],
        ])
        const name = `${random.pick(['mail', 'host', 'b2', 'a-b'])}${index}`
        const ttl = random.pick([60, 300, 3600])
        return { action: 'create', name, type, content, ttl, disabled: random.chance(0.2), ...more }
      })
      await expectStatus(as.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
      rows.push({ id: `zone ${zone.id}`, zone: zone.name, name: zone.name, record: null })
      const records: (NonNullable<Row['record']> & { id: number; name: string })[] = await dataOf(
        as.get(`/zones/${zone.id}/records`),
        'records'
      )
      for (const { id, name, ...record } of records) {
        rows.push({ id: `record ${id}`, zone: zone.name, name, record })
      }
    }
    return () => {
      zones.length = 0
      rows.length = 0
    }
  })

  for (const state of ['before they are indexed', 'afterwards']) {
    test(`random searches match their reference, ${state} (ZW_SEED=${SEED})`, async ({
      assert,
    }) => {
      for (const source of state === 'afterwards' ? TEXT_SOURCES : []) {
        while (await feedTexts(db.connection(), source));
      }
      await fc.assert(
        fc.asyncProperty(queriesOf(zones), async ({ text, holds }) => {
          const response = await as.get(`/search?q=${encodeURIComponent(text)}&per_page=1000`)
          assert.equal(response.status(), 200, `${text}: ${response.text()}`)
          const { data, pagination } = response.body()
          const found: { kind: string; zone_id: number; record_id: number; score: number }[] =
            data.results
          const ids = found.map((hit) => `${hit.kind} ${hit.record_id ?? hit.zone_id}`)
          const wanted = rows.filter(holds).map(({ id }) => id)
          assert.sameMembers(ids, wanted, text)
          assert.equal(pagination.total, wanted.length, text)
          assert.isTrue(data.is_complete, text)
          const scores = found.map(({ score }) => score)
          assert.deepEqual(
            scores,
            scores.toSorted((one, other) => other - one),
            text
          )
        }),
        { numRuns: RUNS, seed: SEED }
      )
    })
  }
})
