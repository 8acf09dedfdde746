import { test } from '@japa/runner'
import { registry } from '#settings/define'
import { loadSettings } from '#settings/load'
import dns from '#settings/dns'
import type { Setting } from '#settings/setting'

/** Returns the value of a declared setting for an environment variable; undefined if it is refused. */
function read(key: string, text: string): unknown {
  const declared = registry.all().find((one) => one.key === key)
  return (declared?.setting as Setting<unknown>).fromEnvironment(text)?.value
}

test.group('Settings | sections', (group) => {
  group.setup(async () => {
    await loadSettings()
  })

  test('the values of a section are frozen', ({ assert }) => {
    assert.isFrozen(dns)
  })

  test('logging.type accepts null as text and as JSON null', ({ assert }) => {
    const type = registry.all().find(({ key }) => key === 'logging.type')!
    assert.deepEqual(type.setting.fromFile(null), { value: 'null' })
    assert.deepEqual(type.setting.fromFile('null'), { value: 'null' })
  })

  test('the name server is a domain name', ({ assert }) => {
    assert.equal(read('dns.ns1', 'ns1.example.net.'), 'ns1.example.net.')
    for (const text of ['', 'a b', 'a..b', '.a', 'x'.repeat(64), 'a@b']) {
      assert.isUndefined(read('dns.ns1', text), text)
    }
  })

  test('further name servers are domain names or empty, and default ones a list', ({ assert }) => {
    assert.equal(read('dns.ns3', ''), '')
    assert.equal(read('dns.ns4', 'ns4.example.net'), 'ns4.example.net')
    assert.isUndefined(read('dns.ns3', 'a b'))
    assert.deepEqual(read('dns.default_ns', 'a.example, b.example.'), ['a.example', 'b.example.'])
    assert.deepEqual(read('dns.default_ns', '[]'), [])
    for (const text of ['a b', 'a.example,a.example', 'a.example,', '["a..b"]']) {
      assert.isUndefined(read('dns.default_ns', text), text)
    }
  })

  test('the hostmaster may have an escaped dot in its first label', ({ assert }) => {
    assert.equal(read('dns.hostmaster', 'j\\.doe.example.net'), 'j\\.doe.example.net')
    for (const text of ['', 'joe@example.net', 'joe\\']) {
      assert.isUndefined(read('dns.hostmaster', text), text)
    }
  })

  test('serial policies may be empty for none, and the list of choices may be empty', ({
    assert,
  }) => {
    assert.equal(read('dns.soa_edit_api', ''), '')
    assert.equal(read('dns.soa_edit_api', 'SOA-EDIT-INCREASE'), 'SOA-EDIT-INCREASE')
    assert.isUndefined(read('dns.soa_edit_api', 'default'))
    assert.deepEqual(read('dns.soa_edit_api_options', 'EPOCH,OFF'), ['EPOCH', 'OFF'])
    assert.deepEqual(read('dns.soa_edit_api_options', '[]'), [])
    assert.isNull(read('dns.soa_edit_api_options', ''))
  })

  test('lists of the lockout contain addresses, networks and stars', ({ assert }) => {
    const key = 'security.account_lockout.whitelist_ip_addresses'
    assert.deepEqual(read(key, '192.0.2.1,2001:db8::/32,10.*'), [
      '192.0.2.1',
      '2001:db8::/32',
      '10.*',
    ])
    for (const text of ['localhost', '192.0.2.1/33', '*', '192.0.2.1;192.0.2.2']) {
      assert.isUndefined(read(key, text), text)
    }
  })

  test('the realm of HTTP Basic can be quoted', ({ assert }) => {
    assert.equal(read('api.basic_auth_realm', 'DNS (internal)'), 'DNS (internal)')
    for (const text of ['', 'a "b"', 'a\\b', 'a\nb', 'ü', 'x'.repeat(101)]) {
      assert.isUndefined(read('api.basic_auth_realm', text), text)
    }
  })
})
