import { test } from '@japa/runner'
import { isAddress, parsePrimary, reverseName } from '#dns/addresses/address_text'

test.group('addresses', () => {
  test('an address is IPv4 or IPv6, without surrounding text', ({ assert }) => {
    assert.isTrue(isAddress('192.0.2.1'))
    assert.isTrue(isAddress('2001:DB8::1'))
    assert.isTrue(isAddress('::'))
    for (const text of ['', '192.0.2.1:53', '[::1]', 'example.org', '::1%lo', ':', ':::']) {
      assert.isFalse(isAddress(text), text)
    }
  })

  test('the reverse name of an IPv4 address has its octets', ({ assert }) => {
    assert.equal(reverseName('192.0.2.10'), '10.2.0.192.in-addr.arpa')
  })

  test('the reverse name of an IPv6 address has its nibbles', ({ assert }) => {
    assert.equal(
      reverseName('2001:DB8::567:89ab'),
      'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'
    )
  })

  test('a text that is no address has no reverse name', ({ assert }) => {
    assert.throws(() => reverseName('example.org'), /Field 'address': "example.org"/)
  })
})

test.group('primary servers', () => {
  test('{0} is {1}')
    .with([
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1:5300', '192.0.2.1:5300'],
      ['192.0.2.1:053', '192.0.2.1:53'],
      ['2001:DB8::1', '2001:db8::1'],
      ['[2001:DB8:0::1]:5300', '[2001:db8::1]:5300'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['2001:db8::1:5300', '2001:db8::1:5300'],
      ['192.0.2.1:65535', '192.0.2.1:65535'],
    ])
    .run(({ assert }, [text, primary]) => {
      assert.equal(parsePrimary(text), primary)
      assert.equal(parsePrimary(primary), primary)
    })

  test('"{$self}" is refused')
    .with([
      '',
      'ns1.example.org',
      '999.1.1.1',
      '192.0.2.1:0',
      '192.0.2.1:65536',
      '192.0.2.1:',
      '192.0.2.1:x',
      '192.0.2.1:53:53',
      '[192.0.2.1]:53',
      '[2001:db8::1',
      '[2001:db8::1]53',
      '[2001:db8::1]:',
      '[2001:db8::1]:0',
      '[]:53',
      ':53',
      '2001:53',
      '192.0.2.1 ',
    ])
    .run(({ assert }, text) => {
      const wanted = `Invalid IP address: ${text}`
      try {
        parsePrimary(text)
        assert.fail('was taken')
      } catch (error) {
        assert.include((error as Error).message, wanted)
        assert.include((error as Error).message, "Field 'master'")
      }
    })
})
