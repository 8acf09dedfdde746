import { test } from '@japa/runner'
import { printStrings } from '#dns/rdata/character_strings'
import { nameRules } from '#dns/rules'
import type { RRset } from '#dns/types'
import { withOneSource } from '../support/zones.js'

const APEX = 'example.org'

/** Returns the results of the rules for one record, as `rule: message`. */
function ruleResults(type: string, content: string, name = `www.${APEX}`): string[] {
  const set: RRset = { name, type, ttl: 60, records: [{ content, priority: 0, disabled: false }] }
  return withOneSource(nameRules(APEX, name, [set]))
    .filter(({ rule }) => !rule.endsWith('-apex'))
    .map(({ rule, severity, message }) => {
      return severity === 'warning' ? `${rule}: ${message}` : `ERROR ${rule}`
    })
}

/** Returns the text as a quoted content. */
function text(written: string): string {
  return printStrings([new TextEncoder().encode(written)])
}

test.group('Rules of contents', () => {
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
      ['v=DMARC1; p=none; p=none', 'has the tag p twice'],
      ['v=DMARC1; p=none; RUA=mailto:a@example.org; rua=mailto:b@example.org', 'the tag rua twice'],
      ['v=DMARC1; p=none; rau=mailto:a@example.org', 'has the tag "rau=mailto:a@example.org"'],
      ['v=DMARC1; p=nöne', 'tag p'],
      ['v=DMARC1; p=none; ä=1', 'has the tag "ä=1"'],
      ['v=DMARC1; p=none;; pct=1', 'has the tag'],
      ['v=dmarc1; p=none', 'version'],
    ])
    .run(({ assert }, [policy, reason]) => {
      const [warning, ...more] = ruleResults('TXT', text(policy), `_dmarc.${APEX}`)
      assert.deepEqual(more, [])
      assert.match(warning, /^dmarc-policy: /)
      assert.include(warning, reason)
    })

  test('the DMARC policy {$self} has no warning')
    .with([
      'v=DMARC1; p=none',
      'v=DMARC1; rua=mailto:a@example.org',
      `v=DMARC1; p=reject; fo=1; rua=${'mailto:a@r.example,'.repeat(9)}mailto:b@r.example`,
    ])
    .run(({ assert }, policy) => {
      assert.deepEqual(ruleResults('TXT', text(policy), `_dmarc.${APEX}`), [])
    })

  test('several strings are one DMARC policy', ({ assert }) => {
    const content = '"v=DMARC1; p=rej" "ect; rua=mailto:a@example.org"'
    assert.deepEqual(ruleResults('TXT', content, `_dmarc.${APEX}`), [])
    assert.lengthOf(ruleResults('TXT', '"v=DMARC1; p=rej" "cet"', `_dmarc.${APEX}`), 1)
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
      const [warning, ...more] = ruleResults('SPF', text(policy))
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
      ['AAAA', 'fe80::1', 'address-scope'],
      ['AAAA', 'ff02::fb', 'address-scope'],
      ['AAAA', '::ffff:7f00:1', 'address-scope'],
      ['A', '0.0.0.0', 'address-scope'],
      ['A', '127.0.0.2', 'address-scope'],
      ['A', '169.254.1.1', 'address-scope'],
      ['A', '224.0.0.251', 'address-scope'],
      ['A', '255.255.255.255', 'address-scope'],
      ['A', '10.0.0.1', undefined],
      ['A', '192.0.2.1', undefined],
      ['A', 'localhost', undefined],
      ['CAA', '0 issue "ca.example.net; account=12345"', undefined],
      ['CAA', '0 issue ";"', undefined],
      ['CAA', '0 iodef "mailto:security@example.org"', undefined],
      ['CAA', 'issue', undefined],
      ['CDS', '1 17 6 ab', undefined],
      ['CDS', '1 18 2 ab', 'registered-number'],
      ['CDS', '1 13 7 ab', 'registered-number'],
      ['CDS', '0 0 0 00', undefined],
      ['DNSKEY', '257 3 23 AQID', undefined],
      ['DNSKEY', '257 3 99 AQID', 'registered-number'],
      ['SSHFP', '5 1 ab', 'registered-number'],
      ['TLSA', '3 1 1 ab', undefined],
      ['TLSA', '255 255 255 ab', undefined],
      ['TLSA', '4 1 1 ab', 'registered-number'],
      ['TLSA', '3 2 1 ab', 'registered-number'],
      ['SMIMEA', '3 1 3 ab', 'registered-number'],
      ['NAPTR', '1 1 "" "" "" a.example', undefined],
      ['NAPTR', '1 1 "s" "SIP+D2U" "" a.example', undefined],
      ['NAPTR', '1 1 "X" "" "" a.example', 'naptr-flags'],
      ['NAPTR', '1 1 "SA" "" "" a.example', 'naptr-flags'],
      ['NAPTR', '1 1 "7" "" "" a.example', 'naptr-flags'],
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
      const found = ruleResults(type!, content!).map((warning) => warning.split(':')[0])
      assert.deepEqual(found, rule === undefined ? [] : [rule])
    })

  test('the CAA record {0} has a warning: {1}')
    .with([
      ['0 future "x"', 'the tag "future" is not in the registry'],
      ['0 tbs "Unknown"', 'the tag "tbs" is not in the registry'],
      ['128 tbs "Unknown"', 'the record is critical'],
      ['128 constructor "x"', 'the record is critical'],
      ['0 issue "not a domain"', 'the value "not a domain" does not fit the tag issue'],
      ['0 issue "ca.example.net; account"', 'does not fit the tag issue; allowed: the domain'],
      ['0 iodef "ftp://example.org/"', '"ftp://example.org/" does not fit the tag iodef'],
      ['0 iodef "https://"', 'does not fit the tag iodef'],
      ['0 iodef "security@example.org"', 'does not fit the tag iodef'],
      ['0 contactemail "example.org"', 'does not fit the tag contactemail'],
      ['0 contactphone "caf\\195\\169"', 'the value "café" does not fit the tag contactphone'],
    ])
    .run(({ assert }, [content, reason]) => {
      const [warning, ...more] = ruleResults('CAA', content)
      assert.deepEqual(more, [])
      assert.match(warning, /^caa-property: /)
      assert.include(warning, reason)
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

  test('the warning shows a target of one label as the zone resolves it', ({ assert }) => {
    assert.include(ruleResults('MX', 'mail')[0], '"mail."')
    assert.include(ruleResults('MX', 'mail')[0], 'mail.example.org')
  })
})
