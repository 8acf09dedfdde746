import { InvalidDns } from '#dns/errors'
import { a } from '#dns/records/address/a'
import { aaaa } from '#dns/records/address/aaaa'
import { caa } from '#dns/records/service/caa'
import { cname } from '#dns/records/name/cname'
import { hostTypes } from '#dns/records/families/host_types'
import { securityTypes } from '#dns/records/families/security_types'
import { serviceTypes } from '#dns/records/families/service_types'
import { decodedData, isGenericData, type DecodedData } from '#dns/records/generic_data'
import { mx } from '#dns/records/mail/mx'
import { ns } from '#dns/records/name/ns'
import { ptr } from '#dns/records/name/ptr'
import type { RecordType } from '#dns/records/record_type'
import { soa } from '#dns/records/soa'
import { srv } from '#dns/records/service/srv'
import { txt } from '#dns/records/text/txt'
import { genericNumber, unknownType } from '#dns/records/unknown'
import { withFullTarget } from '#dns/names/short_targets'
import { MAX_RDATA_OCTETS } from '#dns/rdata/character_strings'
import { mnemonicNumber } from '#dns/rdata/type_numbers'
import type { RecordData } from '#dns/types'

const PRIORITY_LIMIT = 65535
/** Maximum length of a content that fits on the wire (65535 bytes): a byte has at most four characters. */
export const MAX_CONTENT_CHARACTERS = 4 * MAX_RDATA_OCTETS
/** Types with text contents, in which parentheses are data. */
const TYPES_WITH_PARENTHESES = new Set([
  'AVC',
  'HINFO',
  'LUA',
  'NINFO',
  'RESINFO',
  'SPF',
  'TXT',
  'WALLET',
])
const types = new Map<string, RecordType>()
/** Mnemonics by type number. */
const mnemonics = new Map<number, string>()
const commonTypes = [a, aaaa, caa, cname, mx, ns, ptr, soa, srv, txt]
for (const type of [...commonTypes, ...hostTypes, ...securityTypes, ...serviceTypes]) {
  registerRecordType(type)
}

/** A record of a channel; name and apex are canonical. */
export interface RecordInput {
  type: string
  content: string
  /** A user or client wrote the content: a target of one label is relative (`short_targets.ts`). */
  isTyped?: boolean
  priority: number
  disabled: boolean
  name: string
  apex: string
}

/** Returns the record type of a mnemonic in any case, or of `TYPEn` (RFC 3597); undefined for an unsupported type. */
export function recordType(type: string): RecordType | undefined {
  return types.get(type.toUpperCase()) ?? unknownType(type, (number) => mnemonics.get(number))
}

/** Returns all supported record types, by mnemonic. */
export function recordTypes(): RecordType[] {
  return [...types.values()].sort((one, other) => (one.type < other.type ? -1 : 1))
}

/**
 * Returns the types that only administrators may write, by mnemonic and by `TYPEn` (RFC 3597, 5), because both may be stored.
 */
export function typesForAdministrators(): string[] {
  return recordTypes()
    .filter(({ writer }) => writer === 'administrator')
    .flatMap(({ type }) => {
      const number = mnemonicNumber(type)
      return number === undefined ? [type] : [type, `TYPE${number}`]
    })
}

/** Adds a record type, or replaces the type with this mnemonic. */
export function registerRecordType(type: RecordType): void {
  const mnemonic = type.type.toUpperCase()
  const number = mnemonicNumber(mnemonic)
  types.set(mnemonic, type)
  if (number !== undefined) mnemonics.set(number, mnemonic)
}

/**
 * Returns the type that a zone file names: the mnemonic, also for `TYPEn` of a type with a mnemonic (RFC 3597, 5). Other words
 * become upper case.
 */
export function typeInFile(word: string): string {
  const type = word.toUpperCase()
  const number = genericNumber(type)
  return (number === undefined ? undefined : mnemonics.get(number)) ?? type
}

/** Returns the form of a stored content for users and the API. The content of an unsupported type stays unchanged. */
export function presentContent(type: string, content: string): string {
  return recordType(type)?.present(content) ?? content
}

