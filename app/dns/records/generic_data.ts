import { InvalidDns } from '#dns/errors'
import { fieldsOf, numberField } from '#dns/rdata/fields'
import type { RecordType } from '#dns/records/record_type'
import { WireReader } from '#dns/rdata/wire_reader'

const FORM = '\\# length hex, such as \\# 4 0a000001 (RFC 3597, 5)'
const GENERIC_START = /^[ \t]*\\#[ \t]+\d+(?:[ \t]|$)/

/** Returns whether a content is generic data: `\#` and a length (RFC 3597, 5). */
export function isGenericData(content: string): boolean {
  return GENERIC_START.test(content)
}

/**
 * Returns the canonical form of generic data: `\# length hex`, in lower case without spaces in the data.
 *
 * @throws InvalidDns on 'content'
 */
export function genericData(content: string): string {
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
      problem: `has the length ${length}, but ${hex.length / 2} bytes of data`,
    })
  }
  return hex === '' ? '\\# 0' : `\\# ${length} ${hex}`
}

/** Decoded data, in the form that `canonical` of the type accepts. */
export interface DecodedData {
  content: string
  /** 0 for types without one. */
  priority: number
}

/**
 * Decodes generic data of a known type, including a priority in front.
 *
 * @param type a type with `fromWire`
 * @throws InvalidDns on 'content' for data that are invalid for the type
 */
export function decodedData(
  { type, fields, rfc, priority: hasPriority }: RecordType,
  content: string,
  fromWire: NonNullable<RecordType['fromWire']>
): DecodedData {
  const bytes = Buffer.from(genericData(content).split(' ')[2] ?? '', 'hex')
  const names = [...(hasPriority ? ['priority'] : []), ...fields].join(', ')
  const data = new WireReader(bytes, { content, allowed: `the data of ${type}: ${names} (${rfc})` })
  const priority = hasPriority ? data.reading('priority').number(2) : 0
  const decoded = fromWire(data)
  data.end()
  return { content: decoded, priority }
}
