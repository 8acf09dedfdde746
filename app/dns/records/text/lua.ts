import { InvalidDns } from '#dns/errors'
import { luaProblem } from '#dns/records/text/lua_code'
import { printStrings } from '#dns/rdata/character_strings'
import type { RecordType } from '#dns/records/record_type'
import { isDataType, typeNumber, typeWord } from '#dns/rdata/type_numbers'

const FORM = 'type "code", such as A "ifportup(443, {\'192.0.2.1\'})"'
const MAX_STRING_LENGTH = 255
const CODE =
  'a call such as ifportup(443, {\'192.0.2.1\'}), or statements that start with ";" and contain a return; os, io and files are not allowed'

/**
 * PowerDNS passes the text between the quotes to Lua unchanged: `\` and the next character belong to Lua. The code cannot
 * contain a double quote, escaped or not. Several strings are one code, joined with spaces.
 */
export const lua: RecordType = {
  type: 'LUA',
  rfc: 'RFC 6895 (a number for private use) and the PowerDNS manual, "Lua Records"',
  summary: 'Lua code that the name server runs to compute the answer',
  example: "A \"ifportup(443, {'192.0.2.1', '192.0.2.2'})\"",
  trap: 'Double quotes inside the code; Lua strings need single quotes',
  priority: false,
  singleton: false,
  writer: 'administrator',
  fields: ['type', 'code'],
  parse(content) {
    const blank = content.indexOf(' ')
    return blank < 0 ? [content] : [content.slice(0, blank), content.slice(blank + 1)]
  },
  canonical(content) {
    const [type, ...strings] = luaFields(content)
    const number = typeNumber(type)
    if (number === undefined || !isDataType(number)) {
      throw new InvalidDns('content', content, FORM, {
        problem: `has the record type ${JSON.stringify(type.slice(0, 20))}`,
      })
    }
    const problem = luaProblem(strings.join(' '))
    if (problem) throw new InvalidDns('content', content, CODE, { problem })
    return [typeWord(number), ...strings.map((string) => `"${string}"`)].join(' ')
  },
  fromWire(data) {
    const type = typeWord(data.reading('type').number(2))
    return `${type} ${printStrings(uncut(data.reading('code').strings()))}`
  },
  present: (content) => content,
  targets: () => [],
}

/** PowerDNS sends a longer string in pieces of 255 bytes. As separate strings they would be different code. */
function uncut(pieces: Buffer[]): Buffer[] {
  const strings: Buffer[] = []
  let isCut = false
  for (const piece of pieces) {
    const before = isCut ? strings.splice(-1) : []
    strings.push(Buffer.concat([...before, piece]))
    isCut = piece.length === MAX_STRING_LENGTH
  }
  return strings
}

/** Returns the type and the strings; the strings are the unchanged text between the quotes. */
function luaFields(content: string): string[] {
  const refusal = (problem: string) => new InvalidDns('content', content, FORM, { problem })
  if (!/^[ -~\t]*$/.test(content)) {
    throw new InvalidDns(
      'content',
      content,
      'printable ASCII, with the Lua escape \\DDD for other bytes',
      {
        problem: 'has other characters',
      }
    )
  }
  const text = content.replaceAll('\t', ' ').trim()
  const quote = text.indexOf('"')
  if (quote < 0) throw refusal('has no code in double quotes')
  const type = text.slice(0, quote)
  if (!type.endsWith(' ') || type.trimEnd().includes(' ')) throw refusal('has no record type')
  const fields = [type.trimEnd()]
  let position = quote
  while (position < text.length) {
    const end = closingQuote(text, position)
    if (end < 0) throw refusal('has a quote that is not closed, or is part of the code')
    fields.push(text.slice(position + 1, end))
    position = end + 1
    while (text[position] === ' ') position++
    if (position < text.length && (text[position] !== '"' || position === end + 1)) {
      throw refusal('has text outside the quotes')
    }
  }
  return fields
}

/** Returns the index of the closing quote of the string that opens at `at`; -1 without one, and for an escaped quote inside. */
function closingQuote(text: string, position: number): number {
  for (let next = position + 1; next < text.length; next++) {
    if (text[next] === '"') return next
    if (text[next] !== '\\') continue
    next++
    if (text[next] === '"') return -1
  }
  return -1
}
