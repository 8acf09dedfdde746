import { printIpv4 } from '#dns/addresses/ipv4'
import { printIpv6 } from '#dns/addresses/ipv6'
import type { WireReader } from '#dns/rdata/wire_reader'

/** Size of a number on the wire, in octets. */
export type Octets = 1 | 2 | 4

/** Returns the smallest size for numbers up to `max`. */
export function octetsFor(max: number): Octets {
  if (max > 0xffff) return 4
  return max > 0xff ? 2 : 1
}

/** Returns a reader of a number with this many octets. */
export function numberFromWire(octets: number): (data: WireReader) => string {
  return (data) => String(data.number(octets))
}

/** Reads an IPv4 address. */
export function address4FromWire(data: WireReader): string {
  return printIpv4([...data.bytes(4)])
}

/** Reads an IPv6 address. */
export function address6FromWire(data: WireReader): string {
  return printIpv6(Array.from({ length: 8 }, () => data.number(2)))
}

/** Reads all remaining bytes, at least one, as hexadecimal text. */
export function hexFromWire(data: WireReader): string {
  return data.readRemaining().toString('hex')
}

/** Reads all remaining bytes, at least one, as base64. */
export function base64FromWire(data: WireReader): string {
  return data.readRemaining().toString('base64')
}
