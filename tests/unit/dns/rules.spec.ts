import { test } from '@japa/runner'
import { NAME_RULES, nameRules, RULES } from '#dns/rules'
import { violationsOf } from '#dns/rules/rule'
import type { RRset } from '#dns/types'
import { withOneSource } from './support/zones.js'

const APEX = 'example.org'
const NAME = 'www.example.org'

function rrset(type: string, contents: string[], name = NAME): RRset {
  const records = contents.map((content) => ({ content, priority: 0, disabled: false }))
  return { name, type, ttl: 3600, records }
}

const SOA = rrset('SOA', ['ns1.example.org root.example.org 1 1 1 1 1'], APEX)
const CNAME = rrset('CNAME', ['a.example.net'])
const A = rrset('A', ['192.0.2.1'])
const NS = rrset('NS', ['ns1.example.net'])
const DNAME = rrset('DNAME', ['a.example.net'])
const DS = rrset('DS', [`1 13 2 ${'ab'.repeat(32)}`])
const CSYNC = rrset('CSYNC', ['1 0 A'])
const ofDisabled = (set: RRset): RRset => ({
  ...set,
  records: set.records.map((record) => ({ ...record, disabled: true })),
})
const text = (length: number) => `"${'x'.repeat(length)}"`
const WILDCARD = '*.example.org'
const DMARC = '_dmarc.example.org'
const broken = (name: string, rrsets: RRset[]) =>
  withOneSource(nameRules(APEX, name, rrsets)).map(({ rule }) => rule)

