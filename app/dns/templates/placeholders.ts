import { isReverseZone } from '#dns/name_tree'
import { firstSerial, type CalendarDay } from '#dns/serial'

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

/** The second labels below which most country registries sell names. */
const SECOND_LEVEL = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org'])
/** Those of single registries besides (publicsuffix.org, 2026-11-26). */
const OF_COUNTRY: Readonly<Record<string, string>> = {
  at: 'gv',
  au: 'asn id',
  br: 'adv art blog eco emp eng ind inf jor leg med mil psc srv tur tv',
  cn: 'mil',
  es: 'gob nom',
  fr: 'asso gouv nom prd tm',
  hk: 'idv',
  hu: 'info priv sport',
  id: 'biz desa mil my sch web',
  il: 'idf k12 muni',
  in: 'firm gen ind mil nic res',
  jp: 'ad ed gr lg',
  kr: 'es hs kg mil ms pe re sc',
  mx: 'gob',
  my: 'mil name',
  nz: 'cri geek gen govt health iwi kiwi maori mil parliament school',
  pl: 'art biz edu info mil nieruchomosci nom shop sklep sos szkola targi tm tourism travel turystyka',
  pt: 'int nome publ',
  ro: 'arts firm info nom nt rec store tm www',
  ru: 'int mil msk nov pp spb',
  sg: 'per',
  th: 'in mi',
  tr: 'av bbs bel biz dr gen info k12 kep mil name pol tel tsk tv web',
  tw: 'club ebiz game idv mil',
  ua: 'in',
  uk: 'ltd me nhs plc police sch',
  za: 'agric alt grondar law mil ngo nic nis nom school tm web',
}

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
 */
export function placeholderValues(
  apex: string,
  defaults: ZoneDefaults,
  moment: { day: CalendarDay; seconds: number }
): PlaceholderValues {
  const [ns1 = '', ns2 = '', ns3 = '', ns4 = ''] = defaults.nameServers
  const { domain, tld } = registeredParts(apex)
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
 * name of one label.
 */
export function registeredParts(apex: string): { domain: string; tld: string } {
  const labels = apex.split('.')
  if (isReverseZone(apex) || labels.length === 1) {
    return { domain: apex, tld: '' }
  }
  const [second, first] = [labels[labels.length - 2], labels[labels.length - 1]]
  const isSold = SECOND_LEVEL.has(second) || (OF_COUNTRY[first] ?? '').split(' ').includes(second)
  const isTwofold = labels.length > 2 && first.length === 2 && isSold
  const size = isTwofold ? 2 : 1
  return { domain: labels[labels.length - size - 1], tld: labels.slice(-size).join('.') }
}
