import { fault, LimitExceeded } from '#dns/zonefile/reading/faults'
import { fillTemplate, longestText, readTemplate } from '#dns/zonefile/reading/generate_template'
import { readHeader } from '#dns/zonefile/reading/header'
import { checkWords, type Entry, type Token } from '#dns/zonefile/reading/lexer'
import { checkContentLength } from '#dns/zonefile/reading/rdata'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import { typeInFile } from '#dns/records/registry'
import { TEXT_TYPES } from '#dns/zonefile/name_fields'
import { wordsOf } from '#dns/zonefile/reading/scan'

const LIMIT = 2 ** 31 - 1
const FORM = '$GENERATE start-stop[/step] owner [TTL] [class] type content'

/** A `$GENERATE` line (BIND): the number of its records, and their entries, which are created lazily. */
export interface GeneratedEntries {
  count: number
  entries: Generator<Entry>
}

/**
 * Parses a `$GENERATE`.
 *
 * @throws FileFault, also during the iteration over the entries
 */
export function readGenerate(
  { line, tokens: [directive, range, ...words] }: Entry,
  limits: ZoneFileLimits
): GeneratedEntries {
  if (!range || words.length < 3) {
    throw fault(range ?? directive, 'directive', '$GENERATE', 'is not complete', FORM)
  }
  const { start, stop, step } = readRange(range)
  const templates = words.map(readTemplate)
  const length = templates.reduce((sum, template) => sum + longestText(template), 0)
  const { lineLength: cap } = limits
  if (length > cap) {
    throw new LimitExceeded(range, 'lineLength', cap, `records of more than ${cap} characters`)
  }
  function* entries() {
    for (let value = start; value <= stop; value += step) {
      const tokens = templates.map((template) => fillTemplate(template, value))
      const entry = unquoted({ line, indented: false, tokens, comments: [] })
      checkWords(entry.tokens, limits)
      yield entry
    }
  }
  return { count: Math.floor((stop - start) / step) + 1, entries: entries() }
}

function readRange(token: Token) {
  const match = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(token.text)
  const [start, stop, step] = (match ?? []).slice(1).map((digits) => Number(digits ?? 1))
  if (match && start <= stop && stop <= LIMIT && step >= 1 && step <= LIMIT) {
    return { start, stop, step }
  }
  const allowed = `start-stop or start-stop/step, 0 to ${LIMIT}, with stop not below start`
  throw fault(token, 'directive', token.text, 'is not a range', allowed)
}

/**
 * BIND reads the content as one word, so `MX "10 mail$"` has two fields. Text stays one string, unless the word contains
 * quotes: `TXT "\\"a $\\""`.
 *
 * @throws FileFault
 */
function unquoted(entry: Entry): Entry {
  const { type, rdata } = readHeader(entry)
  if (typeInFile(type.text) === 'SOA') {
    const allowed = 'a type other than SOA: a zone has one SOA record (RFC 1035, 5.2)'
    throw fault(type, 'type', type.text, 'cannot be generated', allowed)
  }
  const [first] = rdata
  if (first) checkContentLength([first])
  const quoted = rdata.length === 1 && first.text.startsWith('"') && first.text.includes(' ')
  if (TEXT_TYPES.has(type.text.toUpperCase())) {
    // If the word contains quoted strings, the outer quotes only delimit the word.
    const isNested = rdata.length === 1 && /^"\\".*\\""$/.test(first.text)
    if (!isNested) return entry
    const strings = wordsOf(first.text.slice(1, -1).replaceAll('\\"', '"'))
    const content = strings.map((text) => ({ ...first, text }))
    return { ...entry, tokens: [...entry.tokens.slice(0, -1), ...content] }
  }
  if (!quoted) return entry
  const words = first.text.slice(1, -1).replaceAll('\\"', '"').split(' ').filter(Boolean)
  const content = words.map((text) => ({ ...first, text }))
  return { ...entry, tokens: [...entry.tokens.slice(0, -1), ...content] }
}
