import { isIpv4, isIpv6 } from '#dns/addresses/address_text'
import { absoluteName } from '#dns/names'
import { checkSpf } from '#dns/rdata/spf_terms'
import { ALL, fieldOf, inOrder, isAll } from '#dns/wizards/spf_order'
import {
  linesOf,
  NAME_FIELD,
  nameBelow,
  Problems,
  textContent,
  textOf,
  valueOf,
  type Wizard,
  type WizardText,
  type WizardValues,
} from '#dns/wizards/wizard'

/** Mechanisms and modifiers that cause DNS lookups (RFC 7208, 4.6.4). */
const DNS_LOOKUP_TERM = /^[+?~-]?(?:a|mx|ptr|exists|include)(?:[:/]|$)|^redirect=/i
const REDIRECT = /^redirect=/i
const MAX_LOOKUPS = 10
/** Size that fits into a 512-byte answer with its header and other TXT records. */
const LONG_POLICY_CHARACTERS = 450

/** Senders of mail for a domain (RFC 7208). */
export const spf: Wizard = {
  kind: 'spf',
  fields: [
    NAME_FIELD,
    { name: 'mx', kind: 'check', value: 'on' },
    { name: 'a', kind: 'check' },
    { name: 'ip', kind: 'area', hint: true },
    { name: 'includes', kind: 'area', hint: true },
    {
      name: 'all',
      kind: 'choice',
      value: '~all',
      options: [
        { value: '~all', text: 'spf_all_soft' },
        { value: '-all', text: 'spf_all_hard' },
        { value: '?all', text: 'spf_all_neutral' },
        { value: '', text: 'spf_all_none' },
      ],
    },
    { name: 'other', kind: 'text', hint: true },
  ],
  reads: (values, apex) => [{ name: nameBelow('', values, apex), type: 'TXT' }],
  load(values, { existing }) {
    const [text] = existing.map(({ content }) => textOf(content)).filter(isSpf)
    return text === undefined ? values : { ...values, ...valuesIn(text) }
  },
  make(values, { apex, existing }) {
    const problems = new Problems()
    const name = problems.try('name', () => nameBelow('', values, apex)) ?? apex
    const storedTerms = existing
      .filter((record) => record.name === name)
      .map(({ content }) => textOf(content))
      .filter(isSpf)
    const terms = inOrder(
      termsOf(values, problems),
      storedTerms.length > 0 ? termsIn(storedTerms[0]) : []
    )
    const text = ['v=spf1', ...terms].join(' ')
    if (problems.all.length === 0) {
      problems.try('other', () => checkSpf(text, text))
    }
    const asking = terms.filter((term) => DNS_LOOKUP_TERM.test(term))
    // With "all", the redirect is ignored (RFC 7208, 6.1).
    const ignored = terms.some(isAll) ? asking.filter((term) => REDIRECT.test(term)) : []
    const lookups = asking.length - ignored.length
    if (lookups > MAX_LOOKUPS) {
      problems.add('includes', 'spf_lookups', { count: lookups, most: MAX_LOOKUPS })
    }
    const records = [{ content: textContent(text) }]
    return {
      requested: [{ name, type: 'TXT', role: 'spf', records, isOwn }],
      problems: problems.all,
      hints: [
        ...(ignored.length > 0 ? [{ text: 'spf_redirect_ignored' }] : []),
        ...hintsOf(terms, { lookups, known: storedTerms.length, length: text.length }),
      ],
    }
  },
}

/** Returns whether a text is an SPF policy (RFC 7208, 4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text)
}

const isOwn = ({ content }: { content: string }) => isSpf(textOf(content))

/** Parses a policy into fields; `other` contains terms without a field. */
export function valuesIn(text: string): WizardValues {
  const terms = termsIn(text)
  const termsOfField = (field: string) => terms.filter((term) => fieldOf(term) === field)
  return {
    mx: termsOfField('mx').length > 0 ? 'on' : '',
    a: termsOfField('a').length > 0 ? 'on' : '',
    ip: termsOfField('ip').map(afterColon).join('\n'),
    includes: termsOfField('includes').map(afterColon).join('\n'),
    // Terms after the first "all" are never evaluated.
    all: termsOfField('all').at(0)?.toLowerCase() ?? '',
    other: termsOfField('other').join(' '),
  }
}

function termsIn(text: string): string[] {
  return text.split(' ').slice(1).filter(Boolean)
}

function termsOf(values: WizardValues, problems: Problems): string[] {
  const networks = linesOf(values, 'ip').flatMap((network) => {
    const [address] = network.split('/')
    if (isIpv4(address)) return [`ip4:${network}`]
    if (isIpv6(address)) return [`ip6:${network}`]
    problems.add('ip', 'bad_network', { value: network })
    return []
  })
  const includes = linesOf(values, 'includes').flatMap((domain) => {
    const host = problems.try('includes', () => spfDomain(domain))
    return host === undefined ? [] : [`include:${host}`]
  })
  const all = valueOf(values, 'all')
  if (!ALL.some((one) => one === all)) {
    problems.add('all', 'bad_choice')
  }
  return [
    ...(values.mx === 'on' ? ['mx'] : []),
    ...(values.a === 'on' ? ['a'] : []),
    ...networks,
    ...includes,
    ...linesOf(values, 'other', / +/),
    ...(all === '' ? [] : [all]),
  ]
}

/** Returns a domain of a policy in canonical form; unchanged with macros (RFC 7208, 7). */
function spfDomain(text: string): string {
  return text.includes('%') ? text : absoluteName(text)
}

function hintsOf(
  terms: string[],
  { lookups, known, length }: { lookups: number; known: number; length: number }
): WizardText[] {
  const hasEnd = terms.some((term) => /^[+?~-]?all$|^redirect=/i.test(term))
  const isOpen = /^\+?all$/i.test(terms.find(isAll) ?? '')
  return [
    ...(lookups > 0 ? [{ text: 'spf_counted', values: { count: lookups } }] : []),
    ...(known > 1 ? [{ text: 'spf_many', values: { count: known } }] : []),
    ...(hasEnd ? [] : [{ text: 'spf_open_end' }]),
    ...(isOpen ? [{ text: 'spf_everybody' }] : []),
    ...(terms.some((term) => /^[+?~-]?ptr/i.test(term)) ? [{ text: 'spf_ptr' }] : []),
    ...(length > LONG_POLICY_CHARACTERS ? [{ text: 'spf_long', values: { count: length } }] : []),
  ]
}

function afterColon(term: string): string {
  return term.slice(term.indexOf(':') + 1)
}
