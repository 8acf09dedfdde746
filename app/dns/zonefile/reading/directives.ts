import { fault, atPosition } from '#dns/zonefile/reading/faults'
import { duration } from '#dns/zonefile/reading/durations'
import { readOrigin } from '#dns/zonefile/reading/file_names'
import type { Entry } from '#dns/zonefile/reading/lexer'
import type { RecordReader } from '#dns/zonefile/reading/record_reader'

const DIRECTIVES_TEXT = '$ORIGIN, $TTL and $GENERATE'

/** Returns whether an entry is a directive, not a record. */
export function isDirective({ indented, tokens }: Entry): boolean {
  return !indented && tokens[0].text.startsWith('$')
}

/**
 * Applies `$ORIGIN` and `$TTL`.
 *
 * @returns false for a `$GENERATE`, which the caller expands to records
 * @throws FileFault for an invalid or unknown directive, and for `$INCLUDE`
 */
export function applyDirective(
  { tokens: [directive, ...values] }: Entry,
  records: RecordReader
): boolean {
  const { text } = directive
  const name = text.toUpperCase()
  if (name === '$GENERATE') return false
  if (name === '$INCLUDE') {
    const allowed = `the records themselves, because a zone file cannot include other files`
    throw fault(directive, 'directive', text, 'is refused', allowed)
  }
  if (name !== '$ORIGIN' && name !== '$TTL') {
    throw fault(directive, 'directive', text, 'is not known', DIRECTIVES_TEXT)
  }
  if (values.length !== 1) {
    const allowed = name === '$TTL' ? 'one duration' : 'one name'
    throw fault(directive, 'directive', text, `has ${values.length} values`, allowed)
  }
  const [value] = values
  atPosition(value, () => {
    if (name === '$TTL') records.defaultTtl = duration(value.text, 'ttl')
    else records.origin = readOrigin(value.text, records.origin)
  })
  return true
}
