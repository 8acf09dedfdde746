import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printDottedIpv6 } from '#dns/addresses/ipv6'
import { byteText } from '#dns/rdata/character_strings'
import { printValue, readItems } from '#dns/records/service/svc_text'

/** Text form of the value of a key: `read` converts to wire format, `print` back. */
export interface SvcValue {
  /** Allowed values, for messages. */
  readonly allowed: string
  /** Returns the wire format of a decoded character-string; undefined for an invalid value. */
  read(text: Uint8Array): Uint8Array | undefined
  /** Returns the text of a value in wire format; '' for a key without a value, undefined for invalid bytes. */
  print(wire: Uint8Array): string | undefined
}

const same = (bytes: Uint8Array) => bytes

/** A list of 16-bit numbers, ascending. `read` and `print` convert between keys and numbers. */
export function keyList(
  read: (key: string) => number | undefined,
  print: (code: number) => string
): SvcValue {
  return {
    allowed: 'keys that follow, each once, separated by commas',
    read(text) {
      const codes = byteText(text).split(',').map(read)
      if (codes.some((code) => code === undefined)) return undefined
      return Uint8Array.from(
        (codes as number[]).sort((one, other) => one - other).flatMap((code) => u16(code))
      )
    },
    print(wire) {
      const codes = chunks(wire, 2)?.map(([high, low]) => high * 256 + low)
      const ascending = codes?.every((code, position) => code > (codes[position - 1] ?? 0))
      return ascending ? codes!.map(print).join(',') : undefined
    },
  }
}

export const alpn: SvcValue = {
  allowed: 'protocols of 1 to 255 bytes, separated by commas, such as h2,h3',
  read(text) {
    const items = readItems(text)
    if (!items || items.some(({ length }) => length === 0 || length > 255)) return undefined
    return Uint8Array.from(items.flatMap((item) => [item.length, ...item]))
  },
  print(wire) {
    const items: Uint8Array[] = []
    for (let position = 0; position < wire.length; position += 1 + wire[position]) {
      if (wire[position] === 0 || position + wire[position] >= wire.length) return undefined
      items.push(wire.subarray(position + 1, position + 1 + wire[position]))
    }
    if (items.length === 0) return undefined
    const text = items.map((item) => printValue(item, ',')).join(',')
    return text.includes(' ') ? `"${text}"` : text
  },
}

export const flag: SvcValue = {
  allowed: 'no value',
  read: same,
  print: ({ length }) => (length === 0 ? '' : undefined),
}

export const port: SvcValue = {
  allowed: 'a number of 1 to 65535',
  read(text) {
    const digits = byteText(text)
    return /^\d{1,5}$/.test(digits) && Number(digits) <= 65535
      ? Uint8Array.from(u16(Number(digits)))
      : undefined
  },
  print(wire) {
    const value = wire.length === 2 ? wire[0] * 256 + wire[1] : 0
    return value > 0 ? String(value) : undefined
  },
}

export const hints4: SvcValue = {
  allowed: 'IPv4 addresses, separated by commas',
  read: (text) => addresses(text, parseIpv4),
  print: (wire) =>
    chunks(wire, 4)
      ?.map((octets) => printIpv4([...octets]))
      .join(','),
}

export const hints6: SvcValue = {
  allowed: 'IPv6 addresses, separated by commas',
  read: (text) => addresses(text, (address) => parseIpv6(address)?.flatMap(u16)),
  print: (wire) =>
    chunks(wire, 16)
      ?.map((octets) => printDottedIpv6(chunks(octets, 2)!.map(([high, low]) => high * 256 + low)))
      .join(','),
}

/** An ECHConfigList (RFC 9848). Its first two bytes are the length of the rest. */
export const ech: SvcValue = {
  allowed: 'an ECHConfigList in base64 (RFC 9848)',
  read(text) {
    const given = byteText(text)
    const bytes = Buffer.from(given, 'base64')
    return bytes.toString('base64') === given ? bytes : undefined
  },
  print(wire) {
    const isWholeLength = wire.length > 2 && wire[0] * 256 + wire[1] === wire.length - 2
    return isWholeLength ? `"${Buffer.from(wire).toString('base64')}"` : undefined
  },
}

export const dohpath: SvcValue = {
  allowed: 'a path with the variable dns, such as "/dns-query{?dns}" (RFC 9461, 5)',
  read: same,
  print: (wire) => (isDohPath(byteText(wire)) ? anyBytes.print(wire) : undefined),
}

export const anyBytes: SvcValue = {
  allowed: 'any bytes',
  read: same,
  print: (wire) => `"${printValue(wire)}"`,
}

/** Returns whether a text is a URI Template (RFC 6570) of a path, with a variable "dns". */
function isDohPath(text: string): boolean {
  if (!text.startsWith('/')) return false
  const variables = text
    .split('{')
    .slice(1)
    .flatMap((part) =>
      part
        .slice(0, part.indexOf('}'))
        .replace(/^[+#./;?&]/, '')
        .split(',')
    )
  return variables.includes('dns')
}

function addresses(
  text: Uint8Array,
  parse: (address: string) => number[] | undefined
): Uint8Array | undefined {
  const parsed = byteText(text).split(',').map(parse)
  return parsed.includes(undefined) ? undefined : Uint8Array.from((parsed as number[][]).flat())
}

function u16(value: number): number[] {
  return [value >> 8, value & 255]
}

/** Returns undefined for no bytes, and if the length is no multiple of `size`. */
function chunks(wire: Uint8Array, size: number): Uint8Array[] | undefined {
  if (wire.length === 0 || wire.length % size !== 0) return undefined
  return Array.from({ length: wire.length / size }, (_, position) =>
    wire.subarray(position * size, (position + 1) * size)
  )
}
