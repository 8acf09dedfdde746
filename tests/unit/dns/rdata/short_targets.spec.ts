import { test } from '@japa/runner'
import { canonicalRecord } from '#dns/records/registry'
import { shortTargetWarning, withFullTarget } from '#dns/names/short_targets'

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
      ['MX', '192', '192'],
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

  test('the warning has the name as it was read, and how the top-level name is written', ({
    assert,
  }) => {
    const key = { name: APEX, type: 'HTTPS' }
    const { message } = shortTargetWarning(APEX, key, '1 web.example.org. alpn=h2')
    assert.include(message, 'target "web" has no dot and was read as web.example.org.')
    assert.include(message, '"web."')
  })

  test('a content that is canonical already is not read again', ({ assert }) => {
    const input = { type: 'MX', content: 'mail', priority: 10, disabled: false, name: APEX }
    assert.equal(canonicalRecord({ ...input, apex: APEX }).content, 'mail')
    assert.equal(
      canonicalRecord({ ...input, apex: APEX, isTyped: true }).content,
      'mail.example.org'
    )
  })
})
