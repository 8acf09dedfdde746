import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { checkRules } from '#changes/planning/rules'
import { diffRRsets } from '#dns/diff'
import type { Violation } from '#dns/rules/violation'
import type { RRset } from '#dns/types'
import { Refusal } from '#exceptions/refusal'
import { MemoryReader } from './memory_reader.js'

const APEX = 'example.org'
const ZONE: BackendZone = { id: 1, name: APEX, kind: 'NATIVE', masters: [], account: null }

/** An RRset in short: relative owner, type, contents. `-` before a content disables it, `$` is the apex. */
type Short = [owner: string, type: string, ...contents: string[]]

const SOA: Short = ['@', 'SOA', 'ns1.example.net root.example.net 1 1 1 1 1']
const NS: Short = ['@', 'NS', 'ns1.example.net']

function nameOf(owner: string): string {
  return owner === '@' ? APEX : `${owner}.${APEX}`
}

function setOf([owner, type, ...contents]: Short, ttl = 3600): RRset {
  const records = contents.map((content) => ({
    content: content.replace(/^-/, '').replaceAll('$', APEX),
    priority: 0,
    disabled: content.startsWith('-'),
  }))
  return { name: nameOf(owner), type, ttl, records }
}

interface Step {
  there: Short[]
  /** RRsets after the step. An RRset without contents is deleted. */
  wanted: Short[]
  elsewhere?: string[]
  ttl?: number
}

/** Plans the step as app/changes/plan.ts does. Returns its reads and the results of the rules. */
async function check({ there, wanted, elsewhere, ttl }: Step) {
  const stored = [SOA, ...there].map((short) => setOf(short))
  const after = wanted.map((short) => setOf(short, ttl))
  const names = new Set([APEX, ...after.map(({ name }) => name)])
  const keys = new Set(after.map(({ name, type }) => `${name} ${type}`))
  const before = stored.filter(({ name }) => names.has(name))
  const rest = before.filter(({ name, type }) => !keys.has(`${name} ${type}`))
  const state = [...rest, ...after].filter(({ records }) => records.length > 0)
  const reader = new MemoryReader(stored, elsewhere)
  const warnings = await checkRules(reader, ZONE, before, state, diffRRsets(before, state))
  return { warnings, reads: reader.reads }
}

const short = ({ rule, name, type }: Violation) =>
  `${rule} ${name.slice(0, -APEX.length - 1) || '@'} ${type}`

async function warned(step: Step): Promise<string[]> {
  const { warnings } = await check(step)
  return warnings.map(short)
}

