import { test } from '@japa/runner'
import fc from 'fast-check'
import { ipv4, ipv6, parsePrimary, reverseName } from '#dns/addresses/address_text'
import { isReverseZone, zoneName } from '#dns/names'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

test.group('properties of addresses', () => {
  test('an address has one canonical form and one reverse name', ({ assert }) => {
    const law = fc.property(
      fc.ipV4(),
      fc.ipV6(),
      fc.integer({ min: 1, max: 65535 }),
      (v4, v6, port) => {
        const short = ipv6(v6)
        assert.equal(ipv4(v4), v4)
        assert.equal(ipv6(short), short)
        assert.equal(reverseName(short), reverseName(v6))
        assert.isTrue(isReverseZone(zoneName(reverseName(v6))))
        assert.equal(parsePrimary(short), short)
        assert.equal(parsePrimary(`[${v6}]:${port}`), `[${short}]:${port}`)
        assert.equal(parsePrimary(`${v4}:${port}`), `${v4}:${port}`)
      }
    )
    fc.assert(law, LAW_RUNS)
  })

  test('an IPv6 address is written as the URL standard writes it', ({ assert }) => {
    const law = fc.property(fc.ipV6(), (v6) => {
      const short = ipv6(v6)
      fc.pre(!short.includes('.'))
      assert.equal(`[${short}]`, new URL(`http://[${v6}]/`).hostname)
    })
    fc.assert(law, LAW_RUNS)
  })
})
