import type { LookupAddress } from 'node:dns'
import { test } from '@japa/runner'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { isCallableAddress, pinnedLookup } from '#backends/powerdns_api/http/server_address'

test.group('Allowed addresses of the PowerDNS API', () => {
  test('loopback, private and public addresses are allowed', ({ assert }) => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '198.51.100.7',
      '::1',
      'fd00::1',
    ]) {
      assert.isTrue(isCallableAddress(address), address)
    }
  })

  test('link-local, unspecified and multicast addresses are refused', async ({ assert }) => {
    const refused = [
      '0.0.0.0',
      '169.254.169.254',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      'fe80::1',
      'ff02::1',
      '::ffff:169.254.169.254',
    ]
    for (const address of refused) {
      assert.isFalse(isCallableAddress(address), address)
      const host = address.includes(':') ? `[${address}]` : address
      const client = new PowerDnsClient({
        url: `http://${host}:1`,
        key: 'k',
        serverName: 'localhost',
      })
      await assert.rejects(() => client.get(''), /EADDRESS/)
    }
  })

  test('a name is resolved once, and the checked addresses are used', async ({ assert }) => {
    const found = await new Promise<string | LookupAddress[]>((resolve, reject) => {
      pinnedLookup('localhost', { all: true }, (error, addresses) =>
        error ? reject(error) : resolve(addresses)
      )
    })
    assert.isNotEmpty(found)
    const one = await new Promise<string | LookupAddress[]>((resolve, reject) => {
      pinnedLookup('localhost', {}, (error, address) => (error ? reject(error) : resolve(address)))
    })
    assert.isTrue(isCallableAddress(String(one)))
  })
})
