import { isReverseZone, ownerName } from '#dns/names'
import { fieldsOf } from '#dns/rdata/fields'
import { canonicalRecord, presentContent, recordType } from '#dns/records/registry'
import {
  expand,
  hasPlaceholder,
  placeholderValues,
  type PlaceholderValues,
} from '#dns/templates/placeholders'
import { InvalidDns } from '#dns/errors'
import { ttl } from '#dns/rdata/ttl'

/** A record of a zone template; name and content may have placeholders. */
export interface TemplateRecord {
  /** Relative to the zone, `@`, or absolute with `[ZONE]`. */
  name: string
  /** Upper case. */
  type: string
  content: string
  /** Seconds, 0..2147483647. */
  ttl: number
  /** 0..65535 */
  priority: number
}

/** Maximum number of records in a template. */
export const MAX_TEMPLATE_RECORDS = 1000

/** Number of fields of an SOA record without timers. */
const BARE_SOA = 3

/** Types that a reverse zone gets from a template; others are skipped. */
const REVERSE_TYPES = new Set(['SOA', 'NS', 'PTR', 'LUA', 'CNAME', 'TXT'])

/** Returns the SOA record of a new template. */
export function firstTemplateRecord(seconds: number): TemplateRecord {
  return {
    name: '[ZONE]',
    type: 'SOA',
    content: '[NS1] [HOSTMASTER] [SERIAL] 28800 7200 604800 86400',
    ttl: seconds,
    priority: 0,
  }
}

/**
 * Replaces the placeholders; the name becomes absolute with a final dot. An SOA record of three
 * fields gets the timers of the settings.
 *
 * @throws MissingValue for a placeholder without a value
 */
export function expandRecord(record: TemplateRecord, values: PlaceholderValues): TemplateRecord {
  const content = expand(completed(record), values)
  return { ...record, name: `${ownerName(expand(record.name, values), values.ZONE)}.`, content }
}

/** Returns whether a zone gets such a record from a template. */
export function fitsZone(apex: string, { type }: Pick<TemplateRecord, 'type'>): boolean {
  return !isReverseZone(apex) || REVERSE_TYPES.has(type)
}

/**
 * Returns the record in stored form. Validates it by its type, with sample values for placeholders;
 * expansion validates it again. Without placeholders the content is canonical.
 *
 * @throws InvalidDns on the invalid field
 */
export function checkedTemplateRecord(input: TemplateRecord): TemplateRecord {
  const type = recordType(input.type)?.type ?? input.type.toUpperCase()
  const name = input.name.trim()
  const record = { ...input, type, name, ttl: ttl(input.ttl) }
  if (type === 'TXT') {
    requireQuotes(input.content)
  }
  const values = isReverseName(record) ? REVERSE_SAMPLES : SAMPLES
  const sample = expandRecord(record, values)
  const { content, priority } = canonicalRecord({
    ...sample,
    name: sample.name.slice(0, -1),
    apex: values.ZONE,
    disabled: false,
  })
  const isPlain = !hasPlaceholder(input.content) && type !== 'SOA'
  return isPlain ? { ...record, content, priority } : { ...record, content: input.content.trim() }
}

/** Returns the content in presentation format: text without quotes, as in zones. */
export function presentTemplateContent({ type, content }: TemplateRecord): string {
  return type === 'TXT' || !hasPlaceholder(content) ? presentContent(type, content) : content
}

function completed({ type, content }: TemplateRecord): string {
  const isBare = type === 'SOA' && fieldsOf(content).length === BARE_SOA
  return isBare ? `${content} [SOA_REFRESH] [SOA_RETRY] [SOA_EXPIRE] [SOA_MINIMUM]` : content
}

function requireQuotes(content: string): void {
  if (!/^\s*(?:".*"\s*|\\#\s.*)$/s.test(content)) {
    throw new InvalidDns('content', content, 'text in double quotes, such as "v=spf1 mx -all"', {
      problem: 'is not in quotes',
    })
  }
}

/** Validates PTR records and reverse names within a reverse zone. */
function isReverseName({ name, type }: TemplateRecord): boolean {
  return type === 'PTR' || name.includes('/')
}

const SAMPLE_TIME = { day: { year: 2026, month: 1, day: 1 }, seconds: 1_767_225_600 }
const DEFAULTS = {
  nameServers: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net', 'ns4.example.net'],
  hostmaster: 'hostmaster.example.net',
  refresh: 28_800,
  retry: 7200,
  expire: 604_800,
  minimum: 86_400,
}
const SAMPLES = placeholderValues('example.org', DEFAULTS, SAMPLE_TIME)
const REVERSE_SAMPLES = placeholderValues('2.0.192.in-addr.arpa', DEFAULTS, SAMPLE_TIME)
