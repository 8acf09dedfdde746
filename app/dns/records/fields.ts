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

/** Input of a field: the tokens from its start to the end, and the whole content for messages. */
export interface FieldInput {
  tokens: TextToken[]
  content: string
}

/**
 * One field of a content, in the presentation form of its RFC. `read` parses the first tokens and returns the canonical text;
 * it throws `InvalidDns` on 'content' for an invalid field. `fromWire` reads the wire format and returns text for `read`; it
 * validates only the length.
 */
export interface Field {
  readonly name: string
  /** The last field of a content may be absent; then `read` gets no tokens and returns ''. */
  readonly isOptional?: true
  read(input: FieldInput): { text: string; taken: number }
  fromWire(data: WireReader): string
}

/** A field without wire format. */
export type TextField = Omit<Field, 'fromWire'>

/** A field of one token without quotes; `read` returns its canonical text. */
export function wordField(
  name: string,
  read: (word: string, content: string) => string,
  fromWire: Field['fromWire']
): Field {
  return { ...wordText(name, read), fromWire }
}

/** As `wordField`, without wire format. */
export function wordText(name: string, read: (word: string, content: string) => string): TextField {
  return {
    name,
    read: ({ tokens: [token], content }) => {
      if (token.quoted) throw refusal(content, name, 'without quotes')
      return { text: read(byteText(token.bytes), content), taken: 1 }
    },
  }
}

/** A decimal number from `min` (default 0) to `max`. Its size on the wire is the smallest for `max` by default. */
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

/** A number or its mnemonic, in any case. The canonical form is the number, or with `print` the mnemonic if one exists. */
export function codeOf(
  name: string,
  mnemonics: Readonly<Record<string, number>>,
  options: { max: number; print?: 'number' | 'mnemonic' }
): Field {
  const byCode = new Map(Object.entries(mnemonics).map(([word, code]) => [code, word]))
  const read = (word: string, content: string) => {
    const number = mnemonics[word.toUpperCase()]
    const code = number ?? numberField(word, name, options.max, content)
    return options.print === 'mnemonic' ? (byCode.get(code) ?? String(code)) : String(code)
  }
  return wordField(name, read, numberFromWire(octetsFor(options.max)))
}

/** A host name; always absolute, the final dot is optional. */
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

/** An IPv6 address as one of several fields. */
export function address6Of(name: string): Field {
  const print = (text: string) => printDottedIpv6(parseIpv6(ipv6(text)) ?? [])
  return wordField(name, print, (data) => print(address6FromWire(data)))
}

/** A character-string, quoted or bare; quoted in canonical form. */
export function stringOf(name: string): Field {
  return stringField(name, 255, (data) => data.sized())
}

/** The last field as a string of at most `max` bytes, without length on the wire. */
export function lastStringOf(name: string, max: number): Field {
  return stringField(name, max, (data) => data.readRemaining())
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

/** Allowed length of binary data, in bytes. */
export interface SizeLimits {
  min?: number
  max?: number
}

/** All remaining words as hexadecimal data, with optional spaces; lower case without spaces in canonical form. */
export function hexOf(name: string, size: SizeLimits = {}): Field {
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

/** All remaining words as base64 data (RFC 4648), with optional spaces; without spaces in canonical form. */
export function base64Of(name: string, size: SizeLimits = {}): Field {
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

/** A regular expression such as /=+$/ takes quadratic time for many "=" before another character. */
function withoutPadding(text: string): string {
  let end = text.length
  while (text[end - 1] === '=') end--
  return text.slice(0, end)
}

/** A field of all remaining tokens, without quotes; `read` gets them joined without spaces. */
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

/** Returns the error for an invalid field. `allowed` completes the sentence "the <field> is ...". */
export function refusal(content: string, field: string, allowed: string): InvalidDns {
  return new InvalidDns('content', content, `${field}: ${allowed}`, {
    problem: `has no valid ${field}`,
  })
}

function checkSize(
  bytes: number,
  { min = 1, max = 65_535 }: SizeLimits,
  name: string,
  content: string
) {
  if (bytes < min || bytes > max) {
    const allowed = min === max ? `exactly ${min} bytes` : `${min} to ${max} bytes`
    throw refusal(content, name, allowed)
  }
}
