import { test } from '@japa/runner'
import fc from 'fast-check'
import { ipv4, ipv6, reverseName } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import { zoneName } from '#dns/names'
import { addressOf, addressText, networkOf, reverseZoneOf } from '#dns/addresses/reverse'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

/** Returns the first `prefix` bits of an address, the rest 0. */
function networkOfAddress(address: string, prefix: number): string {
  const isV6 = address.includes(':')
  const nibbles = isV6
    ? reverseName(address).slice(0, 63).split('.').reverse().join('')
    : address
        .split('.')
        .map((octet) => Number(octet).toString(16).padStart(2, '0'))
        .join('')
  const bits = BigInt(4 * nibbles.length - prefix)
  const masked = ((BigInt(`0x${nibbles}`) >> bits) << bits)
    .toString(16)
    .padStart(nibbles.length, '0')
  if (isV6) return `${ipv6(masked.match(/.{4}/g)!.join(':'))}/${prefix}`
  const octets = masked.match(/../g)!.map((octet) => Number.parseInt(octet, 16))
  return `${ipv4(octets.join('.'))}/${prefix}`
}

const someNetwork = fc.oneof(
  fc
    .tuple(fc.ipV4(), fc.constantFrom(8, 16, 24, 25, 26, 27, 28, 29, 30, 31))
    .map(([address, prefix]) => networkOfAddress(address, prefix)),
  fc
    .tuple(fc.ipV6(), fc.integer({ min: 1, max: 31 }))
    .map(([address, nibbles]) => networkOfAddress(address, 4 * nibbles))
)

test.group('text prefixes of the addresses of a network', () => {
  test('the prefix of {0} is {1}')
    .with([
      ['10.0.0.0/8', '10.'],
      ['192.0.2.0/24', '192.0.2.'],
      ['192.0.2.128/25', '192.0.2.'],
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1/32', '192.0.2.1'],
      ['2001:db8::/32', '2001:db8:'],
      ['2001:db8::/36', '2001:db8:'],
      ['2001:db8::/64', '2001:db8:'],
      ['2001:db8:0:7::/64', '2001:db8:'],
      ['2001:db8:1:7::/64', '2001:db8:1:7:'],
      ['2001:db8::1', '2001:db8::1'],
      ['e000::/4', ''],
      ['0.0.0.0/0', ''],
      ['x', ''],
    ] as const)
    .run(({ assert }, [network, text]) => {
      assert.equal(addressText(network), text)
    })

  test('every address of the network has the prefix', ({ assert }) => {
    const inNetwork = fc
      .tuple(fc.ipV6(), fc.integer({ min: 1, max: 31 }))
      .map(([address, nibbles]) => [address, networkOfAddress(address, 4 * nibbles)])
    fc.assert(
      fc.property(inNetwork, ([address, network]) => {
        const text = addressText(network)
        assert.isTrue(ipv6(address).startsWith(text), `${address} ${network} ${text}`)
      }),
      LAW_RUNS
    )
  })
})