/**
 * Returns the stored form of a record. Decodes generic data (`\# length hex`, RFC 3597, 5), which include the priority of the
 * type; `priority` must then be 0 or equal.
 *
 * @throws InvalidDns on 'type' for an unsupported type, on 'priority' outside of 0..65535 or not 0 for a type without one, and
 *   on 'content' or 'name' by the rules of the type
 */
export function canonicalRecord(input: RecordInput): RecordData {
  if (!input.isTyped) return canonicalData(input)
  const content = withFullTarget(input.type, input.content, input.apex)
  try {
    return canonicalData({ ...input, content })
  } catch (error) {
    throw error instanceof InvalidDns ? asTyped(error, input, content) : error
  }
}

/** Returns the error with the value as typed, if a name of one label was completed. */
function asTyped(
  error: InvalidDns,
  { content, apex }: RecordInput,
  fullContent: string
): InvalidDns {
  const { field, value, allowed, problem, rule } = error
  if (fullContent === content || field !== 'content') return error
  const ending = `.${apex}.`
  const label = value.endsWith(ending) ? value.slice(0, -ending.length) : value
  const isLabel = label !== value && content.split(/\s+/).includes(label)
  const isWhole =
    value.replaceAll(/\s+/g, ' ').trim() === fullContent.replaceAll(/\s+/g, ' ').trim()
  if (!isLabel && !isWhole) return error
  return new InvalidDns(field, isLabel ? label : content, allowed, { problem, rule })
}

function canonicalData({
  type: mnemonic,
  content,
  priority,
  disabled,
  name,
  apex,
}: RecordInput): RecordData {
  const type = recordType(mnemonic)
  if (!type) {
    const supported = recordTypes().map((known) => known.type)
    throw new InvalidDns('type', mnemonic, `one of ${supported.join(', ')}`, {
      problem: 'is not a supported record type',
    })
  }
  checkPriority(type, priority)
  if (content.trim() === '') {
    throw new InvalidDns('content', content, `${type.type} content, such as ${type.example}`, {
      problem: 'is empty',
    })
  }
  if (content.length > MAX_CONTENT_CHARACTERS) {
    throw new InvalidDns('content', content, `at most ${MAX_CONTENT_CHARACTERS} characters`, {
      problem: 'is too long',
    })
  }
  const cleanContent = withoutParentheses(type, content)
  const decoded = isGenericData(cleanContent)
    ? fromData(type, cleanContent, priority)
    : { content: cleanContent, priority }
  const context = { name, apex, priority: decoded.priority }
  return { content: type.canonical(decoded.content, context), priority: decoded.priority, disabled }
}

/** Removes the parentheses that `dig +multi` and zone files put around the words of a content. */
function withoutParentheses({ type }: RecordType, content: string): string {
  if (!/[()]/.test(content) || content.includes('"') || TYPES_WITH_PARENTHESES.has(type))
    return content
  return content.replace(/(?<=^|\s)[()](?=\s|$)/g, ' ')
}

function fromData(type: RecordType, content: string, priority: number): DecodedData {
  if (!type.fromWire) return { content, priority }
  const decoded = decodedData(type, content, type.fromWire)
  if (priority === 0 || priority === decoded.priority) return decoded
  throw new InvalidDns('priority', String(priority), `${decoded.priority}, or 0`, {
    problem: 'is not the priority at the start of the data',
  })
}

/** Returns whether the priority is valid for the type: 0..65535, or only 0 for a type without one. */
export function isPriority(type: string, priority: number): boolean {
  const limit = recordType(type)?.priority ? PRIORITY_LIMIT : 0
  return Number.isInteger(priority) && priority >= 0 && priority <= limit
}

function checkPriority(type: RecordType, priority: number): void {
  if (isPriority(type.type, priority)) return
  const allowed = type.priority
    ? `0 to ${PRIORITY_LIMIT}`
    : `0, because type ${type.type} has no priority`
  throw new InvalidDns('priority', String(priority), allowed, { problem: 'is not a priority' })
}
