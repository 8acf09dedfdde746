import { test } from '@japa/runner'
import { dyndnsQuery } from '#controllers/dyndns/query'
import { hostsOf, addressUpdates } from '#controllers/dyndns/address_updates'
import type { FamilyUpdate } from '#zones/dynamic_dns/addresses'

const CLEAR = 'clear'
const UNCHANGED = 'keep'

function shown(input: FamilyUpdate): string {
  switch (input.kind) {
    case 'set':
      return input.addresses.join(',')
    case 'prefix':
      return `${input.groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}/${input.length}`
    default:
      return input.kind
  }
}

function inputs(query: string, client: string | null = '203.0.113.9'): string[] | null {
  const found = addressUpdates(dyndnsQuery(`/nic/update?${query}`), client)
  return found && [shown(found.A), shown(found.AAAA)]
}

/** A query and the requested changes of IPv4 and IPv6. null is refused. */
const TABLE: [query: string, expected: [string, string] | null][] = [
  ['myip=192.0.2.1', ['192.0.2.1', UNCHANGED]],
  ['ip=192.0.2.1', ['192.0.2.1', UNCHANGED]],
  ['myipv4=192.0.2.1&myipv6=2001:DB8::1', ['192.0.2.1', '2001:db8::1']],
  ['ipv4=192.0.2.1&ipv6=2001:db8::1', ['192.0.2.1', '2001:db8::1']],
  ['myip6=2001:db8::1', [UNCHANGED, '2001:db8::1']],
  ['ip6=2001:db8::1', [UNCHANGED, '2001:db8::1']],
  ['myip=2001:db8::1', [UNCHANGED, '2001:db8::1']],
  ['myip=192.0.2.1,2001:db8::1', ['192.0.2.1', '2001:db8::1']],
  ['myip=192.0.2.1,2001:db8::1&myip6=2001:db8::2', ['192.0.2.1', '2001:db8::2']],
  ['myip=192.0.2.10, 192.0.2.9,,192.0.2.9', ['192.0.2.9,192.0.2.10', UNCHANGED]],
  ['myip=192.0.2.1&ip=192.0.2.2', ['192.0.2.1', UNCHANGED]],
  ['myip=&myip6=2001:db8::1', [UNCHANGED, '2001:db8::1']],
  ['myip=%i&ip=192.0.2.1', ['192.0.2.1', UNCHANGED]],
  ['myip=::ffff:192.0.2.1', ['192.0.2.1', UNCHANGED]],
  ['myip=whatismyip', ['203.0.113.9', UNCHANGED]],
  ['myip=WhatIsMyIP&myip6=whatismyip', ['203.0.113.9', UNCHANGED]],
  ['myip6=whatismyip', null],
  ['myip=192.0.2.1&dualstack_update=1', ['192.0.2.1', CLEAR]],
  ['myip=192.0.2.1&dualstack_update=0', ['192.0.2.1', UNCHANGED]],
  ['myip6=2001:db8::1&dualstack_update=1', [CLEAR, '2001:db8::1']],
  ['myip=192.0.2.1&myip6=preserve&dualstack_update=1', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1,2001:db8::1&myip6=preserve', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1&ip6lanprefix=2001:db8:1::/64&myip6=preserve', ['192.0.2.1', UNCHANGED]],
  ['myip=preserve&myip6=2001:db8::1&dualstack_update=1', [UNCHANGED, '2001:db8::1']],
  ['myip=preserve', null],
  ['ip6lanprefix=2001:db8:1:2::/64', [UNCHANGED, '2001:db8:1:2/64']],
  ['ip6lanprefix=2001:db8:1:2::', [UNCHANGED, '2001:db8:1:2/64']],
  ['myip=192.0.2.1&myip6=2001:db8:1:2::/56', ['192.0.2.1', '2001:db8:1:2/56']],
  ['myip=192.0.2.1,2001:db8:1:2::/64', ['192.0.2.1', '2001:db8:1:2/64']],
  ['myip6=2001:db8::1&ip6lanprefix=2001:db8:1::/64', [UNCHANGED, '2001:db8::1']],
  // By convention, the caller's address is the default.
  ['', ['203.0.113.9', UNCHANGED]],
  ['myip=', ['203.0.113.9', UNCHANGED]],
  ['myip=&myip6=', ['203.0.113.9', UNCHANGED]],
  ['myip=%i', ['203.0.113.9', UNCHANGED]],
  ['myip=,', ['203.0.113.9', UNCHANGED]],
  ['dualstack_update=1', ['203.0.113.9', CLEAR]],
  ['myip=bad', null],
  // Invalid addresses are ignored.
  ['myip=192.0.2.1,bad', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.6,invalid.ip,192.0.2.7', ['192.0.2.6,192.0.2.7', UNCHANGED]],
  ['myip=192.0.2.1&myip6=bad', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1&myip6=bad&dualstack_update=1', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1,fe80::1&dualstack_update=1', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1&myip6=192.0.2.2', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1,2001:db8::1&myip6=fe80::1', ['192.0.2.1', '2001:db8::1']],
  ['myip=bad,fe80::1', null],
  ['myip=192.0.2.0/24', null],
  ['myip=192.0.2.0/24,192.0.2.1', ['192.0.2.1', UNCHANGED]],
  ['myip=198.51.100.32,+198.51.100.33', ['198.51.100.32,198.51.100.33', UNCHANGED]],
  ['myip=+192.0.2.1+&myip6=+2001:db8::1', ['192.0.2.1', '2001:db8::1']],
  ['myip=+&ip6lanprefix=+2001:db8:1:2::/64+', [UNCHANGED, '2001:db8:1:2/64']],
  // Private addresses are valid for hosts in their own network.
  ['myip=10.0.0.1,172.16.0.1,192.168.0.1', ['10.0.0.1,172.16.0.1,192.168.0.1', UNCHANGED]],
  ['myip=100.64.0.1,240.0.0.1', ['100.64.0.1,240.0.0.1', UNCHANGED]],
  ['myip=fd00::1', [UNCHANGED, 'fd00::1']],
  ['myip=192.0.2.1&ip6lanprefix=fe80::/64', ['192.0.2.1', UNCHANGED]],
  ['ip6lanprefix=::', null],
  ['myip=192.0.2.1/32', ['192.0.2.1', UNCHANGED]],
  ['myip=192.0.2.1&ip6lanprefix=bad', ['192.0.2.1', UNCHANGED]],
  ['myip6=2001:db8::/129', null],
  ['myip6=2001:db8::/64,2001:db8:1::/64', null],
  [`myip=${Array.from({ length: 33 }, (_, i) => `192.0.2.${i}`).join(',')}`, null],
]

/** Addresses that no reachable host can have (RFC 1122, section 3.2.1.3; RFC 3927; RFC 4291; RFC 4472, section 2.1). */
const NO_HOSTS = [
  ...['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.255', '169.254.1.1', '224.0.0.1'],
  ...['239.255.255.250', '255.255.255.255', '::', '::1', 'fe80::1', 'fe80::1%25eth0', 'febf::1'],
  ...['ff02::1', '::ffff:127.0.0.1', '::ffff:0.0.0.0', 'fe80::/64'],
]

test.group('Requested addresses of dynamic DNS clients', () => {
  for (const address of NO_HOSTS) {
    test(`${address} is never published`, ({ assert }) => {
      assert.isNull(inputs(`myip=${address}`))
      assert.isNull(inputs(`myip6=${address}`))
      assert.deepEqual(inputs(`myip=192.0.2.1,${address}`), ['192.0.2.1', UNCHANGED])
    })
  }

  for (const [query, expected] of TABLE) {
    test(`${query.slice(0, 70) || 'nothing'} means ${expected?.join(' and ') ?? 'nothing'}`, ({
      assert,
    }) => {
      assert.deepEqual(inputs(query), expected)
    })
  }

  test('the address of an IPv6 client counts as its IPv6 address in both parameters', ({
    assert,
  }) => {
    assert.deepEqual(inputs('myip=whatismyip', '2001:db8::7'), [UNCHANGED, '2001:db8::7'])
    assert.deepEqual(inputs('myip6=whatismyip', '2001:db8::7'), [UNCHANGED, '2001:db8::7'])
    assert.isNull(inputs('myip=whatismyip', null))
    assert.isNull(inputs('', null))
    assert.deepEqual(inputs('', '2001:db8::7'), [UNCHANGED, '2001:db8::7'])
    assert.deepEqual(inputs('myip=192.0.2.1&myip6=whatismyip&dualstack_update=1'), [
      '192.0.2.1',
      CLEAR,
    ])
    // An unknown address is not a missing address.
    assert.deepEqual(inputs('myip=whatismyip&myip6=2001:db8::1&dualstack_update=1', null), [
      UNCHANGED,
      '2001:db8::1',
    ])
  })

  test('hosts keep their order, in any notation', ({ assert }) => {
    const hosts = (query: string) => hostsOf(dyndnsQuery(`/nic/update?${query}`))
    assert.deepEqual(hosts('hostname=B.example.,a.example'), ['b.example', 'a.example'])
    assert.deepEqual(hosts('hostname=b.example&hostname=a.example'), ['b.example', 'a.example'])
    assert.deepEqual(hosts('hostname=%h&hostname=a..b,c.example,'), [null, 'c.example'])
    assert.deepEqual(hosts('hostname=*.home.example'), ['*.home.example'])
    assert.deepEqual(hosts('hostname=a.example,+b.example'), ['a.example', 'b.example'])
    assert.deepEqual(hosts('hostname=+a.example+,%2Bb.example'), ['a.example', 'b.example'])
    assert.deepEqual(hosts('hostname='), [])
    assert.deepEqual(hosts(`hostname=${'a'.repeat(64)}.example`), [null])
  })
})
