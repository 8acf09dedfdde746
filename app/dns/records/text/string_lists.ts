import { InvalidDns } from '#dns/errors'
import { parseStrings, printReadable, printStrings } from '#dns/rdata/character_strings'
import type { RecordType } from '#dns/records/record_type'
import { txt } from '#dns/records/text/txt'

const STRING_LIMIT = 255

export const resinfo = stringList({
  type: 'RESINFO',
  rfc: 'RFC 9606, 4',
  summary: 'The capabilities of a resolver, one string each; clients ask the resolver itself',
  example: '"qnamemin" "exterr=15,16,17" "infourl=https://resolver.example.org/guide"',
  trap: 'All keys in one string; each key is a separate string',
})

export const wallet = stringList({
  type: 'WALLET',
  rfc: 'RFC 1035, 3.3.14, as TXT; IANA type 262',
  summary: 'The address of a wallet: the currency, then the address, one string each',
  example: '"BTC" "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"',
  trap: 'Currency and address in one string; use two strings',
})

/** A type whose strings have separate meanings. Unlike in TXT, each word without quotes is a string, and no string is split. */
function stringList(about: Pick<RecordType, 'type' | 'rfc' | 'summary' | 'example' | 'trap'>) {
  const type: RecordType = {
    ...about,
    priority: false,
    singleton: false,
    writer: 'editor',
    since: '5.1',
    fields: ['strings'],
    parse: (content) => [content],
    canonical(content, context) {
      const strings = parseStrings(content)
      if (strings.some(({ length }) => length > STRING_LIMIT)) {
        throw new InvalidDns('content', content, `strings of at most ${STRING_LIMIT} bytes`, {
          problem: 'has a string that is too long',
        })
      }
      // The checks of `txt` by owner name apply to TXT policies only.
      return txt.canonical(printStrings(strings), { ...context, name: '' })
    },
    fromWire: txt.fromWire,
    present(content) {
      try {
        return parseStrings(content)
          .map((bytes) => `"${printReadable(bytes)}"`)
          .join(' ')
      } catch {
        return content
      }
    },
    targets: () => [],
  }
  return type
}
