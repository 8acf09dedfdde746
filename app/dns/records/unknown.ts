import { InvalidDns } from '#dns/errors'
import { fieldsOf, numberField } from '#dns/rdata_fields'
import type { RecordType } from '#dns/records/record_type'
import { isDataType, typeNumber } from '#dns/type_numbers'

const FORM = '\\# length hex, such as \\# 4 0a000001 (RFC 3597, 5)'
const NUMBER_LIMIT = 65535
/** PowerDNS' own types, out of the numbers for private use (RFC 6895, 3.1). */
const PRIVATE: Readonly<Record<string, number>> = { ALIAS: 65401, LUA: 65402 }

/**
 * The record type of `TYPEn` (RFC 3597), n being 1 to 65535 without leading zeros; undefined for what is
 * no such name. When n is the number of one of the `known` types, or of a type for queries only, it takes
 * no content, and the error says so.
 */
export function unknownType(name: string, known: () => Iterable<string>): RecordType | undefined {
  const type = name.toUpperCase()
  const number = Number(/^TYPE([1-9]\d{0,4})$/.exec(type)?.[1])
  if (!(number <= NUMBER_LIMIT)) return undefined
  return {
    type,
    rfc: 'RFC 3597',
    summary: `Data of the record type number ${number}, which has no name here`,
    example: '\\# 4 0a000001',
    trap: 'The length counts bytes, and there are two hexadecimal digits for each',
    priority: false,
    singleton: false,
    writer: 'editor',
    fields: ['mark', 'length', 'data'],
    parse: (content) => content.split(' '),
    canonical(content) {
      checkNumber(type, number, known())
      return canonicalData(content)
    },
    present: (content) => content,
    targets: () => [],
  }
}

function checkNumber(type: string, number: number, known: Iterable<string>): void {
  if (!isDataType(number)) {
    throw new InvalidDns('type', type, 'the number of a type for data (RFC 6895, 3.1)', {
      problem: 'is a type for questions and messages',
    })
  }
  const mnemonic = [...known].find((it) => (PRIVATE[it] ?? typeNumber(it)) === number)
  if (mnemonic === undefined) return
  throw new InvalidDns('type', type, mnemonic, { problem: `is the type ${mnemonic}` })
}

function canonicalData(content: string): string {
  const [mark, lengthText, ...data] = fieldsOf(content)
  if (mark !== '\\#' || lengthText === undefined) {
    throw new InvalidDns('content', content, FORM, { problem: 'is not generic data' })
  }
  const length = numberField(lengthText, 'length', 65535, content)
  const hex = data.join('').toLowerCase()
  if (!/^[0-9a-f]*$/.test(hex) || hex.length % 2 === 1) {
    throw new InvalidDns('content', content, FORM, {
      problem: 'has data that is not an even number of digits 0-9 a-f',
    })
  }
  if (hex.length !== 2 * length) {
    throw new InvalidDns('content', content, `the length ${hex.length / 2}, or other data`, {
      problem: `has the length ${length}, and data of ${hex.length / 2} bytes`,
    })
  }
  return hex === '' ? '\\# 0' : `\\# ${length} ${hex}`
}
