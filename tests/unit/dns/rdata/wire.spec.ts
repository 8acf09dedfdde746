import { test } from '@japa/runner'
import fc from 'fast-check'
import { InvalidDns } from '#dns/errors'
import { canonicalRecord, recordTypes } from '#dns/records/registry'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { RECORD_TABLES } from '#tests/unit/dns/support/record_tables'
import { WIRE_ROWS } from '#tests/unit/dns/tables/wire_rows'
import { WRONG_WIRE_ROWS } from '#tests/unit/dns/tables/wire_wrong_rows'
import { taken } from '#tests/unit/dns/support/unless_refused'

const QUERY_TYPES = ['MAILA', 'MAILB']
const BUILT_IN = recordTypes().map(({ type }) => type)
const TYPES = Object.keys(WIRE_ROWS)

/** Returns the generic form of hexadecimal data (RFC 3597). */
function generic(hex: string): string {
  return `\\# ${hex.length / 2} ${hex}`
}

function store(type: string, content: string, priority = 0) {
  const name = RECORD_TABLES[type].name ?? 'www.example.org'
  return canonicalRecord({ type, content, priority, disabled: false, name, apex: 'example.org' })
}

function refusal(read: () => unknown): InvalidDns {
  try {
    read()
  } catch (error) {
    if (error instanceof InvalidDns) return error
    throw error
  }
  throw new Error('was not refused')
}

test.group('contents as generic data (RFC 3597, section 5)', () => {
  test('every type with data has rows', ({ assert }) => {
    assert.sameMembers([...TYPES, ...QUERY_TYPES], BUILT_IN)
    for (const [type, rows] of Object.entries(WIRE_ROWS)) assert.isAtLeast(rows.length, 2, type)
  })

  for (const [type, rows] of Object.entries(WIRE_ROWS)) {
    test(`${type}: data are stored as the content`)
      .with(rows)
      .run(({ assert }, [data, content]) => {
        const stored = store(type, generic(data))
        assert.equal(stored.content, content)
        assert.equal(store(type, content, stored.priority).content, content)
        assert.equal(store(type, `  ${generic(data.toUpperCase())} `).content, content)
      })
  }

  for (const [type, rows] of Object.entries(WRONG_WIRE_ROWS)) {
    test(`${type}: invalid data are refused with the reason`)
      .with(rows)
      .run(({ assert }, [data, reason]) => {
        const error = refusal(() => store(type, generic(data)))
        assert.include(error.message, reason)
        assert.match(error.message, /^Field 'content': ".*; allowed: /s)
      })
  }

  test('the message has the data and the expected fields', ({ assert }) => {
    const { message } = refusal(() => store('MX', '\\# 2 000a'))
    const allowed = 'the data of MX: priority, exchange (RFC 1035, 3.3.9)'
    const problem = 'has data that ends within the exchange'
    assert.equal(message, `Field 'content': "\\\\# 2 000a" ${problem}; allowed: ${allowed}`)
  })

  test('a wrong length is refused: {$self}')
    .with(['\\# 3 c0000201', '\\# 5 c0000201', '\\# 4 c000020', '\\# 4 c000020g', '\\# 4'])
    .run(({ assert }, content) => {
      assert.equal(refusal(() => store('A', content)).field, 'content')
    })

  test('the data contain the priority; the separate priority is 0 or equal', ({ assert }) => {
    const data = generic('000a036e7331076578616d706c6500')
    assert.deepInclude(store('MX', data), { content: 'ns1.example', priority: 10 })
    assert.equal(store('MX', data, 10).priority, 10)
    const error = refusal(() => store('MX', data, 20))
    assert.equal(error.field, 'priority')
    assert.include(error.message, '"20" is not the priority at the start of the data')
  })

  test('query types have no data', ({ assert }) => {
    for (const type of QUERY_TYPES) {
      assert.include(refusal(() => store(type, '\\# 1 00')).message, 'cannot be stored')
    }
  })

  test('a long LUA code has several strings, and is one code', ({ assert }) => {
    const code = `f('${'x'.repeat(300)}')`
    const [one, two] = [code.slice(0, 255), code.slice(255)]
    const pieces = [Buffer.from([0, 1, 255]), one, Buffer.from([two.length]), two]
    const data = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('hex')
    assert.equal(store('LUA', generic(data)).content, `A "${code}"`)
  })

  test('data that look like text are handled as text', ({ assert }) => {
    assert.equal(store('TXT', '"\\# 1 00"').content, '"# 1 00"')
    assert.equal(store('TXT', '\\\\# 1 00').content, '"\\\\# 1 00"')
    assert.equal(store('TXT', '\\# x').content, '"\\\\# x"')
  })

  test('{$self}: random wire data throw, or print a content that parses to itself')
    .with(TYPES)
    .run(({ assert }, type) => {
      const rows = WIRE_ROWS[type].map(([data]) => Buffer.from(data, 'hex'))
      const near = fc
        .tuple(fc.constantFrom(...rows), fc.nat(60), fc.nat(3), fc.uint8Array({ maxLength: 3 }))
        .map(([data, at, cut, put]) =>
          Buffer.concat([data.subarray(0, at), put, data.subarray(at + cut)])
        )
      const law = fc.property(fc.oneof(near, fc.uint8Array({ maxLength: 60 })), (data) => {
        const given = generic(Buffer.from(data).toString('hex'))
        const stored = taken(() => store(type, given))
        if (stored === undefined) return
        assert.match(stored.content, /^[ -~]+$/)
        assert.equal(store(type, stored.content, stored.priority).content, stored.content)
      })
      fc.assert(law, LAW_RUNS)
    })
})
