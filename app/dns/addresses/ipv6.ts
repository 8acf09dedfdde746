import { parseIpv4, printIpv4 } from '#dns/addresses/ipv4'

const MAX_CHARACTERS = 45

/** Returns eight 16-bit numbers; undefined for an invalid address (RFC 4291, 2.2). A zone id is invalid. */
export function parseIpv6(text: string): number[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const compressed = halves.length === 2
  const head = parseGroups(halves[0], !compressed)
  const trailingGroups = compressed ? parseGroups(halves[1], true) : []
  if (!head || !trailingGroups) return undefined
  const missing = 8 - head.length - trailingGroups.length
  if (compressed ? missing < 1 : missing !== 0) return undefined
  return [...head, ...Array<number>(missing).fill(0), ...trailingGroups]
}

/**
 * Prints the canonical form (RFC 5952): lower case, no leading zeros, "::" for the longest run of two or more zero groups,
 * IPv4-mapped addresses with dots.
 */
export function printIpv6(groups: number[]): string {
  const { start, length } = longestZeros(groups)
  if (start === 0 && length === 5 && groups[5] === 0xffff) {
    return `::ffff:${printIpv4([groups[6] >> 8, groups[6] & 255, groups[7] >> 8, groups[7] & 255])}`
  }
  const hex = groups.map((group) => group.toString(16))
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

/**
 * As `printIpv6`, but prints IPv4-compatible addresses (RFC 4291, 2.5.5.1) with dots. PowerDNS prints addresses in contents
 * this way, and its API accepts no other form.
 */
export function printDottedIpv6(groups: number[]): string {
  const isCompatible = groups[6] !== 0 && groups.slice(0, 6).every((group) => group === 0)
  if (!isCompatible) return printIpv6(groups)
  return `::${printIpv4(groups.slice(6).flatMap((group) => [group >> 8, group & 255]))}`
}

function parseGroups(text: string, dotted: boolean): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    const octets = dotted && index === parts.length - 1 ? parseIpv4(part) : undefined
    if (octets) groups.push(octets[0] * 256 + octets[1], octets[2] * 256 + octets[3])
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

function longestZeros(groups: number[]): { start: number; length: number } {
  let longest = { start: -1, length: 0 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1
    else if (index + 1 - start > longest.length) longest = { start, length: index + 1 - start }
  }
  return longest
}