test.group('rules of an owner name', () => {
  test('{0}: {1}')
    .with([
      ['nothing at a name', [], NAME, []],
      ['addresses', [], NAME, [A, rrset('AAAA', ['2001:db8::1'])]],
      ['a CNAME alone', [], NAME, [CNAME]],
      [
        'a CNAME with DNSSEC records',
        [],
        NAME,
        [CNAME, rrset('RRSIG', ['x']), rrset('NSEC', ['y'])],
      ],
      ['a CNAME with an emptied set', [], NAME, [CNAME, { ...A, records: [] }]],
      ['a CNAME with an address', ['cname-alone'], NAME, [CNAME, A]],
      ['a CNAME with a disabled address', ['cname-alone'], NAME, [CNAME, ofDisabled(A)]],
      ['a CNAME with a DNAME', ['cname-alone'], NAME, [CNAME, DNAME]],
      ['two CNAMEs', ['singleton'], NAME, [rrset('CNAME', ['a.example.net', 'b.example.net'])]],
      ['two DNAMEs', ['singleton'], NAME, [rrset('DNAME', ['a.example.net', 'b.example.net'])]],
      ['a CNAME at the apex', ['cname-apex'], APEX, [SOA, { ...CNAME, name: APEX }]],
      ['an apex with its SOA', [], APEX, [SOA, { ...A, name: APEX }]],
      ['an apex without SOA', ['soa-single'], APEX, [{ ...A, name: APEX }]],
      ['an apex with two SOAs', ['soa-single'], APEX, [rrset('SOA', ['a b 1', 'a b 2'], APEX)]],
      ['an apex with a disabled SOA', ['soa-single'], APEX, [ofDisabled(SOA)]],
      ['an SOA elsewhere', ['soa-apex'], NAME, [{ ...SOA, name: NAME }]],
      ['the same twice', ['duplicate'], NAME, [rrset('A', ['192.0.2.1', '192.0.2.1'])]],
      [
        'two that are there twice, each told once',
        ['duplicate', 'duplicate'],
        NAME,
        [rrset('A', ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2', '192.0.2.1'])],
      ],
      ['the same CNAME twice', ['singleton', 'duplicate'], NAME, [rrset('CNAME', ['a.b', 'a.b'])]],
      ['a null MX alone', [], NAME, [rrset('MX', ['.'])]],
      ['a null MX in company', ['null-mx-alone'], NAME, [rrset('MX', ['.', 'mail.example.org'])]],
      ['an SRV at a host', ['srv-owner'], NAME, [rrset('SRV', ['1 1 a.example.org'])]],
      ['a DNAME beside an address', [], NAME, [DNAME, A]],
      ['a DNAME at a delegation', ['dname-ns'], NAME, [DNAME, NS]],
      ['a DNAME at an apex', [], APEX, [SOA, NS, DNAME]],
      ['a DS at a delegation', [], NAME, [DS, NS]],
      ['a DS without delegation', ['ds-delegation'], NAME, [DS, A]],
      ['a DS at a disabled delegation', ['ds-delegation'], NAME, [DS, ofDisabled(NS)]],
      ['a DS at the apex', ['ds-apex'], APEX, [SOA, NS, DS]],
      ['a CDS that takes the DS away', [], APEX, [SOA, rrset('CDS', ['0 0 0 00'])]],
      ['two CDS', [], APEX, [SOA, rrset('CDS', ['1 13 2 ab', '2 13 2 cd'])]],
      [
        'a CDS that takes the DS away and one that does not',
        ['ds-delete-alone'],
        APEX,
        [SOA, rrset('CDS', ['0 0 0 00', '1 13 2 ab'])],
      ],
      [
        'a CDNSKEY that takes the DS away and one that does not',
        ['ds-delete-alone'],
        APEX,
        [SOA, rrset('CDNSKEY', ['0 3 0 AA==', '257 3 13 AQID'])],
      ],
      ['a CSYNC at the apex', [], APEX, [SOA, CSYNC]],
      ['a CSYNC elsewhere', ['csync-apex'], NAME, [CSYNC]],
      ['a CDS elsewhere', ['cds-apex'], NAME, [rrset('CDS', ['0 0 0 00'])]],
      ['a CDNSKEY elsewhere', ['cdnskey-apex'], NAME, [rrset('CDNSKEY', ['0 3 0 AA=='])]],
      ['a DNSKEY elsewhere', ['dnskey-apex'], NAME, [rrset('DNSKEY', ['257 3 13 AQID'])]],
      ['an NSEC3PARAM elsewhere', ['nsec3param-apex'], NAME, [rrset('NSEC3PARAM', ['1 0 0 -'])]],
      ['a ZONEMD elsewhere', ['zonemd-apex'], NAME, [rrset('ZONEMD', ['1 1 1 ab'])]],
      ['addresses at a wildcard', [], WILDCARD, [A]],
      ['NS records at a wildcard', ['wildcard-ns'], WILDCARD, [NS]],
      ['a DNAME at a wildcard', ['wildcard-dname'], WILDCARD, [DNAME]],
      ['a text of 255 bytes', [], NAME, [rrset('TXT', [text(255)])]],
      ['a text of 256 bytes', ['txt-split'], NAME, [rrset('TXT', [text(256)])]],
      ['long texts of short strings', [], NAME, [rrset('TXT', [`${text(200)} ${text(200)}`])]],
      ['escapes are bytes', [], NAME, [rrset('TXT', [`"${'\\200'.repeat(255)}"`])]],
      [
        'a long string among several',
        ['txt-string-length'],
        NAME,
        [rrset('TXT', [`${text(256)} "x"`])],
      ],
      ['what is no text', [], NAME, [rrset('TXT', [`"${'x'.repeat(300)}`])]],
      ['an SPF policy among texts', [], NAME, [rrset('TXT', ['"v=spf1 -all"', '"v=spf10"'])]],
      ['two SPF policies', ['spf-single'], NAME, [rrset('TXT', ['"v=spf1"', '"V=SPF1 " "mx"'])]],
      ['two texts at _dmarc', [], DMARC, [rrset('TXT', ['"v=DMARC1; p=none"', '"x"'])]],
      [
        'two DMARC policies',
        ['dmarc-single'],
        DMARC,
        [rrset('TXT', ['"v=DMARC1; p=none"', '"v=DMARC1; p=reject"'])],
      ],
      ['two services', [], NAME, [rrset('HTTPS', ['1 .', '2 a.example.net'])]],
      ['an alias and a service', ['svcb-one-mode'], NAME, [rrset('SVCB', ['0 a.test', '1 .'])]],
    ] as [string, string[], string, RRset[]][])
    .run(({ assert }, [, rules, name, rrsets]) => {
      assert.deepEqual(broken(name, rrsets), rules)
    })

  test('the same content with another priority is no duplicate', ({ assert }) => {
    const mx = rrset('MX', ['mail.example.org', 'mail.example.org'])
    mx.records[1].priority = 10
    assert.deepEqual(broken(NAME, [mx]), [])
  })

  test('an SRV record at a service name has no warning', ({ assert }) => {
    const name = '_sip._tcp.example.org'
    assert.deepEqual(broken(name, [rrset('SRV', ['1 1 a.example.org'], name)]), [])
  })

  test('a disabled policy is ignored', ({ assert }) => {
    const set = rrset('TXT', ['"v=spf1 -all"', '"v=spf1 mx -all"'])
    set.records[0].disabled = true
    assert.deepEqual(broken(NAME, [set]), [])
  })

  test('a violation has a name, a rule and a message', ({ assert }) => {
    const [violation] = nameRules(APEX, NAME, [CNAME, A, rrset('TXT', ['"x"'])])
    assert.deepInclude(violation, { severity: 'error', name: NAME, type: 'CNAME' })
    assert.include(violation.message, 'A, TXT')
    assert.include(violation.message, NAME)
    assert.include(violation.message, 'RFC 1034')
  })

  test('errors come before warnings', ({ assert }) => {
    const long = rrset('TXT', [text(300)])
    assert.deepEqual(broken(NAME, [long, CNAME, DS]), ['cname-alone', 'ds-delegation', 'txt-split'])
    const severities = NAME_RULES.map(({ severity }) => severity)
    assert.deepEqual(severities, [...severities].sort())
  })
})

test.group('the list of rules', () => {
  test('each rule has a unique id, an RFC and a sentence', ({ assert }) => {
    assert.equal(new Set(RULES.map(({ id }) => id)).size, RULES.length)
    for (const { id, rfc, demands } of RULES) {
      assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.match(rfc, /^RFC \d{4}(, \d+(\.\d+)*)?$/, id)
      assert.match(demands, /^[A-Z].*\.$/, id)
    }
  })

  test('a message contains its RFC once, of the rule or a specific section', ({ assert }) => {
    for (const rule of RULES) {
      const messages = ['it is wrong', `it is wrong (${rule.rfc})`, 'it is wrong (RFC 1035, 5.1)']
      const found = violationsOf(
        rule,
        NAME,
        messages.map((message) => ({ type: 'A', message }))
      )
      assert.lengthOf(withOneSource(found), messages.length, rule.id)
      assert.include(found[0].message, `(${rule.rfc})`)
      assert.include(found[2].message, '(RFC 1035, 5.1)')
    }
  })
})
