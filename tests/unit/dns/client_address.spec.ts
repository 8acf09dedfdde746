import { test } from '@japa/runner'
import { clientAddress } from '#dns/client_address'
import { parseNetworks } from '#dns/networks'

const TRUSTED = parseNetworks(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'])

/** Address of the connection, header, and whose address it is. */
const TABLE: [connection: string, forwarded: string | undefined, expected: string][] = [
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '192.0.2.66, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '192.0.2.66, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
  ['2001:db8:1::1', '2001:db8:2::7', '2001:db8:2::7'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1, not an address', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1:4711', '127.0.0.1'],
  ['127.0.0.1', `${'9'.repeat(5000)}, 10.0.0.1`, '10.0.0.1'],
]

test.group('Addresses of callers', () => {
  for (const [connection, forwarded, expected] of TABLE) {
    const header = String(forwarded).slice(0, 50)
    test(`${connection} with "${header}" is ${expected}`, ({ assert }) => {
      assert.equal(clientAddress(connection, forwarded, TRUSTED), expected)
      assert.equal(clientAddress(connection, forwarded, []), connection)
    })
  }
})
