import { checkDmarc } from '#dns/rdata/dmarc'
import { isWithin } from '#dns/names/name_tree'
import { reportUri } from '#dns/wizards/report_uri'
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

const POLICIES = ['none', 'quarantine', 'reject']
const ALIGNMENTS = [
  { value: 'r', text: 'dmarc_relaxed' },
  { value: 's', text: 'dmarc_strict' },
]

/** Handling of unauthenticated mail, and recipients of reports (RFC 7489). */
export const dmarc: Wizard = {
  kind: 'dmarc',
  fields: [
    NAME_FIELD,
    {
      name: 'p',
      kind: 'choice',
      value: 'none',
      options: POLICIES.map((value) => ({ value, text: `dmarc_${value}` })),
    },
    {
      name: 'sp',
      kind: 'choice',
      options: [
        { value: '', text: 'dmarc_same' },
        ...POLICIES.map((value) => ({ value, text: `dmarc_${value}` })),
      ],
    },
    { name: 'rua', kind: 'text', hint: true },
    { name: 'ruf', kind: 'text' },
    { name: 'aspf', kind: 'choice', value: 'r', options: ALIGNMENTS },
    { name: 'adkim', kind: 'choice', value: 'r', options: ALIGNMENTS },
    { name: 'other', kind: 'text', hint: true },
  ],
  reads: (values, apex) => [{ name: nameBelow('_dmarc', values, apex), type: 'TXT' }],
  load(values, { existing }) {
    const [text] = existing.map(({ content }) => textOf(content)).filter(isDmarc)
    return text === undefined ? values : { ...values, ...valuesIn(text) }
  },
  make(values, { apex, existing }) {
    const problems = new Problems()
    const name = problems.try('name', () => nameBelow('_dmarc', values, apex)) ?? apex
    const text = policyText(values, problems)
    if (problems.all.length === 0) {
      problems.try('other', () => checkDmarc([new TextEncoder().encode(text)]))
    }
    const before = existing
      .filter((record) => record.name === name)
      .map(({ content }) => textOf(content))
      .find(isDmarc)
    return {
      requested: [
        {
          name,
          type: 'TXT',
          role: 'dmarc',
          records: [{ content: textContent(text) }],
          isOwn: ({ content }) => isDmarc(textOf(content)),
        },
      ],
      problems: problems.all,
      hints: hintsOf(values, { apex, before: before === undefined ? null : valuesIn(before) }),
    }
  },
}

/** Returns whether a text is a DMARC policy. */
export function isDmarc(text: string): boolean {
  return /^v[ \t]*=[ \t]*DMARC1/i.test(text)
}

/** Parses a policy into fields; `other` contains tags without a field. */
export function valuesIn(text: string): WizardValues {
  const fieldTags = new Set(['v', 'p', 'sp', 'rua', 'ruf', 'aspf', 'adkim'])
  const parts = text.split(';').map((part) => part.trim())
  const tags = new Map(
    parts.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()] as const
    })
  )
  const otherTags = parts.filter(
    (part) => part !== '' && !fieldTags.has(part.split('=')[0].trim().toLowerCase())
  )
  return {
    p: tags.get('p')?.toLowerCase() ?? 'none',
    sp: tags.get('sp')?.toLowerCase() ?? '',
    rua: tags.get('rua') ?? '',
    ruf: tags.get('ruf') ?? '',
    aspf: tags.get('aspf')?.toLowerCase() ?? 'r',
    adkim: tags.get('adkim')?.toLowerCase() ?? 'r',
    other: otherTags.join('; '),
  }
}

function policyText(values: WizardValues, problems: Problems): string {
  const [p, sp, aspf, adkim] = ['p', 'sp', 'aspf', 'adkim'].map((name) => valueOf(values, name))
  if (!POLICIES.includes(p)) problems.add('p', 'bad_choice')
  const reports = (name: string) => {
    const uris = linesOf(values, name).map((uriText) => {
      const uri = reportUri(uriText, true)
      if (uri === null) problems.add(name, 'bad_report', { found: uriText.slice(0, 100) })
      return uri ?? uriText
    })
    return uris.length > 0 ? [`${name}=${uris.join(',')}`] : []
  }
  return [
    'v=DMARC1',
    `p=${p}`,
    ...(sp === '' ? [] : [`sp=${sp}`]),
    ...reports('rua'),
    ...reports('ruf'),
    ...(aspf === 's' ? ['aspf=s'] : []),
    ...(adkim === 's' ? ['adkim=s'] : []),
    ...linesOf(values, 'other', /;/),
  ].join('; ')
}

function hintsOf(
  values: WizardValues,
  { apex, before }: { apex: string; before: WizardValues | null }
): WizardText[] {
  const step = POLICIES.indexOf(valueOf(values, 'p')) - POLICIES.indexOf(before?.p ?? 'none')
  // The number after "!" is the maximum size of a report (RFC 7489, 6.2).
  const receivers = linesOf(values, 'rua').map((uri) => {
    const [address] = uri.split('!')
    return address.slice(address.lastIndexOf('@') + 1)
  })
  const externalReceivers = receivers.filter((domain) => !isWithin(domain.toLowerCase(), apex))
  return [
    ...(valueOf(values, 'p') === 'none' ? [{ text: 'dmarc_watches' }] : []),
    ...(step > 1 ? [{ text: 'dmarc_step' }] : []),
    ...(receivers.length === 0 ? [{ text: 'dmarc_no_reports' }] : []),
    ...(externalReceivers.length > 0
      ? [{ text: 'dmarc_outside', values: { name: externalReceivers.join(', '), zone: apex } }]
      : []),
  ]
}
