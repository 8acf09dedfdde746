import { InvalidDns } from '#dns/errors'
import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'
import { parseIpv6, printDottedIpv6 } from '#dns/addresses/ipv6'
import { byteText } from '#dns/rdata/character_strings'
import { defineRecordType } from '#dns/records/define'
import { refusal, type Field } from '#dns/records/fields'
import type { WireReader } from '#dns/rdata/wire_reader'

const WIRE_LIMIT = 65_535
const FORM =
  'items of the form [!]afi:address/prefix, with afi 1 (IPv4, prefix 0-32) or 2 (IPv6, prefix 0-128)'

/** An address family; the `parts` of an address are numbers of `width` bits. */
interface Family {
  parse(text: string): number[] | undefined
  print(parts: number[]): string
  width: number
  bits: number
}

const FAMILIES: Readonly<Record<string, Family>> = {
  1: { parse: parseIpv4, print: printIpv4, width: 8, bits: 32 },
  2: { parse: parseIpv6, print: printDottedIpv6, width: 16, bits: 128 },
}

const prefixes: Field = {
  name: 'prefixes',
  fromWire(data) {
    const items = [itemFromWire(data)]
    while (data.remainingBytes > 0) items.push(itemFromWire(data))
    return items.join(' ')
  },
  read({ tokens, content }) {
    if (tokens.some(({ quoted }) => quoted)) throw refusal(content, 'prefixes', 'without quotes')
    const items = tokens.map(({ bytes }) => readItem(byteText(bytes), content))
    if (items.reduce((sum, { size }) => sum + size, 0) > WIRE_LIMIT) {
      throw new InvalidDns('content', content, `at most ${WIRE_LIMIT} bytes`, {
        problem: 'is too long',
      })
    }
    return { text: items.map(({ text }) => text).join(' '), taken: tokens.length }
  },
}

export const apl = defineRecordType({
  type: 'APL',
  rfc: 'RFC 3123',
  summary: 'A list of address ranges; "!" marks ranges that are excluded',
  example: '1:192.168.32.0/21 !1:192.168.38.0/28',
  trap: 'The address family is missing: 1: for IPv4, 2: for IPv6',
  fields: [prefixes],
})

/** Returns the canonical form of one prefix, with host bits cleared, and its size on the wire in octets. */
function readItem(item: string, content: string): { text: string; size: number } {
  const sign = item.startsWith('!') ? '!' : ''
  const colon = item.indexOf(':')
  const slash = item.indexOf('/')
  const afi = item.slice(sign.length, Math.max(colon, 0))
  const family = Object.hasOwn(FAMILIES, afi) ? FAMILIES[afi] : undefined
  const address = family?.parse(item.slice(colon + 1, Math.max(slash, 0)))
  const digits = item.slice(slash + 1)
  const prefix = /^\d{1,3}$/.test(digits) ? Number(digits) : Infinity
  if (!family || !address || slash < 0 || prefix > family.bits) {
    throw refusal(content, `prefix ${JSON.stringify(item.slice(0, 50))}`, FORM)
  }
  const parts = address.map((part, index) => {
    const networkBits = Math.min(Math.max(prefix - index * family.width, 0), family.width)
    return part & ~(2 ** (family.width - networkBits) - 1)
  })
  // Trailing zeros are not sent (RFC 3123, 4).
  const usedOctets = parts.findLastIndex((part) => part !== 0) + 1
  return {
    text: `${sign}${afi}:${family.print(parts)}/${prefix}`,
    size: 4 + (usedOctets * family.width) / 8,
  }
}

/** Reads a prefix in wire format: family, prefix length, sign and octets without trailing zeros. */
function itemFromWire(data: WireReader): string {
  const afi = data.number(2)
  const prefix = data.number(1)
  const sizeAndSign = data.number(1)
  const octets = data.bytes(sizeAndSign & 0x7f)
  const family = Object.hasOwn(FAMILIES, afi) ? FAMILIES[afi] : undefined
  const last = octets.at(-1) ?? 1
  if (!family || octets.length * 8 > family.bits || last === 0) {
    throw data.refusal(`has a prefix of family ${afi} with ${octets.length} bytes`)
  }
  const padded = Buffer.concat([octets], family.bits / 8)
  const parts = Array.from({ length: family.bits / family.width }, (_, position) =>
    padded.readUIntBE((position * family.width) / 8, family.width / 8)
  )
  return `${sizeAndSign & 0x80 ? '!' : ''}${afi}:${family.print(parts)}/${prefix}`
}
