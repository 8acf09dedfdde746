import type { BackendZone } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import type { RecordData, RRset, RRsetChange } from '#dns/types'
import type { Random } from '#tests/support/random'
import { find } from './bench.js'

/** A small tree with nested names, nested delegations, and wildcards at and below both. */
const OWNERS = [
  '@',
  'a',
  'b.a',
  'c.b.a',
  'd.c.b.a',
  '*',
  '*.a',
  '*.b.a',
  'cut',
  'ns.cut',
  'x.ns.cut',
  'in.cut',
  'ns.in.cut',
  '*.cut',
  'f',
  'h.g.f',
  'i.h.g.f',
  'ff',
  '_tcp',
  '_sip._tcp',
]

const CONTENTS: Record<string, string[]> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  AAAA: ['2001:db8::1', '2001:db8::2'],
  TXT: ['"one"', '"two"'],
  MX: ['mail.example', 'mx.example'],
  NS: ['ns1.elsewhere.example', 'ns2.elsewhere.example'],
  DS: [`1 13 2 ${'ab'.repeat(32)}`, `2 13 2 ${'cd'.repeat(32)}`],
  DNAME: ['target.example'],
}
/** Delegations are frequent, because they are the difficult cases. */
const TYPES = ['A', 'A', 'A', 'AAAA', 'TXT', 'MX', 'NS', 'NS', 'NS', 'DS', 'DS', 'DNAME']

type Pair = { name: string; type: string }

function randomPair(random: Random, apex: string): Pair {
  const owner = random.pick(OWNERS)
  const type = random.pick(TYPES)
  // The apex keeps its SOA and NS; a DS there would belong to the parent.
  const isApex = owner === '@'
  return {
    name: isApex ? apex : `${owner}.${apex}`,
    type: isApex && (type === 'NS' || type === 'DS') ? 'TXT' : type,
  }
}

function randomRecords(random: Random, type: string, before: RRset | null): RecordData[] {
  const contents = CONTENTS[type].filter(() => random.chance(0.6))
  const left = [...(before?.records ?? [])]
  return contents.map((content) => {
    const same = left.findIndex((record) => record.content === content)
    // Some records keep their row, some take the row of another, some are new.
    const reused = same === -1 && random.chance(0.5) ? 0 : same
    const [row] = reused === -1 ? [] : left.splice(reused, 1)
    return {
      ...(row && { id: row.id }),
      content,
      priority: type === 'MX' ? 10 : 0,
      disabled: random.chance(0.2),
    }
  })
}

function replaced(random: Random, { name, type }: Pair, stored: RRset[]): RRsetChange {
  const before = find(stored, name, type)
  const records = before && random.chance(0.45) ? [] : randomRecords(random, type, before)
  const after = records.length > 0 ? { name, type, ttl: random.pick([60, 300]), records } : null
  return { name, type, before, after }
}

/** Moves the rows of one RRset to another name, as an edit that renames it. */
function moved(from: Pair, to: Pair, stored: RRset[]): RRsetChange[] {
  const source = find(stored, from.name, from.type)
  const target = find(stored, to.name, from.type)
  if (!source || target || from.name === to.name) {
    return []
  }
  return [
    { ...from, before: source, after: null },
    {
      name: to.name,
      type: from.type,
      before: null,
      after: { ...source, name: to.name },
    },
  ]
}

/** Applies one random change set and returns its description. */
export async function randomStep(
  random: Random,
  session: WriteSession,
  zone: BackendZone
): Promise<string> {
  const pairs = new Map<string, Pair>()
  for (let i = 1 + random.below(4); i > 0; i -= 1) {
    const pair = randomPair(random, zone.name)
    pairs.set(`${pair.name} ${pair.type}`, pair)
  }
  const chosen = [...pairs.values()]
  const stored = await session.rrsetsAt(zone, [...new Set(chosen.map(({ name }) => name))])
  const isMove = chosen.length > 1 && chosen[1].name !== zone.name && random.chance(0.5)
  const moves = isMove ? moved(chosen[0], chosen[1], stored) : []
  const changes = moves.length > 0 ? moves : chosen.map((pair) => replaced(random, pair, stored))
  const real = changes.filter(({ before, after }) => before || after)
  await session.applyRRsets(zone, real)
  return real.map(describe).join('; ') || 'nothing'
}

function describe({ name, type, before, after }: RRsetChange): string {
  const show = (set: RRset | null) =>
    set
      ? set.records
          .map((record) => `${record.content}${record.disabled ? ' (disabled)' : ''}`)
          .join(', ')
      : '-'
  return `${name} ${type}: ${show(before)} => ${show(after)}`
}
