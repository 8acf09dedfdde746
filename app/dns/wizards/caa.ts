import { parseStrings, byteText, printStrings, textTokens } from '#dns/rdata/character_strings'
import { reportUri } from '#dns/wizards/report_uri'
import {
  linesOf,
  NAME_FIELD,
  nameBelow,
  Problems,
  type Wizard,
  type WizardRecord,
  type WizardText,
} from '#dns/wizards/wizard'

const TAGS = ['issue', 'issuewild', 'iodef'] as const
const NO_ISSUER = ';'

/** Authorities that may issue certificates (RFC 8659). */
export const caa: Wizard = {
  kind: 'caa',
  fields: [
    NAME_FIELD,
    { name: 'issue', kind: 'area', hint: true },
    { name: 'issuewild', kind: 'area', hint: true },
    { name: 'nobody', kind: 'check' },
    { name: 'iodef', kind: 'area', hint: true },
  ],
  reads: (values, apex) => [{ name: nameBelow('', values, apex), type: 'CAA' }],
  load(values, { existing }) {
    const properties = existing.map(propertyOf)
    if (properties.length === 0) return values
    const valuesOfTag = (tag: string) =>
      properties.filter((it) => it.tag === tag).map(({ value }) => value)
    return {
      ...values,
      issue: valuesOfTag('issue').filter(isSomebody).join('\n'),
      issuewild: valuesOfTag('issuewild').join('\n'),
      nobody: valuesOfTag('issue').some((value) => !isSomebody(value)) ? 'on' : '',
      iodef: valuesOfTag('iodef').join('\n'),
    }
  },
  make(values, { apex, existing }) {
    const problems = new Problems()
    const name = problems.try('name', () => nameBelow('', values, apex)) ?? apex
    // Values can contain commas (RFC 8657, 4; RFC 6068).
    const lines = (field: string) => linesOf(values, field, /\n/)
    const isNobody = values.nobody === 'on'
    const issue = isNobody ? [NO_ISSUER] : lines('issue')
    if (isNobody && lines('issue').length > 0) problems.add('issue', 'caa_both')
    const wild = lines('issuewild')
    const reports = lines('iodef').map((to) => {
      const uri = reportUri(to, false)
      if (uri === null) problems.add('iodef', 'bad_report', { found: to.slice(0, 100) })
      return uri ?? to
    })
    const properties = [
      ...issue.map((value) => ['issue', value] as const),
      ...wild.map((value) => ['issuewild', value] as const),
      ...reports.map((value) => ['iodef', value] as const),
    ]
    if (properties.length === 0) problems.add('issue', 'caa_nothing')
    const known = existing.filter((record) => record.name === name).map(propertyOf)
    const records = properties.flatMap(([tag, value]) =>
      flagsOf(known, tag, value).map((flags) => ({
        content: `${flags} ${tag} ${printStrings([new TextEncoder().encode(value)])}`,
      }))
    )
    return {
      requested: [{ name, type: 'CAA', role: 'caa', records, isOwn }],
      problems: problems.all,
      hints: hintsOf(issue, wild),
    }
  },
}

function isOwn(record: WizardRecord): boolean {
  return TAGS.some((tag) => tag === propertyOf(record).tag)
}

interface Property {
  flags: string
  tag: string
  value: string
}

function propertyOf({ content }: WizardRecord): Property {
  try {
    const [flags, tag, value] = textTokens(content)
    return {
      flags: byteText(flags.bytes),
      tag: byteText(tag.bytes).toLowerCase(),
      value: parseStrings(value.raw).map(byteText).join(''),
    }
  } catch {
    return { flags: '', tag: '', value: '' }
  }
}

/** Returns the flags of an existing property; none for a new one. */
function flagsOf(properties: Property[], tag: string, value: string): string[] {
  const sameProperties = properties.filter((it) => it.tag === tag && it.value.trim() === value)
  return sameProperties.length > 0 ? sameProperties.map(({ flags }) => flags) : ['0']
}

/** Returns whether a value names an authority: ";" names none (RFC 8659, 4.2). */
function isSomebody(value: string): boolean {
  return value.split(';')[0].trim() !== ''
}

function hintsOf(issue: string[], wild: string[]): WizardText[] {
  return [
    ...(issue.length === 0 && wild.length > 0 ? [{ text: 'caa_only_wild' }] : []),
    ...(issue.some(isSomebody) && wild.length === 0 ? [{ text: 'caa_wild_too' }] : []),
    ...(issue.length > 0 ? [{ text: 'caa_shuts_out' }] : []),
  ]
}