test.group('reverse zones', () => {
  test('{0} is the zone of network {1}')
    .with([
      ['10.0.0.0/8', '10.in-addr.arpa'],
      ['172.16.0.0/16', '16.172.in-addr.arpa'],
      ['192.0.2.0/24', '2.0.192.in-addr.arpa'],
      ['192.0.2.0/25', '0/25.2.0.192.in-addr.arpa'],
      ['192.0.2.128/26', '128/26.2.0.192.in-addr.arpa'],
      ['192.0.2.254/31', '254/31.2.0.192.in-addr.arpa'],
      ['2001:db8::/32', '8.b.d.0.1.0.0.2.ip6.arpa'],
      ['2001:db8:0:a000::/52', 'a.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
      ['2000::/4', '2.ip6.arpa'],
      ['2001:db8::1230/124', `3.2.1.${'0.'.repeat(20)}8.b.d.0.1.0.0.2.ip6.arpa`],
    ])
    .run(({ assert }, [cidr, zone]) => {
      assert.equal(reverseZoneOf(cidr), zone)
      assert.deepEqual(networkOf(zone), { cidr })
    })

  test('{0} is accepted for {1}')
    .with([
      ['10', '10.in-addr.arpa'],
      ['172.16', '16.172.in-addr.arpa'],
      ['192.0.2', '2.0.192.in-addr.arpa'],
      ['192.0.2.', '2.0.192.in-addr.arpa'],
      ['2001:db8', '8.b.d.0.1.0.0.2.ip6.arpa'],
      ['2001:db8:', '8.b.d.0.1.0.0.2.ip6.arpa'],
      ['2001:DB8:1', '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
      ['fd00:', '0.0.d.f.ip6.arpa'],
      ['2001:0db8:0:0:0:0:0:0/32', '8.b.d.0.1.0.0.2.ip6.arpa'],
    ])
    .run(({ assert }, [network, zone]) => {
      assert.equal(reverseZoneOf(network), zone)
    })

  test('{0} is refused: {1}')
    .with([
      ['', 'not a network'],
      ['example.org', 'not a network'],
      ['192.0.2.0/', 'not a network'],
      ['192.0.2.0/24/24', 'not a network'],
      ['192.0.2.0/024', 'not a network'],
      ['192.0.2.0/x', 'not a network'],
      ['192.0.2/24', 'not a network'],
      ['192.0.02', 'not a network'],
      ['256', 'not a network'],
      ['1.2.3.4.5', 'not a network'],
      ['2001:db8/32', 'not a network'],
      [':1', 'not a network'],
      ['1:2:3:4:5:6:7:8:9', 'not a network'],
      [
        '192.0.2.0/23',
        'match a single reverse zone; allowed: a prefix of /8, /16, /24, or /25 to /31',
      ],
      ['192.0.2.0/32', 'match a single reverse zone'],
      ['192.0.2.1', 'match a single reverse zone'],
      ['0.0.0.0/0', 'match a single reverse zone'],
      ['192.0.2.0/33', 'match a single reverse zone'],
      ['2001:db8::/33', 'and of /4, /8, ... /124 for IPv6'],
      ['2001:db8::', 'match a single reverse zone'],
      ['2001:db8::/128', 'match a single reverse zone'],
      ['2001:db8::/132', 'match a single reverse zone'],
      ['::/0', 'match a single reverse zone'],
      ['192.0.2.1/24', 'bits set beyond its prefix; allowed: 192.0.2.0/24'],
      ['192.0.2.1/25', 'allowed: 192.0.2.0/25'],
      ['2001:db8::1/32', 'allowed: 2001:db8::/32'],
    ])
    .run(({ assert }, [network, reason]) => {
      try {
        reverseZoneOf(network)
        assert.fail('was not refused')
      } catch (error) {
        assert.instanceOf(error, InvalidDns)
        assert.include((error as InvalidDns).message, reason)
        assert.equal((error as InvalidDns).field, 'network')
      }
    })

  test('{$self} is no reverse zone')
    .with([
      'example.org',
      'in-addr.arpa',
      'ip6.arpa',
      '.in-addr.arpa',
      'x.in-addr.arpa',
      '256.in-addr.arpa',
      '01.in-addr.arpa',
      '5.4.3.2.1.in-addr.arpa',
      '0/25.0.192.in-addr.arpa',
      '1/25.2.0.192.in-addr.arpa',
      '0/24.2.0.192.in-addr.arpa',
      '0/32.2.0.192.in-addr.arpa',
      '0/25/1.2.0.192.in-addr.arpa',
      '1.0/25.2.0.192.in-addr.arpa',
      'xin-addr.arpa',
      '10.ip6.arpa',
      'g.ip6.arpa',
      `${'0.'.repeat(33)}ip6.arpa`,
    ])
    .run(({ assert }, zone) => {
      assert.isNull(networkOf(zone))
    })

  test('a complete address is a network of one address', ({ assert }) => {
    assert.deepEqual(networkOf('1.2.0.192.in-addr.arpa'), { cidr: '192.0.2.1/32' })
    assert.deepEqual(networkOf(reverseName('2001:db8::1')), { cidr: '2001:db8::1/128' })
    assert.deepEqual(networkOf('2.0.192.IN-ADDR.ARPA'), { cidr: '192.0.2.0/24' })
  })

  test('the network of the zone of a network is the same network', ({ assert }) => {
    const law = fc.property(someNetwork, (cidr) => {
      const zone = reverseZoneOf(cidr)
      assert.deepEqual(networkOf(zone), { cidr })
      assert.equal(zoneName(zone), zone)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('any text is either refused or has a reverse zone', ({ assert }) => {
    const part = fc.constantFrom(
      '1',
      '255',
      '10',
      'f',
      '2001',
      'db8',
      '.',
      ':',
      '::',
      '/',
      '8',
      ' '
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(part).map((parts) => parts.join(''))
    )
    const law = fc.property(text, (given) => {
      assert.isTrue(networkOf(given) === null || given === '')
      try {
        const zone = reverseZoneOf(given)
        assert.equal(reverseZoneOf(networkOf(zone)!.cidr), zone)
      } catch (error) {
        assert.instanceOf(error, InvalidDns)
      }
    })
    fc.assert(law, LAW_RUNS)
  })
})

test.group('reverse names', () => {
  test('{0} is the name of {1}')
    .with([
      ['1.2.0.192.in-addr.arpa', '192.0.2.1'],
      ['1.2.0.192.IN-ADDR.ARPA', '192.0.2.1'],
      ['1.0/25.2.0.192.in-addr.arpa', '192.0.2.1'],
      ['130.128/26.2.0.192.in-addr.arpa', '192.0.2.130'],
      [reverseName('2001:db8::1'), '2001:db8::1'],
      [reverseName('::ffff:192.0.2.1'), '::ffff:192.0.2.1'],
    ])
    .run(({ assert }, [name, address]) => {
      assert.equal(addressOf(name), address)
    })

  test('{$self} is not a reverse name of an address')
    .with([
      'www.example.org',
      '2.0.192.in-addr.arpa',
      '0/25.2.0.192.in-addr.arpa',
      '128.0/25.2.0.192.in-addr.arpa',
      '1.1/25.2.0.192.in-addr.arpa',
      '1.0/24.2.0.192.in-addr.arpa',
      '01.0/25.2.0.192.in-addr.arpa',
      '1.0/25/1.2.0.192.in-addr.arpa',
      '1.1.2.0.192.in-addr.arpa',
      '256.2.0.192.in-addr.arpa',
      'x.2.0.192.in-addr.arpa',
      '*.2.0.192.in-addr.arpa',
      '8.b.d.0.1.0.0.2.ip6.arpa',
      `g.${reverseName('2001:db8::1').slice(2)}`,
      `0.${reverseName('2001:db8::1')}`,
    ])
    .run(({ assert }, name) => {
      assert.isNull(addressOf(name))
    })

  test('the address of the name of an address is the same address', ({ assert }) => {
    const law = fc.property(fc.ipV4(), fc.ipV6(), (v4, v6) => {
      assert.equal(addressOf(reverseName(v4)), v4)
      assert.equal(addressOf(reverseName(v6)), ipv6(v6))
    })
    fc.assert(law, LAW_RUNS)
  })
})
