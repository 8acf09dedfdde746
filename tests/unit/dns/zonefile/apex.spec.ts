import { test } from '@japa/runner'
import { apexOf } from '#dns/zonefile/index'
import { ORIGINS, readCase } from './cases.js'
import { cpuMs } from '#tests/support/cpu_time'

const SOA = 'SOA ns1.example.net. hostmaster.example.net. 1 7200 3600 604800 300'

test.group('The apex of a zone file', () => {
  test('{text} has the apex {apex}')
    .with([
      { text: `example.test. 300 IN ${SOA}`, apex: 'example.test' },
      { text: `EXAMPLE.test.\tIN\t${SOA}`, apex: 'example.test' },
      { text: `; a comment\n$TTL 300\n$ORIGIN example.test.\n@ IN ${SOA}`, apex: 'example.test' },
      // In the format of BIND.
      { text: `$ORIGIN .\n$TTL 300\nexample.test IN SOA ns1. h. (`, apex: 'example.test' },
      { text: `$ORIGIN test.\n$ORIGIN example\n@ ${SOA}`, apex: 'example.test' },
      { text: `$ORIGIN example.test. ; mine\r\n@ 1h ${SOA}\r\n`, apex: 'example.test' },
      { text: `2.0.192.in-addr.arpa. 300 IN ${SOA}`, apex: '2.0.192.in-addr.arpa' },
      { text: `münchen.test. ${SOA}`, apex: 'xn--mnchen-3ya.test' },
      // No line contains the apex.
      { text: `@ IN ${SOA}`, apex: null },
      { text: `www 300 IN A 192.0.2.1`, apex: null },
      { text: `a.test. TXT "b SOA c"`, apex: null },
      { text: `; example.test. ${SOA}`, apex: null },
      { text: `..test. ${SOA}`, apex: null },
      { text: '', apex: null },
    ])
    .run(({ assert }, { text, apex }) => {
      assert.equal(apexOf(text), apex)
    })

  test('files of other programs give their apex or none', ({ assert }) => {
    const found = Object.entries(ORIGINS).map(([folder, origin]) => {
      const apex = apexOf(readCase(folder).zone)
      assert.isTrue(apex === null || apex === origin, folder)
      return apex
    })
    assert.isAbove(found.filter((apex) => apex !== null).length, 3)
  })

  test('a hostile line is read quickly', ({ assert }) => {
    const text = `a ${'x '.repeat(200_000)}\n$ORIGIN ${' '.repeat(200_000)}`
    assert.isBelow(
      cpuMs(() => apexOf(text)),
      500
    )
  })
})
