import { isIpv4 } from '#dns/addresses'
import { InvalidDns } from '#dns/errors'
import { foldLabels, joinLabels, LabelProblem } from '#dns/labels'
import { isWithin } from '#dns/name_tree'

export {
  ancestorsWithin,
  isReverseZone,
  isWithin,
  relativeName,
  reversedLabels,
} from '#dns/name_tree'

const LIMITS = 'labels of 1-63 letters, digits, "-" or "_", 253 characters in all (RFC 1035, 2.3.4)'

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
    const name = joinLabels(foldLabels(input).labels, false)
    if (isIpv4(name)) throw new LabelProblem('is an IPv4 address')
    return name
  })
}

/**
 * The canonical, absolute owner name for what a person may write in a zone: '', "@" or the apex for the
 * apex; a name that ends in the apex, or in a dot, is absolute; anything else is relative to the apex. A
 * leading "*" label is taken (RFC 4592).
 *
 * @param apex canonical name of the zone
 * @throws InvalidDns on 'name', also for an absolute name outside of the zone
 */
export function ownerName(input: string, apex: string): string {
  if (input === '' || input === '@') return apex
  return canonical('name', input, `"@" or a name within ${apex}: ${LIMITS}`, () => {
    const { labels, absolute } = foldLabels(input)
    const inside = isWithin(labels.join('.'), apex)
    if (inside) return joinLabels(labels, true)
    if (absolute) throw new LabelProblem(`is outside of the zone ${apex}`)
    return joinLabels([...labels, ...apex.split('.')], true)
  })
}

/**
 * The canonical form of an absolute owner name, with or without its final dot. A leading "*" label is
 * taken (RFC 4592).
 *
 * @throws InvalidDns on 'name'
 */
export function absoluteName(input: string): string {
  return canonical('name', input, `an absolute name: ${LIMITS}`, () =>
    joinLabels(foldLabels(input).labels, true)
  )
}

/**
 * The canonical form of a host name that a content points to. It is always absolute, with or without
 * final dot. Wildcards are refused, and so is a last label of digits only: that is an address
 * (RFC 1123, 2.1).
 *
 * @throws InvalidDns on `field`
 */
export function hostName(input: string, field = 'content', options: HostNameOptions = {}): string {
  const { minLabels = 1, allowRoot = false } = options
  if (input === '.' && allowRoot) return '.'
  const least = minLabels > 1 ? ` of at least ${minLabels} labels` : ''
  const root = allowRoot ? ' or "."' : ''
  return canonical(field, input, `a host name${least}${root}: ${LIMITS}`, () => {
    const { labels } = foldLabels(input)
    const name = joinLabels(labels, false)
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
