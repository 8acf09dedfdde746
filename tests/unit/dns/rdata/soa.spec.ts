import { test } from '@japa/runner'
import { parseSoa, printSoa, serialOfSet, setAtSerial, soaSerial, withSerial } from '#dns/rdata/soa'

const CONTENT = 'ns1.example.org first\\.last.example.org 2026010100 10800 3600 604800 300'

test.group('SOA contents', () => {
  test('the parts of a content are named fields', ({ assert }) => {
    assert.deepEqual(parseSoa(CONTENT), {
      mname: 'ns1.example.org',
      rname: 'first\\.last.example.org',
      serial: 2026010100,
      refresh: 10800,
      retry: 3600,
      expire: 604800,
      minimum: 300,
    })
    assert.equal(printSoa(parseSoa(CONTENT)), CONTENT)
  })

  test('a new serial keeps the rest of the content unchanged', ({ assert }) => {
    assert.equal(withSerial(CONTENT, 7), CONTENT.replace('2026010100', '7'))
    assert.equal(withSerial('Ns1.example.org. root. 5', 6), 'Ns1.example.org. root. 6')
  })

  test('the serial is found with any surrounding blanks', ({ assert }) => {
    assert.equal(soaSerial(CONTENT), 2026010100)
    assert.equal(soaSerial('Ns1.example.org. root. 5'), 5)
  })

  test('the serial of an RRset comes from the enabled record', ({ assert }) => {
    const of = (...records: [content: string, disabled: boolean][]) => ({
      name: 'example.org',
      type: 'SOA',
      ttl: 300,
      records: records.map(([content, disabled]) => ({ content, priority: 0, disabled })),
    })
    const set = of(['a b 1 1', true], ['a b', true], ['a b 5 1', false])
    assert.equal(serialOfSet(set), 5)
    assert.deepEqual(setAtSerial(set, 6), of(['a b 1 1', true], ['a b', true], ['a b 6 1', false]))
    const dark = of(['a b 1 1', true], ['a b', true])
    assert.equal(serialOfSet(dark), 1)
    assert.deepEqual(setAtSerial(dark, 6), of(['a b 6 1', true], ['a b', true]))
    assert.isNull(serialOfSet(of()))
    assert.isNull(serialOfSet(of(['a b', false])))
  })

  test('a content without a serial is not changed')
    .with(['', 'ns1.example.org root.example.org', 'a b [SERIAL] 1 1 1 1'])
    .run(({ assert }, content) => {
      assert.throws(() => soaSerial(content), /Field 'content'/)
      assert.throws(() => withSerial(content, 1), /Field 'content'/)
    })
})
