import { isReverseZone } from '#dns/names/name_tree'
import { firstSerial, type CalendarDay } from '#dns/rdata/serial'

/** Placeholders that are allowed in names and contents of template records. */
export const PLACEHOLDERS = [
  'ZONE',
  'DOMAIN',
  'TLD',
  'SERIAL',
  'UNIXTIME',
  'COUNTER',
  'NS1',
  'NS2',
  'NS3',
  'NS4',
  'HOSTMASTER',
  'SOA_REFRESH',
  'SOA_RETRY',
  'SOA_EXPIRE',
  'SOA_MINIMUM',
] as const

export type Placeholder = (typeof PLACEHOLDERS)[number]

/** Values of the placeholders; an empty text means no value. */
export type PlaceholderValues = Readonly<Record<Placeholder, string>>

/** Defaults of new zones: name servers, mailbox, and the SOA timers in seconds. */
export interface ZoneDefaults {
  /** Up to four host names; an empty one is not set. */
  nameServers: readonly string[]
  hostmaster: string
  refresh: number
  retry: number
  expire: number
  minimum: number
}

/** A placeholder of a record without a value on this installation. */
export class MissingValue extends Error {
  constructor(readonly placeholder: Placeholder) {
    super(`[${placeholder}] has no value`)
  }
}

const FORM = new RegExp(`\\[(${PLACEHOLDERS.join('|')})\\]`, 'g')

/** Returns whether the text has a placeholder. Other words in brackets are plain text. */
export function hasPlaceholder(text: string): boolean {
  return text.search(FORM) !== -1
}

/**
 * Replaces each placeholder by its value, without recursion. The dots of a `[TLD]` directly after a
 * hyphen become hyphens.
 *
 * @throws MissingValue for a placeholder without a value, except `[TLD]` of a single label, which
 * is empty
 */
export function expand(text: string, values: PlaceholderValues): string {
  return text.replace(FORM, (_, word: Placeholder, index: number) => {
    if (values[word] === '' && word !== 'TLD') throw new MissingValue(word)
    // After a hyphen it is part of a label: `example-co-uk.mail.example.net`.
    if (word === 'TLD' && text[index - 1] === '-') return values.TLD.replaceAll('.', '-')
    return values[word]
  })
}

/**
 * Returns the values of the placeholders in a zone.
 *
 * @param apex canonical name of the zone
 * @param moment creation time of the zone, for the server's calendar and for seconds since 1970
 * @param suffix as in `registeredParts`
 */
export function placeholderValues(
  apex: string,
  defaults: ZoneDefaults,
  moment: { day: CalendarDay; seconds: number },
  suffix?: string
): PlaceholderValues {
  const [ns1 = '', ns2 = '', ns3 = '', ns4 = ''] = defaults.nameServers
  const { domain, tld } = registeredParts(apex, suffix)
  return {
    ZONE: apex,
    DOMAIN: domain,
    TLD: tld,
    SERIAL: String(firstSerial(moment.day)),
    UNIXTIME: String(moment.seconds),
    COUNTER: '1',
    NS1: ns1,
    NS2: ns2,
    NS3: ns3,
    NS4: ns4,
    HOSTMASTER: defaults.hostmaster,
    SOA_REFRESH: String(defaults.refresh),
    SOA_RETRY: String(defaults.retry),
    SOA_EXPIRE: String(defaults.expire),
    SOA_MINIMUM: String(defaults.minimum),
  }
}

/**
 * Returns the registered label and its suffix: `example` and `com` for `shop.example.com`,
 * `example` and `co.uk` for `example.co.uk`. Reverse zones and single labels are complete domains.
 * A zone that is a suffix, such as `co.uk`, counts as a name below its parent.
 *
 * @param suffix public suffix; by default the last label
 */
export function registeredParts(
  apex: string,
  suffix = apex.slice(apex.lastIndexOf('.') + 1)
): { domain: string; tld: string } {
  if (isReverseZone(apex) || !apex.includes('.')) {
    return { domain: apex, tld: '' }
  }
  if (!apex.endsWith(`.${suffix}`)) {
    const [domain, ...parent] = apex.split('.')
    return { domain, tld: parent.join('.') }
  }
  const domain = apex.slice(0, -suffix.length - 1)
  return { domain: domain.slice(domain.lastIndexOf('.') + 1), tld: suffix }
}
