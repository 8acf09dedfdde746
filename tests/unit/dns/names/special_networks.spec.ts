import { test } from '@japa/runner'
import { isPublicAddress } from '#dns/addresses/special_networks'

const PUBLIC = ['8.8.8.8', '172.15.255.255', '172.32.0.0', '100.128.0.0', '2001:4860:4860::8888']

const OTHERS = [
  ['this host', '0.0.0.0'],
  ['private', '10.1.2.3'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['shared by a provider', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['metadata of a cloud', '169.254.169.254'],
  ['services of a cloud', '168.63.129.16'],
  ['documentation', '192.0.2.1'],
  ['multicast', '224.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4 loopback in IPv6 form', '::ffff:127.0.0.1'],
  ['IPv4 private in IPv6 form, in hex', '::ffff:a00:1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['Teredo', '2001::1'],
  ['unique local', 'fd00::1'],
  ['metadata of a cloud', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['multicast', 'ff02::1'],
  ['not assigned', '4000::1'],
  ['no address', 'localhost'],
  ['no address', ''],
]

test.group('Public addresses', () => {
  for (const address of PUBLIC) {
    test(`${address} is public`, ({ assert }) => {
      assert.isTrue(isPublicAddress(address))
    })
  }

  for (const [about, address] of OTHERS) {
    test(`${address} is not public: ${about}`, ({ assert }) => {
      assert.isFalse(isPublicAddress(address))
    })
  }

  test('an IPv4 address in IPv6 form counts as IPv4', ({ assert }) => {
    assert.isTrue(isPublicAddress('::ffff:8.8.8.8'))
  })
})
