import { ipv4, ipv6 } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import { mailboxName } from '#dns/names/mailbox'
import { hostName, type HostNameOptions } from '#dns/names'
import { parseIpv6, printDottedIpv6 } from '#dns/addresses/ipv6'
import { numberField } from '#dns/rdata/fields'
import { byteText, printStrings, type TextToken } from '#dns/rdata/character_strings'
import {
  address4FromWire,
  address6FromWire,
  base64FromWire,
  hexFromWire,
  numberFromWire,
  octetsFor,
  type Octets,
} from '#dns/records/from_wire'
import type { WireReader } from '#dns/rdata/wire_reader'

/** A field of a content as it is written: its tokens from here to the end, and the whole for messages. */
export interface FieldInput {
  tokens: TextToken[]
  content: string
}

/**
 * One field of a content, in the presentation form of its RFC. `read` takes tokens from the front and
 * gives the field's canonical text; it throws `InvalidDns` on 'content' for what the field cannot be.
 *
 * `fromWire` takes the field off data as they are on the wire and gives its text, as `read` takes it. It
 * throws for data that end too early; what the field cannot be, `read` refuses.
 */
export interface Field {
  readonly name: string
  /** The last field of a content may be absent; `read` gets no tokens then and gives ''. */
  readonly isOptional?: true
  read(input: FieldInput): { text: string; taken: number }
  fromWire(data: WireReader): string
}

/** A field that says how it is written only. */
export type TextField = Omit<Field, 'fromWire'>

/** A field of one token without quotes; `read` gives its canonical text. */
export function wordField(
  name: string,
  read: (word: string, content: string) => string,
  fromWire: Field['fromWire']
): Field {
  return { ...wordText(name, read), fromWire }
}

/** As wordField(), but only how it is written. */
export function wordText(name: string, read: (word: string, content: string) => string): TextField {
  return {
    name,
    read: ({ tokens: [token], content }) => {
      if (token.quoted) throw refusal(content, name, 'without quotes')
      return { text: read(byteText(token.bytes), content), taken: 1 }
    },
  }
}

/** A decimal number of `min` (0 by default) to `max`, in as few octets as hold `max` unless said. */
export function numberOf(
  name: string,
  max: number,
  { min = 0, octets = octetsFor(max) }: { min?: number; octets?: Octets } = {}
): Field {
  const read = (word: string, content: string) => {
    const value = numberField(word, name, max, content)
    if (value < min) throw refusal(content, name, `a number of ${min} to ${max}`)
    return String(value)
  }
  return wordField(name, read, numberFromWire(octets))
}

/**
 * A number that may be given by its mnemonic (any case); its canonical text is the number, or the
 * mnemonic where `print` says so and there is one.
 */
export function codeOf(
  name: string,
  mnemonics: Readonly<Record<string, number>>,
  options: { max: number; print?: 'number' | 'mnemonic' }
): Field {
  const byCode = new Map(Object.entries(mnemonics).map(([word, code]) => [code, word]))
  const read = (word: string, content: string) => {
    const known = mnemonics[word.toUpperCase()]
    const code = known ?? numberField(word, name, options.max, content)
    return options.print === 'mnemonic' ? (byCode.get(code) ?? String(code)) : String(code)
  }
  return wordField(name, read, numberFromWire(octetsFor(options.max)))
}

/** A host name; absolute, whether it has a final dot or not. */
export function hostOf(name: string, options: HostNameOptions = {}): Field {
  return {
    name,
    read: ({ tokens: [token], content }) => {
      if (token.quoted) throw refusal(content, name, 'without quotes')
      return { text: hostName(token.raw, 'content', options), taken: 1 }
    },
    fromWire: (data) => data.name(),
  }
}

/** A mailbox as a domain name, or as an address with "@". */
export function mailboxOf(name: string): Field {
  return {
    name,
    read: ({ tokens: [token], content }) => {
      if (token.quoted) throw refusal(content, name, 'without quotes')
      return { text: mailboxName(token.raw), taken: 1 }
    },
    fromWire: (data) => data.name(),
  }
}

/** An IPv4 address. */
export function address4Of(name: string): Field {
  return wordField(name, (word) => ipv4(word), address4FromWire)
}

/** An IPv6 address among other fields. */
export function address6Of(name: string): Field {
  const print = (text: string) => printDottedIpv6(parseIpv6(ipv6(text)) ?? [])
  return wordField(name, print, (data) => print(address6FromWire(data)))
}

/** A character-string, quoted or bare; canonical in quotes. */
export function stringOf(name: string): Field {
  return stringField(name, 255, (data) => data.sized())
}

/** A string of at most `max` bytes that is the last field, so that no length is in front of it. */
export function lastStringOf(name: string, max: number): Field {
  return stringField(name, max, (data) => data.rest())
}

function stringField(name: string, max: number, take: (data: WireReader) => Uint8Array): Field {
  return {
    name,
    fromWire: (data) => printStrings([take(data)]),
    read: ({ tokens: [token], content }) => {
      if (token.bytes.length > max) throw refusal(content, name, `a string of at most ${max} bytes`)
      return { text: printStrings([token.bytes]), taken: 1 }
    },
  }
}

/** How long binary data may be, in bytes. */
export interface Size {
  min?: number
  max?: number
}

/** All that is left as hexadecimal data, blanks allowed; canonical in lower case without blanks. */
export function hexOf(name: string, size: Size = {}): Field {
  const read = (text: string, content: string) => {
    const hex = text.toLowerCase()
    if (!/^[0-9a-f]+$/.test(hex) || hex.length % 2 === 1) {
      throw refusal(content, name, 'hexadecimal data: an even number of digits 0-9 a-f')
    }
    checkSize(hex.length / 2, size, name, content)
    return hex
  }
  return restField(name, read, hexFromWire)
}

/** All that is left as base64 data (RFC 4648), blanks allowed; canonical without blanks. */
export function base64Of(name: string, size: Size = {}): Field {
  const read = (text: string, content: string) => {
    const bytes = Buffer.from(text, 'base64')
    const printed = bytes.toString('base64')
    if (text === '' || withoutPadding(printed) !== withoutPadding(text)) {
      throw refusal(content, name, 'base64 data (RFC 4648)')
    }
    checkSize(bytes.length, size, name, content)
    return printed
  }
  return restField(name, read, base64FromWire)
}

/** A regular expression such as /=+$/ takes the square of the time for many "=" before another character. */
function withoutPadding(text: string): string {
  let end = text.length
  while (text[end - 1] === '=') end--
  return text.slice(0, end)
}

/** A field of all the tokens that are left, none of them quoted; `read` gets them without blanks. */
export function restField(
  name: string,
  read: (text: string, content: string) => string,
  fromWire: Field['fromWire']
): Field {
  return {
    name,
    fromWire,
    read: ({ tokens, content }) => {
      if (tokens.some((token) => token.quoted)) throw refusal(content, name, 'without quotes')
      const text = tokens.map((token) => byteText(token.bytes)).join('')
      return { text: read(text, content), taken: tokens.length }
    },
  }
}

/** The error of a field that cannot be read. `allowed` completes "the <field> is ...". */
export function refusal(content: string, field: string, allowed: string): InvalidDns {
  return new InvalidDns('content', content, `${field}: ${allowed}`, {
    problem: `has no proper ${field}`,
  })
}

function checkSize(bytes: number, { min = 1, max = 65_535 }: Size, name: string, content: string) {
  if (bytes < min || bytes > max) {
    const allowed = min === max ? `exactly ${min} bytes` : `${min} to ${max} bytes`
    throw refusal(content, name, allowed)
  }
}
