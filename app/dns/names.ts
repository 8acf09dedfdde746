import { isIpv4, isIpv6 } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import {
  foldLabels,
  joinLabels,
  joinStoredLabels,
  joinZoneLabels,
  LabelProblem,
} from '#dns/names/labels'
import { foldCase, isWithin, labelsOf } from '#dns/names/name_tree'

export {
  ancestorsWithin,
  foldCase,
  isReverseZone,
  isWithin,
  labelsOf,
  relativeName,
  reversedLabels,
} from '#dns/names/name_tree'

const LENGTHS = '253 characters in all (RFC 1035, 2.3.4)'
const LIMITS = `labels of 1-63 letters, digits, "-" or "_", ${LENGTHS}`
const SERVED_LIMITS = `labels of 1-63 letters, digits, -_*/:@ or \\032, ${LENGTHS}`

/** Allowed forms of a host name in a content. */
export interface HostNameOptions {
  /** Minimum number of labels, 1 by default. */
  minLabels?: number
  /** Whether "." (the root) is allowed; false by default. */
  allowRoot?: boolean
}

/**
 * Returns the canonical zone name: absolute, lower case, punycode, without final dot. Allows a
 * single label; refuses the root, wildcards and IPv4 addresses.
 *
 * @throws InvalidDns on 'name'
 */
export function zoneName(input: string): string {
  return canonical('name', input, `a zone name: ${LIMITS}`, () => {
    const name = joinZoneLabels(foldLabels(input).labels)
    if (isIpv4(name)) throw new LabelProblem('is an IPv4 address')
    return name
  })
}

/**
 * Returns the canonical, absolute owner name. '', "@" and the apex mean the apex; a name that ends
 * with the apex or a dot is absolute; others are relative to the apex. Allows every name that
 * PowerDNS serves (RFC 2181, 11; RFC 4592, 2.1.1).
 *
 * @param apex canonical name of the zone
 * @throws InvalidDns on 'name', also for an absolute name outside the zone
 */
export function ownerName(input: string, apex: string): string {
  return ownerIn(input, apex, joinLabels)
}

/**
 * As `ownerName`, for stored names and for searches: allows characters that PowerDNS does not
 * serve, because other programs store them.
 *
 * @throws InvalidDns on 'name'
 */
export function storedOwnerName(input: string, apex: string): string {
  return ownerIn(input, apex, joinStoredLabels)
}

/**
 * Returns the stored name that an input repeats letter by letter, with or without the apex. Other
 * programs store names that no DNS name is, such as `x..y`. Validates nothing; null for a name
 * outside the zone.
 */
export function literalOwnerName(input: string, apex: string): string | null {
  if (input === '' || input === '@') return null
  const isAbsolute = /^(?:[^\\]|\\[^])*\.$/.test(input)
  const name = foldCase(isAbsolute ? input.slice(0, -1) : input)
  if (isWithin(name, apex)) return name
  return isAbsolute ? null : `${name}.${apex}`
}

/**
 * As `ownerName`, but accepts the stored name without validation.
 *
 * @param stored canonical stored name
 * @throws InvalidDns on 'name'
 */
export function ownerNameUnless(stored: string, input: string, apex: string): string {
  if (stored !== '' && literalOwnerName(input, apex) === stored) return stored
  const name = storedOwnerName(input, apex)
  return name === stored ? name : ownerName(input, apex)
}

function ownerIn(input: string, apex: string, join: (labels: string[]) => string): string {
  if (input === '' || input === '@') return apex
  return canonical('name', input, `"@" or a name within ${apex}: ${SERVED_LIMITS}`, () => {
    const { labels, absolute } = foldLabels(input)
    const inside = isWithin(labels.join('.'), apex)
    if (inside) return join(labels)
    if (absolute) throw new LabelProblem(`is outside the zone ${apex}`)
    return join([...labels, ...labelsOf(apex)])
  })
}

/**
 * Returns the canonical form of an absolute owner name; the final dot is optional.
 *
 * @throws InvalidDns on 'name'
 */
export function absoluteName(input: string): string {
  return canonical('name', input, `an absolute name: ${SERVED_LIMITS}`, () => {
    if (input === '@') throw new LabelProblem('is relative to a zone')
    return joinLabels(foldLabels(input).labels)
  })
}

/**
 * Returns the canonical form of a target in a content. It is always absolute; the final dot is
 * optional. Allows every name that PowerDNS serves (RFC 2181, 11), except with a numeric last
 * label, which is an address (RFC 1123, 2.1).
 *
 * @throws InvalidDns on `field`
 */
export function hostName(input: string, field = 'content', options: HostNameOptions = {}): string {
  const { minLabels = 1, allowRoot = false } = options
  if (input === '.' && allowRoot) return '.'
  const least = minLabels > 1 ? ` of at least ${minLabels} labels` : ''
  const root = allowRoot ? ' or "."' : ''
  return canonical(field, input, `a host name${least}${root}: ${SERVED_LIMITS}`, () => {
    if (isIpv6(input)) throw new LabelProblem('is an IPv6 address, not a host name')
    const { labels } = foldLabels(input)
    const name = joinLabels(labels)
    if (name === '@') throw new LabelProblem('is not allowed here; write the name of the zone')
    if (/^\d+$/.test(labels[labels.length - 1])) {
      throw new LabelProblem('ends in a number like an address, so it is not a host name')
    }
    if (labels.length < minLabels) throw new LabelProblem(`has fewer than ${minLabels} labels`)
    return name
  })
}

function canonical(field: string, input: string, allowed: string, read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LabelProblem)) throw error
    throw new InvalidDns(field, input, allowed, { problem: error.message })
  }
}
