import { byteText } from '#dns/rdata_text'
import { refusal, wordField, type Field } from '#dns/records/fields'
import { isDataType, typeNumber, typeWord } from '#dns/type_numbers'

const FORM = 'mnemonics of record types, or TYPEn (RFC 3597), of data and not of questions'

/** One type of data, such as the type a signature covers. */
export function typeOf(name: string): Field {
  return wordField(name, (word, content) => typeWord(numberOfType(word, name, content)))
}

/**
 * All that is left as a list of types (RFC 4034, 4.1.2); canonical in the order of their numbers, each
 * once.
 *
 * @param without numbers of the types that must not be in the list
 */
export function typesOf(name: string, without: readonly number[] = []): Field {
  return {
    name,
    read: ({ tokens, content }) => {
      if (tokens.some((token) => token.quoted)) throw refusal(content, name, 'without quotes')
      const numbers = tokens.map((token) => numberOfType(byteText(token.bytes), name, content))
      const wrong = numbers.find((number) => without.includes(number))
      if (wrong !== undefined) throw refusal(content, name, `types other than ${typeWord(wrong)}`)
      const sorted = [...new Set(numbers)].sort((one, other) => one - other)
      return { text: sorted.map(typeWord).join(' '), taken: tokens.length }
    },
  }
}

function numberOfType(word: string, name: string, content: string): number {
  const number = typeNumber(word)
  if (number === undefined || !isDataType(number)) throw refusal(content, name, FORM)
  return number
}
