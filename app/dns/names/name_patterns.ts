import { InvalidDns } from '#dns/errors'
import { foldLabels, joinZoneLabels, LabelProblem } from '#dns/names/labels'
import { labelsOf } from '#dns/names/name_tree'

/*
 * Patterns of owner names, by which an API key may be narrowed.
 *
 * A pattern is an absolute name whose labels may be wildcards: `**` stands for one or more labels, wherever
 * it is; `*` stands for one or more labels as the first label, as a wildcard record does (RFC 4592), and for
 * exactly one elsewhere. A wildcard is a whole label. Nothing stands for no label: `*.example.com` is
 * everything below example.com and not example.com itself. A pattern matches whole names.
 */

const ONE = '*'
const MANY = '**'
/** Any number of labels, none among them; `**` is one label and then this. No pattern is written with it. */
const REST = ''

const ALLOWED =
  'an absolute name whose labels may be "*" or "**", such as _acme-challenge.example.com, *.dyn.example.com or _acme-challenge.**.example.com'

/**
 * The canonical form of a pattern: lower case, punycode, no final dot.
 *
 * @throws InvalidDns on `field`
 */
export function namePattern(input: string, field = 'name'): string {
  try {
    const { labels } = foldLabels(input)
    // Checked as a name with a plain label where a wildcard stands, so that all rules of names hold.
    joinZoneLabels(labels.map((label) => (isWildcard(label) ? 'x' : label)))
    return labels.join('.')
  } catch (error) {
    if (!(error instanceof LabelProblem)) throw error
    throw new InvalidDns(field, input, ALLOWED, { problem: error.message })
  }
}

/**
 * Whether a name matches a pattern; letters match in either case. Takes time by the product of their labels
 * at most, whatever the pattern is.
 *
 * @param pattern canonical, as of `namePattern`
 * @param name absolute, in ASCII, without final dot
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const wanted = tokensOf(pattern)
  const labels = labelsOf(name.toLowerCase())
  let [at, place] = [0, 0]
  /** Where the last REST stands, and how far it reaches; a label more each time that the rest fails. */
  let rest: { at: number; place: number } | null = null
  while (place < labels.length) {
    if (at < wanted.length && wanted[at] === REST) {
      rest = { at, place }
      at++
    } else if (at < wanted.length && (wanted[at] === ONE || wanted[at] === labels[place])) {
      at++
      place++
    } else if (rest) {
      rest.place++
      at = rest.at + 1
      place = rest.place
    } else {
      return false
    }
  }
  return wanted.slice(at).every((token) => token === REST)
}

/**
 * Whether a pattern matches this name, or one that can be below it. Arguments are as of `matchesPattern`.
 *
 * @param apex such as the name of a zone
 */
export function matchesWithin(pattern: string, apex: string): boolean {
  const wanted = tokensOf(pattern).reverse()
  let places = withRests(wanted, [0])
  for (const label of labelsOf(apex.toLowerCase()).reverse()) {
    const next = [...places].flatMap((place) => {
      const token = wanted[place]
      if (token === REST) return [place]
      return token === ONE || token === label ? [place + 1] : []
    })
    places = withRests(wanted, next)
  }
  return pattern !== '' && places.size > 0
}

/** The places, and those behind each REST at one of them, since it may stand for nothing. */
function withRests(wanted: string[], places: number[]): Set<number> {
  const all = new Set(places)
  for (const place of all) {
    if (wanted[place] === REST) all.add(place + 1)
  }
  return all
}

function tokensOf(pattern: string): string[] {
  return pattern
    .split('.')
    .flatMap((label, index) =>
      label === MANY || (label === ONE && index === 0) ? [ONE, REST] : [label]
    )
}

function isWildcard(label: string): boolean {
  return label === ONE || label === MANY
}
