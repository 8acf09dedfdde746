import { byteText } from '#dns/rdata/character_strings'
import { refusal, wordField, type Field } from '#dns/records/fields'
import type { WireReader } from '#dns/rdata/wire_reader'
import { isDataType, typeNumber, typeWord } from '#dns/rdata/type_numbers'

/** Maximum bytes of a block: one bit for each of 256 types. */
const BLOCK = 32
const FORM = 'mnemonics of data types, or TYPEn (RFC 3597), but no query types'

/** Field of one data type, such as the type that a signature covers. */
export function typeOf(name: string): Field {
  return wordField(
    name,
    (word, content) => typeWord(numberOfType(word, name, content)),
    (data) => typeWord(data.number(2))
  )
}

/**
 * Field of all remaining words: a list of types (RFC 4034, 4.1.2). The canonical form is sorted by number, without duplicates.
 *
 * @param excludedNumbers numbers of types that the list must not contain
 */
export function typesOf(name: string, excludedNumbers: readonly number[] = []): Field {
  return {
    name,
    fromWire: (data) => typesFromWire(data).map(typeWord).join(' '),
    read: ({ tokens, content }) => {
      if (tokens.some((token) => token.quoted)) throw refusal(content, name, 'without quotes')
      const numbers = tokens.map((token) => numberOfType(byteText(token.bytes), name, content))
      const excludedNumber = numbers.find((number) => excludedNumbers.includes(number))
      if (excludedNumber !== undefined)
        throw refusal(content, name, `types other than ${typeWord(excludedNumber)}`)
      const sorted = [...new Set(numbers)].sort((one, other) => one - other)
      return { text: sorted.map(typeWord).join(' '), taken: tokens.length }
    },
  }
}

/** Reads numbers from bitmap blocks of 256 types each; the list may be empty. */
function typesFromWire(data: WireReader): number[] {
  const numbers: number[] = []
  let last = -1
  while (data.remainingBytes > 0) {
    const block = data.number(1)
    const bitmap = data.sized()
    if (block <= last || bitmap.length === 0 || bitmap.length > BLOCK) {
      throw data.refusal(
        'has a type bitmap with blocks that are out of order or have a wrong length'
      )
    }
    last = block
    for (let bit = 0; bit < bitmap.length * 8; bit++) {
      if (bitmap[bit >> 3] & (0x80 >> (bit & 7))) numbers.push(block * 256 + bit)
    }
  }
  return numbers
}

function numberOfType(word: string, name: string, content: string): number {
  const number = typeNumber(word)
  if (number === undefined || !isDataType(number)) throw refusal(content, name, FORM)
  return number
}
