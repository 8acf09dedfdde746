import { byteText, parseStrings } from '#dns/rdata/character_strings'
import { defineRecordType } from '#dns/records/define'
import { hostOf, numberOf, refusal, stringOf } from '#dns/records/fields'

const SUBSTITUTION =
  'empty, or !pattern!replacement! with any delimiter, an optional "i" at the end, and \\\\1 for a back-reference to a group of the pattern (RFC 3402, 3.2)'

export const naptr = defineRecordType({
  type: 'NAPTR',
  rfc: 'RFC 3403',
  summary: 'Rewrites a name, such as a telephone number, into a URI or another name',
  example: '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.org!" .',
  trap: 'A back-reference of the regexp has two backslashes in the content: \\\\1',
  fields: [
    numberOf('order', 65535),
    numberOf('preference', 65535),
    stringOf('flags'),
    stringOf('services'),
    stringOf('regexp'),
    hostOf('replacement', { allowRoot: true }),
  ],
  pointsTo: ['replacement'],
  check(values, _context, content) {
    const [flags, regexp] = [text(values.flags), text(values.regexp)]
    if (!/^[a-z0-9]*$/i.test(flags)) {
      throw refusal(content, 'flags', 'letters and digits, or empty (RFC 3403, 4.1)')
    }
    if (regexp !== '' && values.replacement !== '.') {
      throw refusal(content, 'replacement', '".", because there is a regexp (RFC 3403, 4.1)')
    }
    if (!isSubstitution(regexp)) throw refusal(content, 'regexp', SUBSTITUTION)
    if (flags.toUpperCase() === 'U' && regexp === '') {
      throw refusal(
        content,
        'regexp',
        'not empty, because the flag "U" needs a URI (RFC 3404, 4.3)'
      )
    }
  },
})

/** Returns whether a regexp is empty or valid (RFC 3402, 3.2), with matching brackets. Resolvers drop answers with others. */
function isSubstitution(regexp: string): boolean {
  if (regexp === '') return true
  const delimiter = regexp[0]
  if (/[0-9i\\]/.test(delimiter)) return false
  const [pattern, replacement, flags, ...more] = splitUnescaped(regexp.slice(1), delimiter)
  if (flags === undefined || more.length > 0 || pattern === '') return false
  const groups = countGroups(pattern)
  const references = replacement.match(/\\[1-9]/g) ?? []
  if (groups < 0 || !/^i?$/.test(flags)) return false
  return references.every((reference) => Number(reference[1]) <= groups)
}

/** Returns the number of groups of a pattern; -1 if its brackets do not match. */
function countGroups(pattern: string): number {
  let groups = 0
  let openGroups = 0
  for (let position = 0; position < pattern.length && openGroups >= 0; position++) {
    if (pattern[position] === '\\') position++
    else if (pattern[position] === '[') {
      position = endOfSet(pattern, position)
      if (position < 0) return -1
    } else if (pattern[position] === '(') {
      groups++
      openGroups++
    } else if (pattern[position] === ')') openGroups--
  }
  return openGroups === 0 ? groups : -1
}

/** Returns the index of the "]" of a set such as `[^]a-z]`; -1 without one. */
function endOfSet(pattern: string, position: number): number {
  const negated = pattern[position + 1] === '^' ? 1 : 0
  return pattern.indexOf(']', position + negated + 2)
}

/** Splits `pattern` at separators without a preceding backslash. */
function splitUnescaped(pattern: string, separator: string): string[] {
  const parts = ['']
  for (let position = 0; position < pattern.length; position++) {
    if (pattern[position] === separator) {
      parts.push('')
      continue
    }
    const length = pattern[position] === '\\' ? 2 : 1
    parts[parts.length - 1] += pattern.slice(position, position + length)
    position += length - 1
  }
  return parts
}

function text(string: string): string {
  return byteText(parseStrings(string)[0])
}
