import { canonicalRecord, recordType } from '#dns/records/registry'
import { isWithin } from '#dns/names/name_tree'
import {
  checkedTemplateRecord,
  expandRecord,
  type TemplateRecord,
} from '#dns/templates/template_record'
import type { Placeholder, PlaceholderValues } from '#dns/templates/placeholders'
import { InvalidDns } from '#dns/errors'
import type { RecordData, RRset } from '#dns/types'

/** A template from a zone. */
export interface TemplatedRecords {
  records: TemplateRecord[]
  /** Records that a template cannot contain, with the reason. */
  leftOut: { name: string; type: string; reason: string }[]
}

const SOA_FIELDS: (Placeholder | null)[] = [
  'NS1',
  'HOSTMASTER',
  'SERIAL',
  'SOA_REFRESH',
  'SOA_RETRY',
  'SOA_EXPIRE',
  'SOA_MINIMUM',
]

/**
 * Converts the records of a zone to template records, with placeholders for its name and the
 * defaults of the installation. Skips records of the name server, disabled ones, and those that
 * would not expand to the same record.
 *
 * @param values placeholder values of this zone
 */
export function templateOfZone(rrsets: RRset[], values: PlaceholderValues): TemplatedRecords {
  const result: TemplatedRecords = { records: [], leftOut: [] }
  for (const set of rrsets) {
    for (const record of set.records) {
      const templated = templatedRecord(set, record, values)
      if (typeof templated === 'string') {
        result.leftOut.push({ name: set.name, type: set.type, reason: templated })
      } else {
        result.records.push(templated)
      }
    }
  }
  return result
}

/** Returns the template record, or the reason why there is none. */
function templatedRecord(
  set: RRset,
  record: RecordData,
  values: PlaceholderValues
): TemplateRecord | string {
  const { name, type, ttl } = set
  if (recordType(type)?.writer === 'server') {
    return 'the name server creates the record'
  }
  if (record.disabled) {
    return 'the record is disabled'
  }
  const apex = values.ZONE
  const templated = {
    name: name === apex ? '[ZONE]' : `${name.slice(0, -apex.length - 1)}.[ZONE]`,
    type,
    content: templatedContent(type, record.content, values),
    ttl,
    priority: record.priority,
  }
  if (!isWithin(name, apex)) {
    return 'the record is outside the zone'
  }
  try {
    const checked = checkedTemplateRecord(templated)
    const back = canonicalRecord({ ...expandRecord(checked, values), name, apex, disabled: false })
    return isSameContent(type, back.content, record.content)
      ? checked
      : 'the record contains text that is a placeholder'
  } catch (error) {
    if (error instanceof InvalidDns) return error.message
    throw error
  }
}

function templatedContent(type: string, content: string, values: PlaceholderValues): string {
  if (type === 'SOA') {
    const fields = content.split(' ')
    return fields.map((field, index) => templatedField(field, SOA_FIELDS[index], values)).join(' ')
  }
  if (type === 'NS') {
    const placeholder = (['NS1', 'NS2', 'NS3', 'NS4'] as const).find((word) =>
      isSame(content, values[word])
    )
    if (placeholder) return `[${placeholder}]`
  }
  return withoutApex(content, values.ZONE)
}

/** Converts a field of an SOA record; the serial is always new. */
function templatedField(
  field: string,
  word: Placeholder | null,
  values: PlaceholderValues
): string {
  return word !== null && (word === 'SERIAL' || isSame(field, values[word]))
    ? `[${word}]`
    : withoutApex(field, values.ZONE)
}

/** Replaces the zone name at the end of names, by whole labels. */
function withoutApex(content: string, apex: string): string {
  const name = apex.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return content.replace(new RegExp(`(?<![\\w-])${name}(?!\\.?[\\w-])`, 'g'), '[ZONE]')
}

function isSame(content: string, value: string): boolean {
  return value !== '' && content === value.toLowerCase().replace(/\.$/, '')
}

/** Compares contents without the serial, because a new zone has its first serial. */
function isSameContent(type: string, one: string, other: string): boolean {
  const shape = (content: string) =>
    type === 'SOA' ? content.split(' ').with(2, '0').join(' ') : content
  return shape(one) === shape(other)
}
