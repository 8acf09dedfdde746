import { test } from '@japa/runner'
import { fromServerContent, toServerContent } from '#backends/powerdns_api/server_content'
import { canonicalRecord } from '#dns/records/registry'

/** Type, content (with the priority in front if the type has one), and the content for PowerDNS' API. */
const TABLE: [type: string, given: string, sent: string, priority?: number][] = [
  ['AAAA', '::ffff:192.0.2.1', '::ffff:c000:201'],
  ['AAAA', '::192.0.2.1', '::c000:201'],
  ['IPSECKEY', '10 0 2 . AQID', '10 0 2 AQID'],
  ['IPSECKEY', '10 0 0 .', '10 0 0'],
  ['IPSECKEY', '10 1 2 192.0.2.38 AQID', '10 1 2 192.0.2.38 AQID'],
  ['IPSECKEY', '10 2 2 ::ffff:c000:201 AQID', '10 2 2 ::ffff:192.0.2.1 AQID'],
  ['IPSECKEY', '10 2 2 ::c000:201 AQID', '10 2 2 ::192.0.2.1 AQID'],
  ['IPSECKEY', '10 3 0 gateway.example.net', '10 3 0 gateway.example.net.'],
  ['HTTPS', '1 . ipv6hint=::c000:201', '1 . ipv6hint=::192.0.2.1'],
  ['MX', 'mail.example.net', '10 mail.example.net.', 10],
]

test.group('Contents for the API of PowerDNS', () => {
  for (const [type, given, sent, priority = 0] of TABLE) {
    test(`${type} ${given}`, ({ assert }) => {
      const key = { name: 'www.example.org', type }
      const input = { content: given, priority, disabled: false, apex: 'example.org' }
      const record = canonicalRecord({ ...key, ...input })
      const content = toServerContent(type, record)
      assert.equal(content, sent)
      const back = fromServerContent(key, { content, disabled: false }, 'example.org')
      assert.deepEqual({ ...record, ...back }, record)
    })
  }
})
