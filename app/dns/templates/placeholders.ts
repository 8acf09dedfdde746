import { isReverseZone } from '#dns/names/name_tree'
import { firstSerial, type CalendarDay } from '#dns/rdata/serial'

/** Every placeholder that a template record may have in its name and its content. */
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

/** What each placeholder stands for; an empty text has no value. */
export type PlaceholderValues = Readonly<Record<Placeholder, string>>

/** What new zones of this installation get: name servers, mailbox, and the timers of the SOA in seconds. */
export interface ZoneDefaults {
  /** Up to four host names; an empty one is not set. */
  nameServers: readonly string[]
  hostmaster: string
  refresh: number
  retry: number
  expire: number
  minimum: number
}

/** A placeholder that stands in a record, and for which this installation has no value. */
export class MissingValue extends Error {
  constructor(readonly placeholder: Placeholder) {
    super(`[${placeholder}] has no value`)
  }
}

const FORM = new RegExp(`\\[(${PLACEHOLDERS.join('|')})\\]`, 'g')

/** Whether the text has a placeholder. Words in brackets that are none stand for themselves. */
export function hasPlaceholder(text: string): boolean {
  return text.search(FORM) !== -1
}

/**
 * The text with each placeholder replaced by its value, once: values are not looked through again. The dots of a
 * `[TLD]` directly behind a hyphen become hyphens.
 *
 * @throws MissingValue for one that has none; `[TLD]` of a name of one label is the exception, it is empty
 */
export function expand(text: string, values: PlaceholderValues): string {
  return text.replace(FORM, (_, word: Placeholder, at: number) => {
    if (values[word] === '' && word !== 'TLD') throw new MissingValue(word)
    // Behind a hyphen it is a part of a label: `example-co-uk.mail.example.net`.
    if (word === 'TLD' && text[at - 1] === '-') return values.TLD.replaceAll('.', '-')
    return values[word]
  })
}

/**
 * What the placeholders stand for in a zone.
 *
 * @param apex   canonical name of the zone
 * @param moment when the zone was made, by the calendar of the server, and in seconds since 1970
 * @param suffix as of `registeredParts`
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
 * The label under which a name is registered, and what it is registered below: `example` and `com` of
 * `shop.example.com`, `example` and `co.uk` of `example.co.uk`. A reverse zone is its own domain, and so is a
 * name of one label. A zone that is a suffix itself, such as `co.uk`, counts as a name below its parent.
 *
 * @param suffix what registries sell names below; by default the last label
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
