import type { WireReader } from '#dns/rdata/wire_reader'

const RDATA_LENGTH = 16
const EQUATOR = 2 ** 31
const DEGREE_UNITS = 3_600_000
/** Centimetres: the reference height is 100 000 m below the ellipsoid. */
const ALTITUDE_BASE_CM = 10_000_000

/**
 * Reads the text of a LOC record in wire format (RFC 1876, 2).
 *
 * @throws InvalidDns on 'content' for invalid data
 */
export function locFromWire(data: WireReader): string {
  const octets = data.reading('location').bytes(RDATA_LENGTH)
  const [version, ...sizes] = octets.subarray(0, 4)
  if (version !== 0 || !sizes.every(isSize))
    throw data.refusal('has data that is not LOC data of version 0')
  const metres = [octets.readUInt32BE(12) - ALTITUDE_BASE_CM, ...sizes.map(centimetres)]
  return [
    angle(octets.readUInt32BE(4), 'N', 'S'),
    angle(octets.readUInt32BE(8), 'E', 'W'),
    ...metres.map((value) => `${(value / 100).toFixed(2)}m`),
  ].join(' ')
}

/** Returns whether both halves of the byte, a digit and a power of ten, are valid. */
function isSize(byte: number): boolean {
  return byte >> 4 <= 9 && (byte & 15) <= 9
}

function centimetres(size: number): number {
  return (size >> 4) * 10 ** (size & 15)
}

function angle(value: number, above: string, negativeLetter: string): string {
  const total = Math.abs(value - EQUATOR)
  const [degrees, fraction] = [Math.floor(total / DEGREE_UNITS), total % DEGREE_UNITS]
  const seconds = ((fraction % 60_000) / 1000).toFixed(3)
  return `${degrees} ${Math.floor(fraction / 60_000)} ${seconds} ${value >= EQUATOR ? above : negativeLetter}`
}
