import { test } from '@japa/runner'
import { NAME_RULES, nameRules, targetAliasViolation } from '#dns/rules'
import type { RRset } from '#dns/types'

const APEX = 'example.org'
const NAME = 'www.example.org'

function rrset(type: string, contents: string[], name = NAME): RRset {
  const records = contents.map((content) => ({ content, priority: 0, disabled: false }))
  return { name, type, ttl: 3600, records }
}

const SOA = rrset('SOA', ['ns1.example.org root.example.org 1 1 1 1 1'], APEX)
const CNAME = rrset('CNAME', ['a.example.net'])
const A = rrset('A', ['192.0.2.1'])
const broken = (name: string, rrsets: RRset[]) =>
  nameRules(APEX, name, rrsets).map(({ rule }) => rule)

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
      ['two CNAMEs', ['singleton'], NAME, [rrset('CNAME', ['a.example.net', 'b.example.net'])]],
      ['a CNAME at the apex', ['cname-apex'], APEX, [SOA, { ...CNAME, name: APEX }]],
      ['an apex with its SOA', [], APEX, [SOA, { ...A, name: APEX }]],
      ['an apex without SOA', ['soa-single'], APEX, [{ ...A, name: APEX }]],
      ['an apex with two SOAs', ['soa-single'], APEX, [rrset('SOA', ['a b 1', 'a b 2'], APEX)]],
      ['an SOA elsewhere', ['soa-apex'], NAME, [{ ...SOA, name: NAME }]],
      ['the same twice', ['duplicate'], NAME, [rrset('A', ['192.0.2.1', '192.0.2.1'])]],
      ['the same CNAME twice', ['singleton', 'duplicate'], NAME, [rrset('CNAME', ['a.b', 'a.b'])]],
      ['a null MX alone', [], NAME, [rrset('MX', ['.'])]],
      ['a null MX in company', ['null-mx-alone'], NAME, [rrset('MX', ['.', 'mail.example.org'])]],
      ['an SRV at a host', ['srv-owner'], NAME, [rrset('SRV', ['1 1 a.example.org'])]],
    ] as [string, string[], string, RRset[]][])
    .run(({ assert }, [, rules, name, rrsets]) => {
      assert.deepEqual(broken(name, rrsets), rules)
    })

  test('the same content with another priority is no duplicate', ({ assert }) => {
    const mx = rrset('MX', ['mail.example.org', 'mail.example.org'])
    mx.records[1].priority = 10
    assert.deepEqual(broken(NAME, [mx]), [])
  })

  test('an SRV at a service name is in its place', ({ assert }) => {
    const name = '_sip._tcp.example.org'
    assert.deepEqual(broken(name, [rrset('SRV', ['1 1 a.example.org'], name)]), [])
  })

  test('a violation says where, what and why', ({ assert }) => {
    const [violation] = nameRules(APEX, NAME, [CNAME, A, rrset('TXT', ['"x"'])])
    assert.deepInclude(violation, { severity: 'error', name: NAME, type: 'CNAME' })
    assert.include(violation.message, 'A, TXT')
    assert.include(violation.message, NAME)
    assert.include(violation.message, 'RFC 1034')
  })

  test('a target that is an alias is named', ({ assert }) => {
    const violation = targetAliasViolation(rrset('MX', ['mail.example.org']), 'mail.example.org')
    assert.deepInclude(violation, { rule: 'target-is-alias', name: NAME, type: 'MX' })
    assert.include(violation.message, 'mail.example.org is an alias')
  })

  test('rules have ids of their own', ({ assert }) => {
    assert.equal(new Set(NAME_RULES.map(({ id }) => id)).size, NAME_RULES.length)
  })
})
