import { test } from '@japa/runner'
import { InvalidDns } from '#dns/errors'
import {
  ancestorsWithin,
  hostName,
  isReverseZone,
  isWithin,
  ownerName,
  relativeName,
  reversedLabels,
  zoneName,
} from '#dns/names'

const APEX = 'example.org'
const NAME_253 = ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61)].join('.')

test.group('zone names', () => {
  test('{0} is {1}')
    .with([
      ['example.org', 'example.org'],
      ['example.org.', 'example.org'],
      ['Example.ORG', 'example.org'],
      ['com', 'com'],
      ['_msdcs.example.org', '_msdcs.example.org'],
      ['bücher.example', 'xn--bcher-kva.example'],
      ['XN--Bcher-KVA.example', 'xn--bcher-kva.example'],
      ['faß.example', 'xn--fa-hia.example'],
      ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
      ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
      ['128/26.2.0.192.in-addr.arpa', '128/26.2.0.192.in-addr.arpa'],
      ['8.b.d.0.1.0.0.2.ip6.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
      [NAME_253, NAME_253],
      [`${NAME_253}.`, NAME_253],
    ])
    .run(({ assert }, [input, name]) => {
      assert.equal(zoneName(input), name)
      assert.equal(zoneName(name), name)
    })

  test('an invalid zone name is refused: {1}')
    .with([
      ['', 'empty label'],
      ['.', 'empty label'],
      ['..', 'empty label'],
      ['.example.org', 'empty label'],
      ['example..org', 'empty label'],
      ['example.org..', 'empty label'],
      ['exa mple.org', 'character'],
      [' example.org', 'character'],
      ['example.org\n', 'character'],
      ['exa\u0000mple.org', 'IDN'],
      ['exa\u007fmple.org', 'IDN'],
      ['*.example.org', 'wildcard'],
      ['exa*mple.org', 'character'],
      ['-example.org', 'starts or ends with'],
      ['example-.org', 'starts or ends with'],
      ['0/25.example.org', 'RFC 2317'],
      ['1/25.2.0.192.in-addr.arpa', 'RFC 2317'],
      ['0/23.2.0.192.in-addr.arpa', 'RFC 2317'],
      ['0/33.2.0.192.in-addr.arpa', 'RFC 2317'],
      ['256/25.2.0.192.in-addr.arpa', 'RFC 2317'],
      ['0/25/26.2.0.192.in-addr.arpa', 'RFC 2317'],
      ['192.0.2.1', 'IPv4 address'],
      ['１９２.0.2.1', 'IPv4 address'],
      ['2001:db8::1', 'character'],
      ['ä/b.example.org', 'IDN'],
      ['user@ä.example', 'character'],
      ['ä@b.example', 'IDN'],
      ['ä:80.example', 'IDN'],
      ['／ä.example', 'IDN'],
      ['a%2e.example', 'character'],
      ['\u00ad.example', 'empty label'],
      ['⒈.example', 'character'],
      ['a\ud800.example', 'IDN'],
      [`${'a'.repeat(64)}.org`, '63 characters'],
      [`${'ü'.repeat(60)}.org`, '63 characters'],
      [`e${NAME_253}`, '63 characters'],
      [`${NAME_253}e`, '253 characters'],
      ['a.'.repeat(100000), 'too long'],
    ])
    .run(({ assert }, [input, reason]) => {
      assert.throws(() => zoneName(input), new RegExp(`Field 'name': ".*${reason}`, 's'))
    })
})

test.group('owner names', () => {
  test('{0} in example.org is {1}')
    .with([
      ['', 'example.org'],
      ['@', 'example.org'],
      ['example.org', 'example.org'],
      ['EXAMPLE.org.', 'example.org'],
      ['www', 'www.example.org'],
      ['WWW', 'www.example.org'],
      ['www.example.org', 'www.example.org'],
      ['www.example.org.', 'www.example.org'],
      ['www.example.com', 'www.example.com.example.org'],
      ['wwwexample.org', 'wwwexample.org.example.org'],
      ['*', '*.example.org'],
      ['*.sub', '*.sub.example.org'],
      ['_sip._tcp', '_sip._tcp.example.org'],
      ['bücher', 'xn--bcher-kva.example.org'],
      ['10', '10.example.org'],
      // RFC 4592, section 2.2.1; RFC 6763, section 4.1; RFC 2181, section 11
      ['sub.*', 'sub.*.example.org'],
      ['*.*', '*.*.example.org'],
      ['*a', '*a.example.org'],
      ['-a', '-a.example.org'],
      ['0/25', '0/25.example.org'],
      ['a:b', 'a:b.example.org'],
      ['\\@', '@.example.org'],
      ['My\\032printer._ipp._tcp', 'my\\032printer._ipp._tcp.example.org'],
      ['my\\ printer', 'my\\032printer.example.org'],
      ['a\\.b', 'a\\.b.example.org'],
      ['a\\046b', 'a\\.b.example.org'],
      ['a\\\\b', 'a\\\\b.example.org'],
      ['\\032'.repeat(63), `${'\\032'.repeat(63)}.example.org`],
      ['a\\.example.org', 'a\\.example.org.example.org'],
    ])
    .run(({ assert }, [input, name]) => {
      assert.equal(ownerName(input, APEX), name)
      assert.equal(ownerName(name, APEX), name)
      assert.equal(ownerName(`${name}.`, APEX), name)
    })

  test('an invalid owner name is refused: {1}')
    .with([
      ['www.example.com.', 'outside the zone example.org'],
      ['wwwexample.org.', 'outside the zone'],
      ['.', 'outside the zone'],
      ['a;b', 'character ";"'],
      ['a(b', 'character'],
      ['$origin', 'character'],
      ['a\\"b', 'character'],
      ['a\\195\\164', 'character'],
      ['a\\256', 'invalid escape'],
      ['a\\', 'invalid escape'],
      ['a..b', 'empty label'],
      ['a b', 'character'],
      [`${'\\032'.repeat(64)}`, '63 characters'],
      [`${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(60), '253 characters'],
    ])
    .run(({ assert }, [input, reason]) => {
      assert.throws(() => ownerName(input, APEX), new RegExp(`Field 'name': ".*${reason}`))
    })

  test('a classless delegation is an owner name in its reverse zone', ({ assert }) => {
    const apex = '2.0.192.in-addr.arpa'
    assert.equal(ownerName('0/25', apex), `0/25.${apex}`)
    assert.equal(ownerName('*.0/25', apex), `*.0/25.${apex}`)
  })
})

test.group('host names', () => {
  test('the root is a host name only where it is allowed', ({ assert }) => {
    assert.equal(hostName('.', 'content', { allowRoot: true }), '.')
    assert.throws(() => hostName('.'), /empty label/)
  })

  test('a minimum number of labels can be required', ({ assert }) => {
    assert.equal(hostName('org', 'content'), 'org')
    assert.throws(() => hostName('org', 'content', { minLabels: 2 }), /fewer than 2 labels/)
  })

  test('the error names the validated field', ({ assert }) => {
    try {
      hostName('192.0.2.1', 'target')
      assert.fail()
    } catch (error) {
      assert.instanceOf(error, InvalidDns)
      assert.equal((error as InvalidDns).field, 'target')
    }
  })
})

test.group('names in the tree', () => {
  test('a name is within the apex at a label boundary', ({ assert }) => {
    assert.isTrue(isWithin('example.org', APEX))
    assert.isTrue(isWithin('a.b.example.org', APEX))
    assert.isFalse(isWithin('notexample.org', APEX))
    assert.isFalse(isWithin('org', APEX))
  })

  test('relativeName() returns @ for the apex, and names outside the zone unchanged', ({
    assert,
  }) => {
    assert.equal(relativeName('example.org', APEX), '@')
    assert.equal(relativeName('a.b.example.org', APEX), 'a.b')
    assert.equal(relativeName('example.com', APEX), 'example.com')
  })

  test('ancestors are the names between name and apex, nearest first', ({ assert }) => {
    assert.deepEqual(ancestorsWithin('a.b.c.example.org', APEX), [
      'b.c.example.org',
      'c.example.org',
    ])
    assert.deepEqual(ancestorsWithin('a.example.org', APEX), [])
    assert.deepEqual(ancestorsWithin('example.org', APEX), [])
    assert.deepEqual(ancestorsWithin('a.b.example.com', APEX), [])
  })

  test('labels are reversed as PowerDNS orders them', ({ assert }) => {
    assert.equal(reversedLabels('a.b.c.example.org', APEX), 'c b a')
    assert.equal(reversedLabels('www.example.org', APEX), 'www')
    assert.equal(reversedLabels('*.example.org', APEX), '*')
    assert.equal(reversedLabels('example.org', APEX), '')
  })

  test('reverse zones are below in-addr.arpa and ip6.arpa', ({ assert }) => {
    assert.isTrue(isReverseZone('2.0.192.in-addr.arpa'))
    assert.isTrue(isReverseZone('in-addr.arpa'))
    assert.isTrue(isReverseZone('0.2.ip6.arpa'))
    assert.isFalse(isReverseZone('e164.arpa'))
    assert.isFalse(isReverseZone('xin-addr.arpa'))
  })
})
