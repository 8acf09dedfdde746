/**
 * Returns four numbers 0..255; undefined for an invalid address. Leading zeros are invalid, because some programs read them as
 * octal (RFC 6943, 3.1.1).
 */
export function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  const octets = parts.map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256))
  return octets.every((octet) => octet <= 255) ? octets : undefined
}

/** Prints four octets with dots (RFC 1035, 3.4.1). */
export function printIpv4(octets: number[]): string {
  return octets.join('.')
}
