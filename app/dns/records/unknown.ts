import { InvalidDns } from '#dns/errors'
import { genericData } from '#dns/records/generic_data'
import type { RecordType } from '#dns/records/record_type'
import { isDataType } from '#dns/rdata/type_numbers'

const NUMBER_LIMIT = 65535

/**
 * Returns the record type of `TYPEn` (RFC 3597) with n from 1 to 65535, without leading zeros; undefined for other names. If n
 * is a type with a mnemonic or a query type, every content is an error with that reason.
 *
 * @param mnemonicOf returns the mnemonic of a known type
 */
export function unknownType(
  name: string,
  mnemonicOf: (number: number) => string | undefined
): RecordType | undefined {
  const type = name.toUpperCase()
  const number = genericNumber(type)
  if (number === undefined) return undefined
  return {
    type,
    rfc: 'RFC 3597',
    summary: `Data of the record type with number ${number}, which has no mnemonic here`,
    example: '\\# 4 0a000001',
    trap: 'The length counts bytes, and there are two hexadecimal digits for each',
    priority: false,
    singleton: false,
    writer: 'editor',
    fields: ['mark', 'length', 'data'],
    parse: (content) => content.split(' '),
    canonical(content) {
      checkNumber(type, number, mnemonicOf(number))
      return genericData(content)
    },
    present: (content) => content,
    targets: () => [],
  }
}

/** Returns n of `TYPEn` in upper case, 1..65535 without leading zeros; undefined for other texts. */
export function genericNumber(type: string): number | undefined {
  const number = Number(/^TYPE([1-9]\d{0,4})$/.exec(type)?.[1])
  return number <= NUMBER_LIMIT ? number : undefined
}

function checkNumber(type: string, number: number, mnemonic: string | undefined): void {
  if (!isDataType(number)) {
    throw new InvalidDns('type', type, 'the number of a data type (RFC 6895, 3.1)', {
      problem: 'is a type for queries and messages',
    })
  }
  if (mnemonic === undefined) return
  throw new InvalidDns('type', type, mnemonic, { problem: `is the type ${mnemonic}` })
}
