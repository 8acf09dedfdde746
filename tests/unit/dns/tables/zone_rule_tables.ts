import type { RRset } from '#dns/types'

export const APEX = 'example.org'

/** An RRset in short: relative owner, type, contents. `-` before a content disables it, `$` is the apex. */
export type Short = [owner: string, type: string, ...contents: string[]]

/** Returns the RRsets of a zone. */
export function zoneOf(sets: Short[]): RRset[] {
  return sets.map(([owner, type, ...contents]) => ({
    name: owner === '@' ? APEX : `${owner}.${APEX}`,
    type,
    ttl: 3600,
    records: contents.map((content) => ({
      content: content.replace(/^-/, '').replaceAll('$', APEX),
      priority: 0,
      disabled: content.startsWith('-'),
    })),
  }))
}

export const SOA: Short = ['@', 'SOA', 'ns1.example.net root.example.net 1 1 1 1 1']
export const APEX_SETS: Short[] = [SOA, ['@', 'NS', 'ns1.example.net']]
/** RRsets in addition to SOA and NS, and the rules that they break. */
export const ZONES: [what: string, sets: Short[], broken: string[]][] = [
  ['an empty zone', [], []],

  [
    'an MX to a host',
    [
      ['@', 'MX', 'mail.$'],
      ['mail', 'A', '192.0.2.1'],
    ],
    [],
  ],
  [
    'an MX to an alias',
    [
      ['@', 'MX', 'a.$'],
      ['a', 'CNAME', 'x.test'],
    ],
    ['mx-target-alias @ MX'],
  ],
  [
    'an MX to a disabled alias',
    [
      ['@', 'MX', 'a.$'],
      ['a', 'CNAME', '-x.test'],
    ],
    ['mx-target-missing @ MX', 'mx-target-alias @ MX'],
  ],
  [
    'an SRV to an alias',
    [
      ['_a._tcp', 'SRV', '1 1 a.$'],
      ['a', 'CNAME', 'x.test'],
    ],
    ['srv-target-alias _a._tcp SRV'],
  ],
  [
    'NS records to an alias',
    [
      ['sub', 'NS', 'a.$'],
      ['a', 'CNAME', 'x.test'],
    ],
    ['ns-target-alias sub NS'],
  ],
  [
    'a PTR to an alias',
    [
      ['1', 'PTR', 'a.$'],
      ['a', 'CNAME', 'x.test'],
    ],
    ['ptr-target-alias 1 PTR'],
  ],
  [
    'a CNAME to an alias',
    [
      ['b', 'CNAME', 'a.$'],
      ['a', 'CNAME', 'x.test'],
    ],
    [],
  ],

  ['an MX to nothing', [['@', 'MX', 'mail.$']], ['mx-target-missing @ MX']],
  ['a disabled MX to nothing', [['@', 'MX', '-mail.$']], []],
  ['an MX to another zone', [['@', 'MX', 'mail.test']], []],
  ['a null MX', [['@', 'MX', '.']], []],
  [
    'an MX to a text',
    [
      ['@', 'MX', 'a.$'],
      ['a', 'TXT', '"x"'],
    ],
    ['mx-target-missing @ MX'],
  ],
  [
    'an MX to a disabled address',
    [
      ['@', 'MX', 'a.$'],
      ['a', 'A', '-192.0.2.1'],
    ],
    ['mx-target-missing @ MX'],
  ],
  [
    'an MX to an ALIAS',
    [
      ['@', 'MX', 'a.$'],
      ['a', 'ALIAS', 'x.test'],
    ],
    [],
  ],
  [
    'an MX under a wildcard',
    [
      ['@', 'MX', 'a.b.$'],
      ['*', 'A', '192.0.2.1'],
    ],
    [],
  ],
  [
    'a name with records has none of the wildcard',
    [
      ['@', 'MX', 'a.$'],
      ['*', 'A', '192.0.2.1'],
      ['a', 'TXT', '"x"'],
    ],
    ['mx-target-missing @ MX'],
  ],
  [
    'an MX into a delegation',
    [
      ['@', 'MX', 'a.sub.$'],
      ['sub', 'NS', 'x.test'],
    ],
    [],
  ],
  [
    'an MX to a delegation',
    [
      ['@', 'MX', 'sub.$'],
      ['sub', 'NS', 'x.test'],
    ],
    [],
  ],
  [
    'an MX below a DNAME',
    [
      ['@', 'MX', 'a.sub.$'],
      ['sub', 'DNAME', 'x.test'],
    ],
    [],
  ],
  ['an SRV to nothing', [['_a._tcp', 'SRV', '1 1 a.$']], ['srv-target-missing _a._tcp SRV']],
  ['a CNAME to nothing', [['a', 'CNAME', 'b.$']], ['cname-target-missing a CNAME']],
  [
    'a CNAME to a text',
    [
      ['a', 'CNAME', 'b.$'],
      ['b', 'TXT', '"x"'],
    ],
    [],
  ],
  [
    'a CNAME to a wildcard',
    [
      ['a', 'CNAME', 'b.$'],
      ['*', 'TXT', '"x"'],
    ],
    [],
  ],

  [
    'glue',
    [
      ['sub', 'NS', 'ns.sub.$'],
      ['ns.sub', 'A', '192.0.2.1'],
    ],
    [],
  ],
  [
    'glue of a neighbour',
    [
      ['a', 'NS', 'ns.b.$'],
      ['b', 'NS', 'x.test'],
      ['ns.b', 'A', '192.0.2.1'],
    ],
    [],
  ],
  ['no glue', [['sub', 'NS', 'ns.sub.$']], ['glue-missing sub NS']],
  ['no glue at the delegation', [['sub', 'NS', 'sub.$']], ['glue-missing sub NS']],
  [
    'glue at the delegation',
    [
      ['sub', 'NS', 'sub.$'],
      ['sub', 'AAAA', '2001:db8::1'],
    ],
    [],
  ],
  [
    'a wildcard is no glue',
    [
      ['sub', 'NS', 'ns.sub.$'],
      ['*', 'A', '192.0.2.1'],
    ],
    ['glue-missing sub NS'],
  ],
  ['a delegation to nothing', [['sub', 'NS', 'ns.$']], ['ns-target-missing sub NS']],
  ['name servers without address', [['@', 'NS', 'ns.$']], ['glue-missing @ NS']],
  [
    'name servers with address',
    [
      ['@', 'NS', 'ns.$'],
      ['ns', 'A', '192.0.2.1'],
    ],
    [],
  ],
  [
    'name servers behind a delegation',
    [
      ['@', 'NS', 'ns.sub.$'],
      ['sub', 'NS', 'x.test'],
    ],
    [],
  ],

  [
    'a DS at a delegation',
    [
      ['sub', 'NS', 'x.test'],
      ['sub', 'DS', '1 13 2 ab'],
    ],
    [],
  ],
  [
    'a text at a delegation',
    [
      ['sub', 'NS', 'x.test'],
      ['sub', 'TXT', '"x"'],
    ],
    ['occluded sub TXT'],
  ],
  [
    'a text below a delegation',
    [
      ['sub', 'NS', 'x.test'],
      ['a.b.sub', 'TXT', '"x"'],
    ],
    ['occluded a.b.sub TXT'],
  ],
  [
    'an address below a delegation that is no glue',
    [
      ['sub', 'NS', 'x.test'],
      ['www.sub', 'A', '192.0.2.1'],
    ],
    ['occluded www.sub A'],
  ],
  [
    'a disabled text below',
    [
      ['sub', 'NS', 'x.test'],
      ['a.sub', 'TXT', '-"x"'],
    ],
    [],
  ],
  [
    'a text below a disabled delegation',
    [
      ['sub', 'NS', '-x.test'],
      ['a.sub', 'TXT', '"x"'],
    ],
    [],
  ],
  [
    'a delegation below a delegation',
    [
      ['sub', 'NS', 'x.test'],
      ['a.sub', 'NS', 'ns.$'],
    ],
    ['occluded a.sub NS'],
  ],

  [
    'records beside a DNAME',
    [
      ['sub', 'DNAME', 'x.test'],
      ['sub', 'TXT', '"x"'],
    ],
    [],
  ],
  [
    'a text below a DNAME',
    [
      ['sub', 'DNAME', 'x.test'],
      ['a.b.sub', 'TXT', '"x"'],
    ],
    ['dname-below a.b.sub TXT'],
  ],
  [
    'a text beside a similar name',
    [
      ['sub', 'DNAME', 'x.test'],
      ['asub', 'TXT', '"x"'],
    ],
    [],
  ],
  [
    'a disabled text below a DNAME',
    [
      ['sub', 'DNAME', 'x.test'],
      ['a.sub', 'TXT', '-"x"'],
    ],
    ['dname-below a.sub TXT'],
  ],
  [
    'a text below a DNAME at the apex',
    [
      ['@', 'DNAME', 'x.test'],
      ['a', 'TXT', '"x"'],
    ],
    ['dname-below a TXT'],
  ],
  [
    'a DNAME behind a delegation',
    [
      ['sub', 'NS', 'x.test'],
      ['d.sub', 'DNAME', 'x.test'],
      ['a.d.sub', 'A', '192.0.2.1'],
    ],
    ['occluded a.d.sub A', 'occluded d.sub DNAME'],
  ],
]
