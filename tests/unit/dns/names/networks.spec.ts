import { test } from '@japa/runner'
import fc from 'fast-check'
import {
  cidr,
  clientNetwork,
  isInNetworks,
  networkCovers,
  parseNetwork,
  parseNetworks,
} from '#dns/addresses/networks'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

const IN: [network: string, inside: string[], outside: string[]][] = [
  ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1'], ['192.0.2.2', '::192.0.2.1', '2001:db8::1']],
  [
    '192.0.2.0/24',
    ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.7', '::FFFF:c000:0207'],
    ['192.0.3.0', '::192.0.2.7', '2001:db8::1', 'unknown', '', '192.0.2.1/32'],
  ],
  ['192.0.2.128/25', ['192.0.2.128', '192.0.2.255'], ['192.0.2.127', '192.0.3.128']],
  ['192.0.2.77/24', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
  ['172.16.0.0/12', ['172.16.0.1', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255', '::ffff:1.2.3.4'], ['::', '::1', '2001:db8::1']],
  ['::ffff:192.0.2.9/120', ['192.0.2.1', '::ffff:192.0.2.1'], ['192.0.3.1', '::1']],
  ['192.0.2.*', ['192.0.2.0', '192.0.2.255'], ['192.0.3.0']],
  ['10.*', ['10.0.0.1', '10.255.1.1'], ['11.0.0.1', '100.0.0.1']],
  ['10.*.*.*', ['10.9.8.7'], ['11.9.8.7']],
  ['2001:db8::1', ['2001:db8::1', '2001:DB8:0::1', '2001:db8::1%eth0'], ['2001:db8::2']],
  ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1', '192.0.2.1']],
  ['2001:db8::/33', ['2001:db8::', '2001:db8:7fff::1'], ['2001:db8:8000::', '192.0.2.1']],
  ['2001:db8:*', ['2001:db8::1', '2001:db8:ffff::'], ['2001:db9::']],
  ['fe80::/10', ['fe80::1%eth0', 'febf::1'], ['fec0::1', 'fe80::1%a%b']],
  ['::/0', ['::', '::1', 'ffff::'], ['192.0.2.1', '::ffff:192.0.2.1']],
]

/** Texts that are not a network. */
const NONE = [
  '',
  'a',
  'localhost',
  ' 192.0.2.1',
  '192.0.2',
  '192.0.2.01',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.1/-1',
  '192.0.2.0/024',
  '1.2.3.4/8/8',
  '2001:db8::/129',
  'fe80::1%eth0',
]

const CANONICAL: [string, string][] = [
  ['192.0.2.1', '192.0.2.1/32'],
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0::1/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::/0', '::/0'],
  ['::ffff:192.0.2.9/120', '192.0.2.0/24'],
  ['::ffff:192.0.2.9', '192.0.2.9/32'],
  ['::ffff:192.0.2.9/95', '::fffe:0:0/95'],
]

test.group('DNS | networks', () => {
  for (const [text, inside, outside] of IN) {
    test(`${text} contains its addresses in every form, and no others`, ({ assert }) => {
      const network = parseNetwork(text)!
      assert.isDefined(network)
      for (const address of inside) assert.isTrue(isInNetworks(address, [network]), address)
      for (const address of outside) assert.isFalse(isInNetworks(address, [network]), address)
    })
  }

  for (const text of [
    ...NONE,
    '*',
    '*.2.3.4',
    '10.*.3.4',
    '10.*.*',
    '10.0.0.0.*',
    '10.0.0.*/24',
    '2001:db8::*',
    '2001:db8:*:*',
    ':*',
  ]) {
    test(`"${text}" is no network`, ({ assert }) => {
      assert.isUndefined(parseNetwork(text))
    })
  }

  test('invalid networks in a list are ignored', ({ assert }) => {
    const networks = parseNetworks(['192.0.2.0/24', 'x', '::/0'])
    assert.deepEqual(networks, [parseNetwork('192.0.2.0/24')!, parseNetwork('::/0')!])
  })

  for (const [text, canonical] of CANONICAL) {
    test(`the canonical form of ${text} is ${canonical}`, ({ assert }) => {
      assert.equal(cidr(text), canonical)
      assert.equal(cidr(canonical), canonical)
    })
  }

  for (const text of [...NONE, '192.0.2.*', '2001:db8:*']) {
    test(`${JSON.stringify(text)} has no canonical form`, ({ assert }) => {
      assert.throws(() => cidr(text), /Field 'networks'.*is not a network/)
    })
  }

  test('an invalid address is in no network', ({ assert }) => {
    const all = [parseNetwork('0.0.0.0/0')!, parseNetwork('::/0')!]
    for (const text of ['', 'localhost', '/run/socket']) assert.isFalse(isInNetworks(text, all))
  })

  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['192.0.2.1/24', '192.0.2.1/24'],
    ['', ''],
  ]) {
    test(`the client network of "${address}" is ${network || 'empty'}`, ({ assert }) => {
      assert.equal(clientNetwork(address), network)
    })
  }

  test('property: an address is in every network built from it, and shorter prefixes contain longer ones', ({
    assert,
  }) => {
    const addresses = fc.oneof(fc.ipV4(), fc.ipV6())
    const law = fc.property(addresses, fc.nat(128), fc.nat(128), (address, one, other) => {
      const bits = address.includes(':') ? 128 : 32
      const [short, long] = [one % (bits + 1), other % (bits + 1)].sort((a, b) => a - b)
      const texts = [cidr(`${address}/${short}`), cidr(`${address}/${long}`)]
      const [wide, narrow] = texts.map((text) => parseNetwork(text)!)
      assert.equal(cidr(texts[0]), texts[0])
      fc.pre(wide.parts.length === narrow.parts.length)
      assert.isTrue(isInNetworks(address, [wide]))
      assert.isTrue(networkCovers(wide, narrow))
      assert.equal(networkCovers(narrow, wide), texts[0] === texts[1])
    })
    fc.assert(law, LAW_RUNS)
  })
})
