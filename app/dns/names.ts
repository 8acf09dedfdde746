import { isIpv4, isIpv6 } from '#dns/addresses/address_text'
import { InvalidDns } from '#dns/errors'
import {
  foldLabels,
  joinLabels,
  joinStoredLabels,
  joinZoneLabels,
  LabelProblem,
} from '#dns/names/labels'
import { isWithin, labelsOf } from '#dns/names/name_tree'

export {
  ancestorsWithin,
  isReverseZone,
  isWithin,
  labelsOf,
  relativeName,
  reversedLabels,
} from '#dns/names/name_tree'

const LENGTHS = '253 characters in all (RFC 1035, 2.3.4)'
const LIMITS = `labels of 1-63 letters, digits, "-" or "_", ${LENGTHS}`
const SERVED_LIMITS = `labels of 1-63 letters, digits, -_*/:@ or \\032, ${LENGTHS}`

/** What a host name in a content may be. */
export interface HostNameOptions {
  /** Fewest labels, 1 by default. */
  minLabels?: number
  /** Whether "." (the root) is taken; it is not by default. */
  allowRoot?: boolean
}

/**
 * The canonical name of a zone: absolute, lower case, punycode, without final dot. A single label is
 * taken; the root, wildcards and IPv4 addresses are not.
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
 * The canonical, absolute owner name for what a person may write in a zone: '', "@" or the apex for the
 * apex; a name that ends in the apex, or in a dot, is absolute; anything else is relative to the apex. Any
 * name that PowerDNS answers for is taken (RFC 2181, 11; RFC 4592, 2.1.1).
 *
 * @param apex canonical name of the zone
 * @throws InvalidDns on 'name', also for an absolute name outside of the zone
 */
export function ownerName(input: string, apex: string): string {
  return ownerIn(input, apex, joinLabels)
}

/**
 * As `ownerName`, for a name that may be stored already or is only looked for: characters that PowerDNS does
 * not answer for are taken, as other tools store them.
 *
 * @throws InvalidDns on 'name'
 */
export function storedOwnerName(input: string, apex: string): string {
  return ownerIn(input, apex, joinStoredLabels)
}

/**
 * As `ownerName`, unless the name is the one that is stored already.
 *
 * @param stored canonical name that is not judged
 * @throws InvalidDns on 'name'
 */
export function ownerNameUnless(stored: string, input: string, apex: string): string {
  const name = storedOwnerName(input, apex)
  return name === stored ? name : ownerName(input, apex)
}

function ownerIn(input: string, apex: string, join: (labels: string[]) => string): string {
  if (input === '' || input === '@') return apex
  return canonical('name', input, `"@" or a name within ${apex}: ${SERVED_LIMITS}`, () => {
    const { labels, absolute } = foldLabels(input)
    const inside = isWithin(labels.join('.'), apex)
    if (inside) return join(labels)
    if (absolute) throw new LabelProblem(`is outside of the zone ${apex}`)
    return join([...labels, ...labelsOf(apex)])
  })
}

/**
 * The canonical form of an absolute owner name, with or without its final dot.
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
 * The canonical form of a name that a content points to. It is always absolute, with or without final dot.
 * Any name that PowerDNS answers for is taken (RFC 2181, 11), but none whose last label has digits only:
 * that is an address (RFC 1123, 2.1).
 *
 * @throws InvalidDns on `field`
 */
export function hostName(input: string, field = 'content', options: HostNameOptions = {}): string {
  const { minLabels = 1, allowRoot = false } = options
  if (input === '.' && allowRoot) return '.'
  const least = minLabels > 1 ? ` of at least ${minLabels} labels` : ''
  const root = allowRoot ? ' or "."' : ''
  return canonical(field, input, `a host name${least}${root}: ${SERVED_LIMITS}`, () => {
    if (isIpv6(input)) throw new LabelProblem('is an IPv6 address and not a host name')
    const { labels } = foldLabels(input)
    const name = joinLabels(labels)
    if (name === '@') throw new LabelProblem("is no name here; write the zone's name")
    if (/^\d+$/.test(labels[labels.length - 1])) {
      throw new LabelProblem('ends in a number, as an address does, and is not a host name')
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
