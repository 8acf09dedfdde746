import { isIpv4, isIpv6 } from '#dns/addresses'
import { absoluteName } from '#dns/names'
import { checkSpf } from '#dns/spf_terms'
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

/** Mechanisms and modifiers that ask the DNS (RFC 7208, 4.6.4). */
const LOOKS_UP = /^[+?~-]?(?:a|mx|ptr|exists|include)(?:[:/]|$)|^redirect=/i
const MOST_LOOKUPS = 10
/** What fits into an answer of 512 bytes beside its head and other TXT records. */
const LONG = 450
const ALL = ['~all', '-all', '?all', ''] as const

/** Who may send mail for a domain (RFC 7208). */
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
    const terms = termsOf(values, problems)
    const text = ['v=spf1', ...terms].join(' ')
    if (problems.all.length === 0) {
      problems.try('other', () => checkSpf(text, text))
    }
    const lookups = terms.filter((term) => LOOKS_UP.test(term)).length
    if (lookups > MOST_LOOKUPS) {
      problems.add('includes', 'spf_lookups', { count: lookups, most: MOST_LOOKUPS })
    }
    const known = existing.filter(
      (record) => record.name === name && isSpf(textOf(record.content))
    ).length
    return {
      wished: [{ name, type: 'TXT', records: [{ content: textContent(text) }], isOwn }],
      problems: problems.all,
      notes: notesOf(terms, { lookups, known, length: text.length }),
    }
  },
}

/** Whether a text is an SPF policy (RFC 7208, 4.5). */
export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text)
}

const isOwn = ({ content }: { content: string }) => isSpf(textOf(content))

/** The fields of a policy; what no field has is `other`. */
export function valuesIn(text: string): WizardValues {
  const terms = text.split(' ').slice(1).filter(Boolean)
  const rest = [...terms]
  const take = (wanted: (term: string) => boolean) => {
    const taken = rest.filter(wanted)
    taken.forEach((term) => rest.splice(rest.indexOf(term), 1))
    return taken
  }
  const mx = take((term) => /^\+?mx$/i.test(term))
  const a = take((term) => /^\+?a$/i.test(term))
  const ip = take((term) => /^\+?ip[46]:/i.test(term))
  const includes = take((term) => /^\+?include:/i.test(term))
  const all = take((term) => ALL.some((one) => one !== '' && one === term.toLowerCase()))
  return {
    mx: mx.length > 0 ? 'on' : '',
    a: a.length > 0 ? 'on' : '',
    ip: ip.map(afterColon).join('\n'),
    includes: includes.map(afterColon).join('\n'),
    all: all.at(-1)?.toLowerCase() ?? '',
    other: rest.join(' '),
  }
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

/** A domain of a policy; one with macros (RFC 7208, 7) as it is. */
function spfDomain(text: string): string {
  return text.includes('%') ? text : absoluteName(text)
}

function notesOf(
  terms: string[],
  { lookups, known, length }: { lookups: number; known: number; length: number }
): WizardText[] {
  const hasEnd = terms.some((term) => /^[+?~-]?all$|^redirect=/i.test(term))
  const isOpen = terms.some((term) => /^\+?all$/i.test(term))
  return [
    ...(lookups > 0 ? [{ text: 'spf_counted', values: { count: lookups } }] : []),
    ...(known > 1 ? [{ text: 'spf_many', values: { count: known } }] : []),
    ...(hasEnd ? [] : [{ text: 'spf_open_end' }]),
    ...(isOpen ? [{ text: 'spf_everybody' }] : []),
    ...(terms.some((term) => /^[+?~-]?ptr/i.test(term)) ? [{ text: 'spf_ptr' }] : []),
    ...(length > LONG ? [{ text: 'spf_long', values: { count: length } }] : []),
  ]
}

function afterColon(term: string): string {
  return term.slice(term.indexOf(':') + 1)
}
