import { printIpv4 } from '#dns/addresses/ipv4'
import { printIpv6 } from '#dns/addresses/ipv6'
import type { WireReader } from '#dns/rdata/wire_reader'

/** How many octets a number takes on the wire. */
export type Octets = 1 | 2 | 4

/** The fewest octets that hold a number up to `max`. */
export function octetsFor(max: number): Octets {
  if (max > 0xffff) return 4
  return max > 0xff ? 2 : 1
}

/** Reads a number of so many octets off the wire. */
export function numberFromWire(octets: number): (data: WireReader) => string {
  return (data) => String(data.number(octets))
}

/** The text of an IPv4 address on the wire. */
export function address4FromWire(data: WireReader): string {
  return printIpv4([...data.bytes(4)])
}

/** The text of an IPv6 address on the wire. */
export function address6FromWire(data: WireReader): string {
  return printIpv6(Array.from({ length: 8 }, () => data.number(2)))
}

/** All that is left on the wire, which is one byte at least, in hexadecimal. */
export function hexFromWire(data: WireReader): string {
  return data.rest().toString('hex')
}

/** All that is left on the wire, which is one byte at least, in base64. */
export function base64FromWire(data: WireReader): string {
  return data.rest().toString('base64')
}
