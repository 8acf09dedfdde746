import { test } from '@japa/runner'
import { serverUrl, zonePath } from '#backends/powerdns_api/http/address'

test.group('Addresses of the PowerDNS API', () => {
  test('zone names are encoded so that they cannot be path segments', ({ assert }) => {
    const address = { url: 'http://127.0.0.1:8081', key: '', serverName: 'localhost' }
    for (const [zone, id] of [
      ['example.org', 'example.org.'],
      ['0/25.example.org', '0=2F25.example.org.'],
      ['', '=2E'],
      ['.', '=2E=2E'],
    ]) {
      const { pathname } = serverUrl(address, `${zonePath(zone)}/cryptokeys`)
      assert.equal(pathname, `/api/v1/servers/localhost/zones/${id}/cryptokeys`)
    }
  })
})
