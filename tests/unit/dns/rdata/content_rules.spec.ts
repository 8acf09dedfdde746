import { test } from '@japa/runner'
import { printStrings } from '#dns/rdata/character_strings'
import { nameRules } from '#dns/rules'
import type { RRset } from '#dns/types'

const APEX = 'example.org'

/** What the rules say of one record, as `rule: message`. */
function said(type: string, content: string, name = `www.${APEX}`): string[] {
  const set: RRset = { name, type, ttl: 60, records: [{ content, priority: 0, disabled: false }] }
  return nameRules(APEX, name, [set])
    .filter(({ rule }) => !rule.endsWith('-apex'))
    .map(({ rule, severity, message }) => {
      return severity === 'warning' ? `${rule}: ${message}` : `ERROR ${rule}`
    })
}

/** Text as a content has it. */
function text(written: string): string {
  return printStrings([new TextEncoder().encode(written)])
}

test.group('Rules of contents: warnings about what DNS serves', () => {
  test('the DMARC policy {0} has a warning: {1}')
    .with([
      ['v=DMARC1', 'no policy'],
      ['v=DMARC1; sp=none', 'no policy'],
      ['v=DMARC1; p=maybe', 'tag p'],
      ['v=DMARC1; p=none; sp=x', 'tag sp'],
      ['v=DMARC1; p=none; adkim=x', 'tag adkim'],
      ['v=DMARC1; p=none; pct=101', 'tag pct'],
      ['v=DMARC1; p=none; ri=4294967296', 'tag ri'],
      ['v=DMARC1; p=none; fo=2', 'tag fo'],
      ['v=DMARC1; p=none; rua=a@example.org', 'tag rua'],
      ['v=DMARC1; p=none; p=none', 'tag twice'],
      ['v=DMARC1; p=none; rau=mailto:a@example.org', 'has the tag "rau=mailto:a@example.org"'],
      ['v=DMARC1; p=nöne', 'tag p'],
      ['v=DMARC1; p=none; ä=1', 'has the tag "ä=1"'],
      ['v=DMARC1; p=none;; pct=1', 'has the tag'],
      ['v=dmarc1; p=none', 'version'],
    ])
    .run(({ assert }, [policy, reason]) => {
      const [warning, ...more] = said('TXT', text(policy), `_dmarc.${APEX}`)
      assert.deepEqual(more, [])
      assert.match(warning, /^dmarc-policy: /)
      assert.include(warning, reason)
    })

  test('the DMARC policy {$self} has none')
    .with([
      'v=DMARC1; p=none',
      'v=DMARC1; rua=mailto:a@example.org',
      `v=DMARC1; p=reject; fo=1; rua=${'mailto:a@r.example,'.repeat(9)}mailto:b@r.example`,
    ])
    .run(({ assert }, policy) => {
      assert.deepEqual(said('TXT', text(policy), `_dmarc.${APEX}`), [])
    })

  test('several strings are one DMARC policy', ({ assert }) => {
    const content = '"v=DMARC1; p=rej" "ect; rua=mailto:a@example.org"'
    assert.deepEqual(said('TXT', content, `_dmarc.${APEX}`), [])
    assert.lengthOf(said('TXT', '"v=DMARC1; p=rej" "cet"', `_dmarc.${APEX}`), 1)
  })

  test('the SPF policy {0} has a warning: {1}')
    .with([
      ['mx -all', 'version'],
      ['v=spf2 mx -all', 'version'],
      ['v=spf1; mx -all', 'version'],
      ['spf2.0/pra mx -all', 'version'],
      ['v=spf1-all', 'version'],
      ['v=spf1 mx –all', '"–all"'],
      ['v=spf1 all -everything', '"-everything"'],
      ['v=spf1 include: -all', '"include:"'],
      ['v=spf1 include:a.example.org/24', '"include:a.example.org/24"'],
      ['v=spf1 ip4:192.0.2.256', '"ip4:192.0.2.256"'],
      ['v=spf1 ip4:192.0.2.0/33', '"ip4:192.0.2.0/33"'],
      ['v=spf1 ip6:192.0.2.0', '"ip6:192.0.2.0"'],
      ['v=spf1 ip4192.0.2.0', '"ip4192.0.2.0"'],
      ['v=spf1 a/33', '"a/33"'],
      ['v=spf1 a//129', '"a//129"'],
      ['v=spf1 exists', '"exists"'],
      ['v=spf1 exists:%{x}.example.org', '"exists:%{x}.example.org"'],
      ['v=spf1 exists:%d.example.org', '"exists:%d.example.org"'],
      ['v=spf1 redirect=', '"redirect="'],
      ['v=spf1 redirect=a.example redirect=b.example', 'modifier redirect twice'],
      ['v=spf1 a:bücher.example', 'term'],
      ['v=spf1 constructor', '"constructor"'],
    ])
    .run(({ assert }, [policy, reason]) => {
      const [warning, ...more] = said('SPF', text(policy))
      assert.deepEqual(more, [])
      assert.match(warning, /^spf-policy: /)
      assert.include(warning, reason)
    })

  test('{0} {1} has the warning {2}')
    .with([
      ['TXT', '"v=spf1 foo:bar"', 'spf-policy'],
      ['TXT', '"v=spf10 foo:bar"', undefined],
      ['AAAA', '::1', 'address-scope'],
      ['AAAA', '::', 'address-scope'],
      ['AAAA', '::c000:201', 'address-scope'],
      ['AAAA', 'fec0::1', 'address-scope'],
      ['AAAA', '::ffff:c000:201', undefined],
      ['AAAA', 'fd00::1', undefined],
      ['CDS', '1 17 6 ab', undefined],
      ['CDS', '1 18 2 ab', 'registered-number'],
      ['CDS', '1 13 7 ab', 'registered-number'],
      ['CDS', '0 0 0 00', undefined],
      ['DNSKEY', '257 3 23 AQID', undefined],
      ['DNSKEY', '257 3 99 AQID', 'registered-number'],
      ['SSHFP', '5 1 ab', 'registered-number'],
      ['ZONEMD', '1 1 240 ab', undefined],
      ['ZONEMD', '1 2 1 ab', 'registered-number'],
      ['MX', 'mail', 'target-one-label'],
      ['NS', 'ns1', 'target-one-label'],
      ['KX', 'kx', 'target-one-label'],
      ['LP', 'l64', 'target-one-label'],
      ['KX', '.', undefined],
      ['LP', '.', undefined],
      ['CNAME', 'www', 'target-one-label'],
      ['CNAME', '.', undefined],
      ['CNAME', '*', undefined],
      ['CNAME', 'rpz-passthru', undefined],
      ['CNAME', '*._tcp.example.org', undefined],
      ['CNAME', 'https://www.example.org', 'target-characters'],
      ['MX', 'me@example.org', 'target-characters'],
      ['PTR', 'my\\032printer._ipp._tcp.example.org', undefined],
      ['CNAME', '10.0/25.2.0.192.in-addr.arpa', undefined],
    ])
    .run(({ assert }, [type, content, rule]) => {
      const found = said(type!, content!).map((warning) => warning.split(':')[0])
      assert.deepEqual(found, rule === undefined ? [] : [rule])
    })

  test('an AFSDB record with priority {0} has {1} warning')
    .with([
      [0, 1],
      [1, 0],
      [2, 0],
      [3, 1],
      [10, 1],
      [65535, 1],
    ])
    .run(({ assert }, [priority, count]) => {
      const name = `cell.${APEX}`
      const records = [{ content: `afs.${APEX}`, priority, disabled: false }]
      const found = nameRules(APEX, name, [{ name, type: 'AFSDB', ttl: 60, records }])
      assert.deepEqual(
        found.map(({ rule, severity }) => `${severity} ${rule}`),
        Array(count).fill('warning afsdb-subtype')
      )
    })

  test('a target of one label is shown as it would be in the zone', ({ assert }) => {
    assert.include(said('MX', 'mail')[0], '"mail."')
    assert.include(said('MX', 'mail')[0], 'mail.example.org')
  })
})
