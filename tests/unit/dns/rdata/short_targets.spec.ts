import { test } from '@japa/runner'
import { longestStepMs } from '#tests/support/cpu_time'
import { InvalidDns } from '#dns/errors'
import { canonicalRecord, recordTypes } from '#dns/records/registry'
import { hostsIn } from '#dns/zonefile/name_fields'
import { shortTargetWarnings, withFullTarget } from '#dns/names/short_targets'

const APEX = 'example.org'

test.group('DNS: targets of one label', () => {
  test('{0} {1} means {2}')
    .with([
      ['MX', 'mail', 'mail.example.org.'],
      ['mx', 'MAIL', 'MAIL.example.org.'],
      ['NS', 'ns1', 'ns1.example.org.'],
      ['CNAME', 'www', 'www.example.org.'],
      ['ALIAS', 'büro', 'büro.example.org.'],
      ['DNAME', 'other', 'other.example.org.'],
      ['PTR', 'host', 'host.example.org.'],
      ['SRV', '5 5060 sip', '5 5060 sip.example.org.'],
      ['AFSDB', '1 afs', '1 afs.example.org.'],
      ['HTTPS', '1 web alpn=h2', '1 web.example.org. alpn=h2'],
      ['SVCB', '0 web', '0 web.example.org.'],
      ['MX', 'mail.', 'mail.'],
      ['MX', '.', '.'],
      ['MX', '@', '@'],
      // RFC 1035, section 5.1: digits are a valid label.
      ['MX', '192', '192.example.org.'],
      ['CNAME', '10', '10.example.org.'],
      ['KX', 'kx', 'kx.example.org.'],
      ['RT', 'relay', 'relay.example.org.'],
      ['LP', 'l64', 'l64.example.org.'],
      ['MB', 'host', 'host.example.org.'],
      ['MG', 'me', 'me.example.org.'],
      ['MR', 'me', 'me.example.org.'],
      ['MINFO', 'owner errors', 'owner.example.org. errors.example.org.'],
      ['RP', 'mail txt', 'mail.example.org. txt.example.org.'],
      ['RP', 'mail txt.', 'mail.example.org. txt.'],
      ['RP', 'a@example.net txt', 'a@example.net txt.example.org.'],
      ['PX', 'a b', 'a.example.org. b.example.org.'],
      ['TALINK', 'a .', 'a.example.org. .'],
      ['NAPTR', '1 2 "u" "E2U+sip" "!^.*$!a  b!" .', '1 2 "u" "E2U+sip" "!^.*$!a  b!" .'],
      ['NAPTR', '1 2 "s" "SIP+D2U" "" _sip', '1 2 "s" "SIP+D2U" "" _sip.example.org.'],
      ['NAPTR', '1 2 "u" "" "!^.*$!a  b!" x', '1 2 "u" "" "!^.*$!a  b!" x.example.org.'],
      ['NSEC', 'host A RRSIG', 'host.example.org. A RRSIG'],
      ['AMTRELAY', '0 3 relay', '0 3 relay.example.org.'],
      ['IPSECKEY', '10 3 2 gateway AQNR', '10 3 2 gateway.example.org. AQNR'],
      ['IPSECKEY', '10 0 2 . AQNR', '10 0 2 . AQNR'],
      ['CNAME', 'a\\.b', 'a\\.b.example.org.'],
      ['PTR', '-x-', '-x-.example.org.'],
      ['MX', 'a.example.net', 'a.example.net'],
      ['CNAME', 'rpz-passthru', 'rpz-passthru'],
      ['CNAME', '*', '*'],
      ['HTTPS', '1 . alpn=h2', '1 . alpn=h2'],
      ['MX', '\\# 4 00000000', '\\# 4 00000000'],
      ['TXT', 'mail', 'mail'],
      ['A', 'mail', 'mail'],
      ['SOA', 'ns1 hostmaster 1 2 3 4 5', 'ns1 hostmaster 1 2 3 4 5'],
    ])
    .run(({ assert }, [type, content, meant]) => {
      assert.equal(withFullTarget(type, content, APEX), meant)
    })

  test('the warning has the completed name, and the notation of the top-level name', ({
    assert,
  }) => {
    const key = { name: APEX, type: 'HTTPS' }
    const [{ message }] = shortTargetWarnings(APEX, key, '1 web alpn=h2')
    assert.include(message, 'target "web" has no dot and was read as web.example.org.')
    assert.include(message, '"web."')
  })

  test('a canonical content is not parsed again', ({ assert }) => {
    const input = { type: 'MX', content: 'mail', priority: 10, disabled: false, name: APEX }
    assert.equal(canonicalRecord({ ...input, apex: APEX }).content, 'mail')
    assert.equal(
      canonicalRecord({ ...input, apex: APEX, isTyped: true }).content,
      'mail.example.org'
    )
  })
  const OF_SERVER = ['RRSIG', 'SIG', 'SOA', 'TKEY', 'TSIG']
  test('types with relative names in zone files are completed here too', ({ assert }) => {
    for (const { type } of recordTypes()) {
      const words = Array.from({ length: 9 }, () => '3')
      const at = [...hostsIn(type, words)]
      if (at.length === 0 || OF_SERVER.includes(type)) continue
      const full = withFullTarget(type, 'w w 3 w', APEX) + withFullTarget(type, 'w 3 3 w', APEX)
      assert.include(full, '.example.org.', type)
    }
  })

  test('an error has the original value: {0} {1}')
    .with([
      ['AFSDB', '1 afs'],
      ['SRV', '5 sip'],
      ['MX', 'a!b'],
      ['HTTPS', '1 web alpn'],
      ['NAPTR', '1 2 s sip'],
      ['MX', 'x'.repeat(64)],
    ])
    .run(({ assert }, [type, content]) => {
      const input = { type, content, isTyped: true, priority: 0, disabled: false, name: APEX }
      try {
        canonicalRecord({ ...input, apex: APEX })
        assert.fail('was taken')
      } catch (error) {
        assert.instanceOf(error, InvalidDns)
        assert.notInclude((error as InvalidDns).message.split(';')[0], 'example.org')
        assert.include((error as InvalidDns).message, JSON.stringify(content).slice(1, -1))
      }
    })

  for (const piece of ['\\"', '"', '"\\', 'a"', '" ', 'a ', '\\', 'a']) {
    test(`a content of 200 000 characters of ${piece} is parsed in linear time`, ({ assert }) => {
      const content = piece.repeat(200_000 / piece.length)
      const read = function* () {
        withFullTarget('NAPTR', content, 'example.test')
        yield
      }
      assert.isBelow(longestStepMs(read, 100), 100)
    })
  }
})
