import { test } from '@japa/runner'
import { recordTypes } from '#dns/records/registry'
import { parseZoneFile, zoneOrder } from '#dns/zonefile/index'
import { hostsIn } from '#dns/zonefile/name_fields'
import { printRdata } from '#dns/zonefile/reading/rdata'
import type { RRset } from '#dns/types'
import { APEX, parse, write } from './helpers.js'

const set = (name: string, type: string, content: string, overrides: object = {}): RRset => ({
  name,
  type,
  ttl: 300,
  records: [{ content, priority: 0, disabled: false, ...overrides }],
})
const lines = (rrsets: RRset[]) => write(rrsets).split('\n').slice(2, -1)

test.group('zone files: writing', () => {
  test('names are in DNSSEC order, the apex and its SOA record first', ({ assert }) => {
    const names = ['z', '*.z', 'yljkjljk.a', 'a', 'Z.a', 'z.a', '1.z', '200.z']
    const rrsets = [...names, ''].map((it) =>
      set(it ? `${it.toLowerCase()}.${APEX}` : APEX, 'A', '192.0.2.1')
    )
    rrsets.push(set(APEX, 'NS', 'ns.example.net'), set(APEX, 'SOA', 'a.b c.d 1 2 3 4 5'))
    assert.deepEqual(
      zoneOrder(rrsets, APEX).map(({ name, type }) => [name.slice(0, -12) || '@', type].join(' ')),
      [
        '@ SOA',
        '@ NS',
        '@ A',
        'a A',
        'yljkjljk.a A',
        'z.a A',
        'z.a A',
        'z A',
        '*.z A',
        '1.z A',
        '200.z A',
      ]
    )
  })

  test('each record has one line, with absolute names and the priority in front', ({ assert }) => {
    const mx = set(APEX, 'MX', 'mail.example.org', { priority: 10 })
    mx.records.push({ content: 'a.example.net', priority: 5, disabled: false })
    assert.equal(
      write([
        set(`www.${APEX}`, 'CNAME', 'example.org'),
        mx,
        set(APEX, 'SOA', 'a.b c.d 1 2 3 4 5'),
      ]),
      [
        '$ORIGIN example.org.',
        '$TTL 300',
        '@                       300     IN SOA     a.b. c.d. 1 2 3 4 5',
        '@                       300     IN MX      5 a.example.net.',
        '@                       300     IN MX      10 mail.example.org.',
        'www                     300     IN CNAME   example.org.',
        '',
      ].join('\n')
    )
  })

  test('a change of one record only changes its line, at any length', ({ assert }) => {
    const others = [set(`a.${APEX}`, 'A', '192.0.2.1'), set(`z.${APEX}`, 'TXT', '"x"')]
    const long = set(`${'m'.repeat(40)}.${APEX}`, 'TYPE65280', `\\# 1 ab`)
    const before = lines([...others, set(`m.${APEX}`, 'A', '192.0.2.1')])
    const after = lines([...others, long])
    assert.deepEqual([before[0], before[2]], [after[0], after[2]])
    assert.equal(after[1], `${'m'.repeat(40)}        300     IN TYPE65280       \\# 1 ab`)
  })

  test('an owner that ends like the zone has its final dot', ({ assert }) => {
    const owner = 'www.example.org.example.org'
    assert.deepEqual(lines([set(owner, 'A', '192.0.2.1')]), [
      'www.example.org.example.org.    300     IN A       192.0.2.1',
    ])
    assert.deepEqual(lines([set('a.example.net', 'A', '192.0.2.1')]), [
      ';invalid a.example.net.          300     IN A 192.0.2.1',
    ])
  })

  test('a disabled record is a comment in a special form', ({ assert }) => {
    assert.deepEqual(lines([set(`a.${APEX}`, 'A', '192.0.2.1', { disabled: true })]), [
      ';disabled a                       300     IN A       192.0.2.1',
    ])
  })

  test('a text longer than a string is written in parts', ({ assert }) => {
    const content = `"${'x'.repeat(254)}\\"${'y'.repeat(300)}"`
    const [line] = lines([set(APEX, 'TXT', content)])
    assert.equal(
      line.slice(43),
      `"${'x'.repeat(254)}\\"" "${'y'.repeat(255)}" "${'y'.repeat(45)}" ;joined`
    )
    assert.equal(parse([line]).records[0].record.content, content)
  })

  test('a content that is not canonical is written as it would be stored', ({ assert }) => {
    const rrsets = [set(APEX, 'AAAA', '2001:DB8:0::1'), set(APEX, 'NS', 'NS.Example.net.')]
    assert.deepEqual(lines(rrsets), [
      '@                       300     IN NS      ns.example.net.',
      '@                       300     IN AAAA    2001:db8::1',
    ])
  })

  test('a record that cannot be read again is a comment on one line', ({ assert }) => {
    const rrsets = [
      set(APEX, 'A', '192.0.2.1\n@ A 192.0.2.2'),
      set(APEX, 'NOPE', '"x'),
      set(APEX, 'MX', 'a b', { priority: 7 }),
    ]
    const text = write(rrsets)
    assert.lengthOf(text.split('\n'), 6)
    assert.include(text, ';invalid @                       300     IN A 192.0.2.1 @ A 192.0.2.2\n')
    assert.include(text, 'IN MX 7 a b\n')
    const { records, problems } = parseZoneFile(text, { origin: APEX })
    assert.deepEqual(records, [])
    assert.deepEqual(
      problems.map(({ severity }) => severity),
      ['warning', 'warning', 'warning']
    )
  })

  test('comments keep their position, on one line each', ({ assert }) => {
    const rrset = set(`a.${APEX}`, 'A', '192.0.2.1')
    const owner = { ...rrset, ...rrset.records[0] }
    const above = ['', ';; one\r\n$INCLUDE x', '', 'disabled a 5 IN A 192.0.2.1', ' ']
    const text = write(
      [rrset],
      [
        { ...owner, above, inline: 'joined\u2028\u0000' },
        { ...owner, content: '192.0.2.9', above: ['gone'], inline: '' },
      ]
    )
    assert.deepEqual(text.split('\n').slice(2), [
      '; one  $INCLUDE x',
      ';',
      '; disabled a 5 IN A 192.0.2.1',
      'a                       300     IN A       192.0.2.1 ; joined',
      '',
    ])
  })

  test('chunks end at line ends', ({ assert }) => {
    const rrsets = Array.from({ length: 900 }, (_, at) => set(`a${at}.${APEX}`, 'A', '192.0.2.1'))
    const { records } = parse([write(rrsets)])
    assert.lengthOf(records, 900)
  })
})

