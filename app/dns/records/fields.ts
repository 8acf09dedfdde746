import { ipv4, ipv6 } from '#dns/addresses'
import { InvalidDns } from '#dns/errors'
import { mailboxName } from '#dns/mailbox'
import { hostName, type HostNameOptions } from '#dns/names'
import { numberField } from '#dns/rdata_fields'
import { byteText, printStrings, type TextToken } from '#dns/rdata_text'

/** A field of a content as it is written: its tokens from here to the end, and the whole for messages. */
export interface FieldInput {
  tokens: TextToken[]
  content: string
}

/**
 * One field of a content, in the presentation form of its RFC. `read` takes tokens from the front and
 * gives the field's canonical text; it throws `InvalidDns` on 'content' for what the field cannot be.
 */
export interface Field {
  readonly name: string
  read(input: FieldInput): { text: string; taken: number }
}

/** A field of one token without quotes; `read` gives its canonical text. */
export function wordField(name: string, read: (word: string, content: string) => string): Field {
  return {
    name,
    read: ({ tokens: [token], content }) => {
      if (token.quoted) throw refusal(content, name, 'without quotes')
      return { text: read(byteText(token.bytes), content), taken: 1 }
    },
  }
}

/** A decimal number of `min` (0 by default) to `max`. */
export function numberOf(name: string, max: number, min = 0): Field {
  return wordField(name, (word, content) => {
    const value = numberField(word, name, max, content)
    if (value < min) throw refusal(content, name, `a number of ${min} to ${max}`)
    return String(value)
  })
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
  return wordField(name, (word, content) => {
    const known = mnemonics[word.toUpperCase()]
    const code = known ?? numberField(word, name, options.max, content)
    return options.print === 'mnemonic' ? (byCode.get(code) ?? String(code)) : String(code)
  })
}

/** A host name; absolute, whether it has a final dot or not. */
export function hostOf(name: string, options: HostNameOptions = {}): Field {
  return {
    name,
    read: ({ tokens: [token], content }) => {
      if (token.quoted) throw refusal(content, name, 'without quotes')
      return { text: hostName(token.raw, 'content', options), taken: 1 }
    },
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
  }
}

/** An IPv4 address. */
export function address4Of(name: string): Field {
  return wordField(name, (word) => ipv4(word))
}

/** An IPv6 address. */
export function address6Of(name: string): Field {
  return wordField(name, (word) => ipv6(word))
}

/** A character-string of at most `max` bytes (255), quoted or bare; canonical in quotes. */
export function stringOf(name: string, max = 255): Field {
  return {
    name,
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
  return restField(name, (text, content) => {
    const hex = text.toLowerCase()
    if (!/^[0-9a-f]+$/.test(hex) || hex.length % 2 === 1) {
      throw refusal(content, name, 'hexadecimal data: an even number of digits 0-9 a-f')
    }
    checkSize(hex.length / 2, size, name, content)
    return hex
  })
}

/** All that is left as base64 data (RFC 4648), blanks allowed; canonical without blanks. */
export function base64Of(name: string, size: Size = {}): Field {
  return restField(name, (text, content) => {
    const bytes = Buffer.from(text, 'base64')
    const printed = bytes.toString('base64')
    if (text === '' || printed.replace(/=+$/, '') !== text.replace(/=+$/, '')) {
      throw refusal(content, name, 'base64 data (RFC 4648)')
    }
    checkSize(bytes.length, size, name, content)
    return printed
  })
}

/** A field of all the tokens that are left, none of them quoted; `read` gets them without blanks. */
export function restField(name: string, read: (text: string, content: string) => string): Field {
  return {
    name,
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