async function refusal(step: Step): Promise<Refusal> {
  try {
    const { warnings } = await check(step)
    throw new Error(`Not refused: ${warnings.map(short).join(', ')}`)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const ALIAS: Short = ['a', 'CNAME', 'x.test']

/** Refused steps, with a part of the error. */
const REFUSED: [what: string, says: string, there: Short[], wanted: Short[]][] = [
  ['an MX to an alias', 'a.example.org is an alias', [NS, ALIAS], [['@', 'MX', 'a.$']]],
  ['an NS to an alias', 'sub.example.org NS', [NS, ALIAS], [['sub', 'NS', 'a.$']]],
  ['an SRV to an alias', 'RFC 2782', [NS, ALIAS], [['_s._tcp', 'SRV', '1 1 a.$']]],
  ['an alias under an MX', '@', [NS, ['m', 'MX', 'a.$']], [ALIAS]],
  ['an alias under an SRV', '_s._tcp', [NS, ['_s._tcp', 'SRV', '1 1 a.$']], [ALIAS]],
  ['an alias under an NS of the apex', '@', [['@', 'NS', 'a.$']], [ALIAS]],
  ['both at once', 'is an alias', [NS], [ALIAS, ['m', 'MX', 'a.$']]],
  [
    'a second alias as target',
    'b.example.org is an alias',
    [NS, ALIAS, ['b', 'CNAME', 'x.test'], ['m', 'MX', 'a.$']],
    [['m', 'MX', 'a.$', 'b.$']],
  ],
  [
    'an alias in place of an address',
    'is an alias',
    [NS, ['m', 'MX', 'a.$'], ['a', 'A', '192.0.2.1']],
    [['a', 'A'], ALIAS],
  ],
  [
    'a record below a DNAME',
    'RFC 6672',
    [NS, ['d', 'DNAME', 'x.test']],
    [['a.b.d', 'A', '192.0.2.1']],
  ],
  [
    'a record below a DNAME at the apex',
    'RFC 6672',
    [NS, ['@', 'DNAME', 'x.test']],
    [['a', 'A', '192.0.2.1']],
  ],
  [
    'another record below a DNAME',
    'RFC 6672',
    [NS, ['d', 'DNAME', 'x.test'], ['a.d', 'A', '192.0.2.1']],
    [['a.d', 'TXT', '"x"']],
  ],
  [
    'a DNAME above a record',
    'a.b.d.example.org A',
    [NS, ['a.b.d', 'A', '192.0.2.1']],
    [['d', 'DNAME', 'x.test']],
  ],
  [
    'a DNAME above a record that changes',
    'a.d.example.org A',
    [NS, ['a.d', 'A', '192.0.2.1']],
    [
      ['d', 'DNAME', 'x.test'],
      ['a.d', 'A', '192.0.2.2'],
    ],
  ],
  [
    'a DNAME above what is left',
    'z.d.example.org A',
    [
      NS,
      ...Array.from({ length: 40 }, (_, i): Short => [`a${i}.d`, 'A', '192.0.2.1']),
      ['z.d', 'A', '192.0.2.1'],
    ],
    [['d', 'DNAME', 'x.test'], ...Array.from({ length: 40 }, (_, i): Short => [`a${i}.d`, 'A'])],
  ],
  ['a DS at the apex', 'RFC 4035', [NS], [['@', 'DS', '1 13 2 ab']]],
]

/** Accepted steps, with their warnings. */
const TOLD: [what: string, warnings: string[], there: Short[], wanted: Short[]][] = [
  ['an address', [], [NS], [['www', 'A', '192.0.2.1']]],
  ['an address in a zone without name servers', [], [], [['www', 'A', '192.0.2.1']]],
  ['the last NS of the apex goes', ['apex-ns @ NS'], [NS], [['@', 'NS']]],
  [
    'the last NS of the apex is disabled',
    ['apex-ns @ NS'],
    [NS],
    [['@', 'NS', '-ns1.example.net']],
  ],
  [
    'one of two NS of the apex goes',
    [],
    [['@', 'NS', 'ns1.test', 'ns2.test']],
    [['@', 'NS', 'ns2.test']],
  ],
  ['a text at the apex without name servers', [], [], [['@', 'TXT', '"x"']]],

  ['an MX to a host', [], [NS, ['m', 'A', '192.0.2.1']], [['@', 'MX', 'm.$']]],
  ['an MX to nothing', ['mx-target-missing @ MX'], [NS], [['@', 'MX', 'm.$']]],
  [
    'an MX with its host',
    [],
    [NS],
    [
      ['@', 'MX', 'm.$'],
      ['m', 'A', '192.0.2.1'],
    ],
  ],
  ['an MX under a wildcard', [], [NS, ['*.b', 'A', '192.0.2.1']], [['@', 'MX', 'm.a.b.$']]],
  ['an MX into a delegation', [], [NS, ['sub', 'NS', 'x.test']], [['@', 'MX', 'm.a.sub.$']]],
  ['an MX below a DNAME', [], [NS, ['d', 'DNAME', 'x.test']], [['@', 'MX', 'm.d.$']]],
  [
    'a host of an MX goes with it',
    [],
    [NS, ['m', 'A', '192.0.2.1'], ['@', 'MX', 'm.$']],
    [
      ['m', 'A'],
      ['@', 'MX'],
    ],
  ],
  [
    'an old warning about a set that changes',
    ['mx-target-missing @ MX'],
    [NS, ['@', 'MX', 'm.$']],
    [['@', 'MX', 'm.$', 'x.test']],
  ],
  ['an old warning about another set', [], [NS, ['@', 'MX', 'm.$']], [['@', 'TXT', '"x"']]],
  [
    'an MX that pointed to an alias already',
    [],
    [NS, ALIAS, ['m', 'MX', 'a.$', 'x.test']],
    [['m', 'MX', 'a.$']],
  ],
  [
    'an alias that was pointed to already',
    [],
    [NS, ALIAS, ['m', 'MX', 'a.$']],
    [['a', 'CNAME', 'y.test']],
  ],
  [
    'a text beside an alias with company',
    [],
    [NS, ALIAS, ['a', 'A', '192.0.2.1']],
    [['a', 'TXT', '"x"']],
  ],

  [
    'a delegation with glue',
    [],
    [NS],
    [
      ['sub', 'NS', 'ns.sub.$'],
      ['ns.sub', 'A', '192.0.2.1'],
    ],
  ],
  [
    'a delegation whose glue is there',
    [],
    [NS, ['ns.sub', 'A', '192.0.2.1']],
    [['sub', 'NS', 'ns.sub.$']],
  ],
  ['a delegation without glue', ['glue-missing sub NS'], [NS], [['sub', 'NS', 'ns.sub.$']]],
  [
    'a delegation above records',
    ['occluded a.sub TXT', 'occluded b.c.sub A'],
    [NS, ['a.sub', 'TXT', '"x"'], ['b.c.sub', 'A', '192.0.2.1']],
    [['sub', 'NS', 'x.test']],
  ],
  [
    'a delegation above the glue of a neighbour',
    [],
    [NS, ['other', 'NS', 'ns.sub.$'], ['ns.sub', 'A', '192.0.2.1']],
    [['sub', 'NS', 'x.test']],
  ],
  [
    'a delegation that is there already',
    [],
    [NS, ['sub', 'NS', 'x.test'], ['a.sub', 'TXT', '"x"']],
    [['sub', 'NS', 'y.test']],
  ],
  [
    'a delegation beside a text',
    ['occluded sub TXT'],
    [NS, ['sub', 'TXT', '"x"']],
    [['sub', 'NS', 'x.test']],
  ],
  [
    'a delegation above many records',
    Array.from({ length: 10 }, (_, i) => `occluded a${i + 10}.sub TXT`),
    [NS, ...Array.from({ length: 30 }, (_, i): Short => [`a${i + 10}.sub`, 'TXT', '"x"'])],
    [['sub', 'NS', 'x.test']],
  ],
  [
    'a record below a delegation',
    ['occluded a.b.sub A'],
    [NS, ['sub', 'NS', 'x.test']],
    [['a.b.sub', 'A', '192.0.2.1']],
  ],
  ['glue for a delegation', [], [NS, ['sub', 'NS', 'ns.sub.$']], [['ns.sub', 'A', '192.0.2.1']]],
  [
    'glue for a neighbour',
    [],
    [NS, ['other', 'NS', 'ns.sub.$'], ['sub', 'NS', 'x.test']],
    [['ns.sub', 'A', '192.0.2.1']],
  ],
  [
    'a DNAME in place of records',
    [],
    [NS, ['a.d', 'A', '192.0.2.1']],
    [
      ['a.d', 'A'],
      ['d', 'DNAME', 'x.test'],
    ],
  ],
  [
    'a record below a DNAME is deleted',
    [],
    [NS, ['d', 'DNAME', 'x.test'], ['a.d', 'A', '192.0.2.1']],
    [['a.d', 'A']],
  ],
  [
    'another address below a DNAME where some are',
    [],
    [NS, ['d', 'DNAME', 'x.test'], ['a.d', 'A', '192.0.2.1']],
    [['a.d', 'A', '192.0.2.1', '192.0.2.2']],
  ],
  [
    'two SPF policies',
    ['spf-single www TXT'],
    [NS, ['www', 'TXT', '"v=spf1 mx"']],
    [['www', 'TXT', '"v=spf1 mx"', '"v=spf1 a"']],
  ],
]

test.group('rules of a change', () => {
  for (const [what, expectedText, there, wanted] of REFUSED) {
    test(`${what} is refused`, async ({ assert }) => {
      const { status, message } = await refusal({ there, wanted })
      assert.equal(status, 400)
      assert.include(message, expectedText === '@' ? 'is an alias' : expectedText)
    })
  }

  for (const [what, warnings, there, wanted] of TOLD) {
    test(`${what}: ${warnings.join(', ') || 'no warning'}`, async ({ assert }) => {
      assert.deepEqual(await warned({ there, wanted }), warnings)
    })
  }

  test('an existing record is a conflict, even with other errors', async ({ assert }) => {
    const { status } = await refusal({ there: [NS, ALIAS], wanted: [['@', 'MX', 'a.$', 'a.$']] })
    assert.equal(status, 409)
  })

  test('an alias in another zone is a warning only', async ({ assert }) => {
    const existing: Short[] = [NS, ['sub', 'NS', 'x.test']]
    const wanted: Short[] = [
      ['@', 'MX', 'alias.test', 'host.test'],
      ['_s._tcp', 'SRV', '1 1 alias.test'],
      ['1', 'PTR', 'alias.test'],
      ['other', 'NS', 'alias.sub.$'],
    ]
    const step = { there: existing, wanted, elsewhere: ['alias.test', `alias.sub.${APEX}`] }
    assert.deepEqual(await warned(step), [
      'ptr-target-alias 1 PTR',
      'srv-target-alias _s._tcp SRV',
      'mx-target-alias @ MX',
      'ns-target-alias other NS',
    ])
  })

  test('a warning has the new TTL of the other records', async ({ assert }) => {
    const existing: Short[] = [NS, ['www', 'A', '192.0.2.1']]
    const wanted: Short[] = [['www', 'A', '192.0.2.1', '192.0.2.2']]
    const { warnings } = await check({ there: existing, wanted, ttl: 60 })
    assert.deepEqual(warnings.map(short), ['set-ttl www A'])
    assert.include(warnings[0].message, 'all 2 records')
    assert.include(warnings[0].message, 'from 3600 to 60 seconds')
    assert.deepEqual(await warned({ there: existing, wanted, ttl: 3600 }), [])
    const alone: Short[] = [['www', 'A', '192.0.2.1']]
    assert.deepEqual(await warned({ there: existing, wanted: alone, ttl: 60 }), [])
  })

  test('a step without changes reads nothing', async ({ assert }) => {
    const { warnings, reads } = await check({ there: [], wanted: [] })
    assert.deepEqual([warnings, reads], [[], []])
  })
})

/** Reads of single writes in addition to the reads of the plan. */
const COSTS: [what: string, reads: string[], there: Short[], wanted: Short[]][] = [
  ['an address', [], [], [['www', 'A', '192.0.2.1']]],
  ['a text at the apex', [], [], [['@', 'TXT', '"x"']]],
  ['an address further down', ['cutsAt'], [], [['a.b', 'A', '192.0.2.1']]],
  ['a deletion further down', [], [['a.b', 'A', '192.0.2.1']], [['a.b', 'A']]],
  ['an MX in the zone', ['rrsetsAt'], [], [['@', 'MX', 'm.$']]],
  ['an MX elsewhere', ['aliasesAmong'], [], [['@', 'MX', 'm.test']]],
  ['a PTR', ['aliasesAmong'], [], [['1', 'PTR', 'm.test']]],
  ['an SRV in the zone', ['rrsetsAt', 'cutsAt'], [], [['_s._tcp', 'SRV', '1 1 m.$']]],
  ['a new alias', ['rrsetsPointingTo'], [], [ALIAS]],
]

test.group('Reads of the rules', () => {
  for (const [what, reads, there, wanted] of COSTS) {
    test(`${what}: ${reads.join(', ') || 'nothing'}`, async ({ assert }) => {
      const cost = await check({ there: [NS, ...there], wanted })
      assert.deepEqual(cost.reads, reads)
    })
  }

  test('50 000 RRsets in one change are checked in a few seconds', async ({ assert }) => {
    const wanted: Short[] = [['m', 'A', '192.0.2.1']]
    for (let i = 0; i < 10_000; i++) {
      wanted.push(
        [`d${i}`, 'NS', `ns.d${i}.$`],
        [`ns.d${i}`, 'A', '192.0.2.1'],
        [`x${i}`, 'MX', 'm.$'],
        [`c${i}`, 'CNAME', `x${i}.$`],
        [`${[...String(i)].join('.')}.t`, 'TXT', '"x"']
      )
    }
    const before = [SOA, NS].map((it) => setOf(it))
    const after = [...before, ...wanted.map((it) => setOf(it))]
    const changes = diffRRsets(before, after)
    // Reads are free here: the test measures the rules.
    const start = process.cpuUsage()
    const warnings = await checkRules(new MemoryReader(before), ZONE, before, after, changes)
    const { user, system } = process.cpuUsage(start)
    assert.deepEqual(warnings, [])
    assert.isBelow((user + system) / 1_000_000, 3)
  })
})
