import { getPublicSuffix } from 'tldts'
import type { RecordInput } from '#changes/model/change_set'
import { today } from '#changes/model/clock'
import { computeTargetRRsets } from '#changes/planning/target_rrsets'
import { ActionRefused } from '#changes/model/action_error'
import dns from '#config/dns'
import {
  MissingValue,
  placeholderValues,
  type PlaceholderValues,
} from '#dns/templates/placeholders'
import { expandRecord, fitsZone } from '#dns/templates/template_record'
import type { RRset } from '#dns/types'
import { InvalidDns } from '#dns/errors'
import { invalid, Refusal } from '#exceptions/refusal'
import type { StoredTemplateRecord } from '#zones/templates/zone_templates'

/** A template with the values of one zone. */
export interface ExpandedTemplate {
  records: RecordInput[]
  /** Canonical RRsets of the same records. */
  rrsets: RRset[]
}

/**
 * Expands and validates the records of a template for a zone. Merges equal records; uses the last
 * of several SOA records. Skips types that a reverse zone does not allow. Throws a 400 `Refusal`
 * that names the record.
 *
 * @param linkedAt creation time of the zone, the constant value of time placeholders
 */
export function expandTemplate(
  apex: string,
  storedRecords: StoredTemplateRecord[],
  linkedAt: string
): ExpandedTemplate {
  const values = valuesAt(apex, new Date(linkedAt))
  const ownRecords = storedRecords.filter((record) => fitsZone(apex, record))
  const lastSoa = ownRecords.findLast(({ type }) => type === 'SOA')
  const counting = ownRecords.filter((record) => record.type !== 'SOA' || record === lastSoa)
  const distinct = new Map(
    counting.map((record) => {
      const input = inZone(record, values)
      const { rrsets } = canonical(apex, record, input)
      const [{ name, type, records }] = rrsets
      return [JSON.stringify([name, type, records]), input]
    })
  )
  const records = [...distinct.values()]
  const actions = records.map((record) => ({ op: 'add' as const, record }))
  return { records, rrsets: computeTargetRRsets({ name: apex }, [], actions) }
}

function inZone(record: StoredTemplateRecord, values: PlaceholderValues): RecordInput {
  try {
    const { name, type, content, ttl, priority } = expandRecord(record, values)
    return { name, type, content, isTyped: true, ttl, priority, disabled: false }
  } catch (error) {
    throw withTemplateRecord(record, error)
  }
}

function canonical(apex: string, record: StoredTemplateRecord, input: RecordInput) {
  try {
    return { rrsets: computeTargetRRsets({ name: apex }, [], [{ op: 'add', record: input }]) }
  } catch (error) {
    throw withTemplateRecord(record, error)
  }
}

/** Adds the template record to an error, and the setting for a missing value. */
function withTemplateRecord({ id, name, type }: StoredTemplateRecord, error: unknown): unknown {
  const recordText = `Record ${id} of the zone template (${name} ${type})`
  if (error instanceof MissingValue) {
    const setting = `dns.${error.placeholder.toLowerCase()}`
    return invalid(`${recordText}: [${error.placeholder}] has no value (setting ${setting})`)
  }
  if (error instanceof ActionRefused) {
    return new Refusal(error.status, `${recordText}: ${error.message}`).because(error)
  }
  return error instanceof InvalidDns ? invalid(`${recordText}: ${error.message}`) : error
}

/** Returns the placeholder values of a zone at a time. */
export function valuesAt(apex: string, time: Date): PlaceholderValues {
  const defaults = {
    nameServers: [dns.ns1, dns.ns2, dns.ns3, dns.ns4],
    hostmaster: dns.hostmaster,
    refresh: dns.soa_refresh,
    retry: dns.soa_retry,
    expire: dns.soa_expire,
    minimum: dns.soa_minimum,
  }
  const seconds = Math.floor(time.getTime() / 1000)
  const at = { day: today(time), seconds }
  return placeholderValues(apex, defaults, at, publicSuffix(apex))
}

/**
 * Returns the public suffix: `co.uk` of `shop.example.co.uk` (publicsuffix.org, ICANN section).
 * undefined for an invalid host name.
 */
export function publicSuffix(name: string): string | undefined {
  return getPublicSuffix(name, { validateHostname: false }) ?? undefined
}