test.group('zone files: names in contents', () => {
  test('{$self}: the target of the record gets its final dot')
    .with(
      recordTypes()
        .filter(({ targets, example }) => targets(example).length > 0)
        .map(({ type }) => type)
    )
    .run(({ assert }, name) => {
      const type = recordTypes().find((it) => it.type === name)!
      for (const target of type.targets(type.example).filter((it) => !/^[\d.]+$/.test(it))) {
        assert.include(`${printRdata(name, type.example, 0).text} `, ` ${target}. `.trimStart())
      }
    })

  test('{$self}: an example is unchanged after writing and reading')
    .with(
      recordTypes()
        .filter(({ example, type }) => example !== '' && type !== 'SOA')
        .map(({ type }) => type)
    )
    .run(({ assert }, name) => {
      const { example } = recordTypes().find(({ type }) => type === name)!
      const owner = name === 'SRV' ? `_a._tcp.${APEX}` : APEX
      const rrset = set(owner, name, example, { priority: name === 'AFSDB' ? 1 : 0 })
      const { rrsets, problems } = parseZoneFile(write([rrset]), { origin: APEX })
      assert.deepEqual(problems, [])
      assert.deepEqual(rrsets, [rrset])
    })

  test('{0} {1} is written as {2}, which other name servers read')
    .with([
      // RFC 4025, section 3.1. BIND, Knot DNS and ldns refuse the record without the dot.
      ['IPSECKEY', '10 0 2 AQID', '10 0 2 . AQID'],
      ['IPSECKEY', '10 3 2 gw.example.net AQID', '10 3 2 gw.example.net. AQID'],
      // Knot DNS requires the backslash.
      ['RP', 'a+b.example.org .', 'a\\+b.example.org. .'],
      ['SOA', 'a.x first\\.last=1.x 1 2 3 4 5', 'a.x. first\\.last\\=1.x. 1 2 3 4 5'],
      ['MINFO', '. a_b-c/d*e.x', '. a_b-c/d*e.x.'],
      // Older programs do not know the name of key 7.
      ['SVCB', '1 . key7="/q{?dns}"', '1 . key7="/q{?dns}"'],
      ['TXT', '"\\195\\164"', '"\\195\\164"'],
    ])
    .run(({ assert }, [type, content, written]) => {
      assert.equal(printRdata(type, content, 0).text, written)
    })

  test('a gateway is a name if its type says so', ({ assert }) => {
    assert.deepEqual(hostsIn('IPSECKEY', ['10', '3', '2', 'gw', 'AQID']), [3])
    assert.deepEqual(hostsIn('IPSECKEY', [{ text: '10' }, { text: '1' }]), [])
  })
})
