import { InvalidDns } from '#dns/errors'
import { foldLabels, joinZoneLabels, LabelProblem } from '#dns/names/labels'
import { labelsOf } from '#dns/names/name_tree'

/*
 * Patterns of owner names that restrict an API key: absolute names whose labels may be wildcards. `**` matches one or more
 * labels. `*` matches one or more labels as the first label, as a wildcard record does (RFC 4592), otherwise exactly one.
 * `*.example.com` does not match example.com. A pattern matches whole names.
 */

const ONE_LABEL_WILDCARD = '*'
const ANY_LABELS_WILDCARD = '**'
/** Zero or more labels; `**` is one label followed by it. Users cannot write it. */
const REMAINDER_TOKEN = ''

const ALLOWED_TEXT =
  'an absolute name whose labels may be "*" or "**", such as _acme-challenge.example.com, *.dyn.example.com or _acme-challenge.**.example.com'

/**
 * Returns the canonical form of a pattern: lower case, punycode, no final dot.
 *
 * @throws InvalidDns on `field`
 */
export function namePattern(input: string, field = 'name'): string {
  try {
    const { labels } = foldLabels(input)
    // A plain label replaces each wildcard, so that all rules of names apply.
    joinZoneLabels(labels.map((label) => (isWildcard(label) ? 'x' : label)))
    return labels.join('.')
  } catch (error) {
    if (!(error instanceof LabelProblem)) throw error
    throw new InvalidDns(field, input, ALLOWED_TEXT, { problem: error.message })
  }
}

/**
 * Returns whether a name matches a pattern, case-insensitively. The cost is at most the product of their label counts.
 *
 * @param pattern canonical form of `namePattern`
 * @param name absolute, in ASCII, without final dot
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const patternTokens = tokensOf(pattern)
  const labels = labelsOf(name.toLowerCase())
  let [position, labelIndex] = [0, 0]
  /** Position of the last REST, and the label that it reaches; grows by one label per failed attempt. */
  let retry: { at: number; labelIndex: number } | null = null
  while (labelIndex < labels.length) {
    if (position < patternTokens.length && patternTokens[position] === REMAINDER_TOKEN) {
      retry = { at: position, labelIndex }
      position++
    } else if (
      position < patternTokens.length &&
      (patternTokens[position] === ONE_LABEL_WILDCARD ||
        patternTokens[position] === labels[labelIndex])
    ) {
      position++
      labelIndex++
    } else if (retry) {
      retry.labelIndex++
      position = retry.at + 1
      labelIndex = retry.labelIndex
    } else {
      return false
    }
  }
  return patternTokens.slice(position).every((token) => token === REMAINDER_TOKEN)
}

/**
 * Returns whether a pattern matches the name or may match a name below it. Parameters as for `matchesPattern`.
 *
 * @param apex such as the name of a zone
 */
export function matchesWithin(pattern: string, apex: string): boolean {
  const patternTokens = tokensOf(pattern).reverse()
  let positions = withRests(patternTokens, [0])
  for (const label of labelsOf(apex.toLowerCase()).reverse()) {
    const next = [...positions].flatMap((position) => {
      const token = patternTokens[position]
      if (token === REMAINDER_TOKEN) return [position]
      return token === ONE_LABEL_WILDCARD || token === label ? [position + 1] : []
    })
    positions = withRests(patternTokens, next)
  }
  return pattern !== '' && positions.size > 0
}

/** Adds the position after each REST, because REST may match no label. */
function withRests(patternTokens: string[], positions: number[]): Set<number> {
  const all = new Set(positions)
  for (const position of all) {
    if (patternTokens[position] === REMAINDER_TOKEN) all.add(position + 1)
  }
  return all
}

function tokensOf(pattern: string): string[] {
  return pattern
    .split('.')
    .flatMap((label, index) =>
      label === ANY_LABELS_WILDCARD || (label === ONE_LABEL_WILDCARD && index === 0)
        ? [ONE_LABEL_WILDCARD, REMAINDER_TOKEN]
        : [label]
    )
}

function isWildcard(label: string): boolean {
  return label === ONE_LABEL_WILDCARD || label === ANY_LABELS_WILDCARD
}
