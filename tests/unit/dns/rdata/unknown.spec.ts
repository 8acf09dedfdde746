import { test } from '@japa/runner'
import fc from 'fast-check'
import { InvalidDns } from '#dns/errors'
import { canonicalRecord, recordType, recordTypes } from '#dns/records/registry'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

function store(type: string, content: string): string {
  const more = { priority: 0, disabled: false, name: 'www.example.org', apex: 'example.org' }
  return canonicalRecord({ type, content, ...more }).content
}

function refusal(type: string, content: string): InvalidDns {
  try {
    store(type, content)
  } catch (error) {
    if (error instanceof InvalidDns) return error
    throw error
  }
  throw new Error('was not refused')
}

test.group('unknown record types', () => {
  test('unknown types are found by number, and not listed', ({ assert }) => {
    const type = recordType('type65534')!
    assert.equal(type.type, 'TYPE65534')
    assert.equal(store('TYPE65534', type.example), type.example)
    assert.deepEqual(type.parse('\\# 4 0a000001'), ['\\#', '4', '0a000001'])
    assert.deepEqual(type.targets('\\# 4 0a000001'), [])
    assert.notInclude(
      recordTypes().map((it) => it.type),
      'TYPE65534'
    )
  })

  test('{$self} is not a type')
    .with([
      'TYPE',
      'TYPE0',
      'TYPE01',
      'TYPE65536',
      'TYPE99999',
      'TYPE100000',
      'TYPE-1',
      'TYPE1x',
      'TYPEA',
    ])
    .run(({ assert }, type) => {
      assert.isUndefined(recordType(type))
    })

  test('{0} is refused: {1}')
    .with([
      ['TYPE1', 'is the type A; allowed: A'],
      ['TYPE28', 'is the type AAAA'],
      ['TYPE257', 'is the type CAA'],
      ['TYPE65', 'is the type HTTPS'],
      ['TYPE65402', 'is the type LUA'],
      ['TYPE41', 'queries and messages'],
      ['TYPE252', 'queries and messages'],
      ['TYPE255', 'queries and messages'],
    ])
    .run(({ assert }, [type, reason]) => {
      const error = refusal(type, '\\# 4 0a000001')
      assert.equal(error.field, 'type')
      assert.include(error.message, reason)
    })

  test('{0} is stored as {1}')
    .with([
      ['\\# 4 0a000001', '\\# 4 0a000001'],
      ['\\# 0', '\\# 0'],
      ['\\# 4 0A000001', '\\# 4 0a000001'],
      ['\\# 04 0a 00\t0001 ', '\\# 4 0a000001'],
      ['  \\#  2  f f f f', '\\# 2 ffff'],
      [`\\# 300 ${'ab'.repeat(300)}`, `\\# 300 ${'ab'.repeat(300)}`],
    ])
    .run(({ assert }, [given, stored]) => {
      assert.equal(store('TYPE65534', given), stored)
      assert.equal(store('TYPE65534', stored), stored)
    })

  test('{0} is refused: {1}')
    .with([
      ['', 'empty'],
      ['192.0.2.1', 'not generic data'],
      ['# 4 0a000001', 'not generic data'],
      ['\\#', 'not generic data'],
      ['\\#4 0a000001', 'not generic data'],
      ['\\# x 0a000001', 'length from 0 to 65535'],
      ['\\# 65536 00', 'length from 0 to 65535'],
      ['\\# 3 0a000001', 'the length 3, but 4 bytes of data; allowed: the length 4'],
      ['\\# 4', 'the length 4, but 0 bytes of data'],
      ['\\# 0 00', 'the length 0, but 1 bytes of data'],
      ['\\# 1 0', 'even number'],
      ['\\# 1 0g', 'even number'],
      ['\\# 1 "00"', 'even number'],
    ])
    .run(({ assert }, [content, reason]) => {
      const error = refusal('TYPE65534', content)
      assert.equal(error.field, 'content')
      assert.include(error.message, reason)
    })

  test('any bytes can be stored', ({ assert }) => {
    const law = fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const hex = Buffer.from(bytes).toString('hex')
      const content = `\\# ${bytes.length} ${hex}`.trimEnd()
      assert.equal(store('TYPE1234', content), content)
      assert.equal(store('TYPE1234', content.toUpperCase()), content)
    })
    fc.assert(law, LAW_RUNS)
  })
})
