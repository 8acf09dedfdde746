import { parseStrings, byteText, printStrings, textTokens } from '#dns/rdata_text'
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
const NOBODY = ';'

/** Which authorities may issue certificates (RFC 8659). */
export const caa: Wizard = {
  kind: 'caa',
  fields: [
    NAME_FIELD,
    { name: 'issue', kind: 'area', hint: true },
    { name: 'issuewild', kind: 'area', hint: true },
    { name: 'nobody', kind: 'check' },
    { name: 'iodef', kind: 'text', hint: true },
  ],
  reads: (values, apex) => [{ name: nameBelow('', values, apex), type: 'CAA' }],
  load(values, { existing }) {
    const known = existing.map(propertyOf)
    if (known.length === 0) return values
    const of = (tag: string) => known.filter((it) => it.tag === tag).map(({ value }) => value)
    return {
      ...values,
      issue: of('issue').filter(isSomebody).join('\n'),
      issuewild: of('issuewild').join('\n'),
      nobody: of('issue').some((value) => !isSomebody(value)) ? 'on' : '',
      iodef: of('iodef').join(', '),
    }
  },
  make(values, { apex }) {
    const problems = new Problems()
    const name = problems.try('name', () => nameBelow('', values, apex)) ?? apex
    const lines = (field: string) => linesOf(values, field, /\n|,/)
    const isNobody = values.nobody === 'on'
    const issue = isNobody ? [NOBODY] : lines('issue')
    if (isNobody && lines('issue').length > 0) problems.add('issue', 'caa_both')
    const wild = lines('issuewild')
    const reports = lines('iodef').map((to) => (/^[a-z]+:/i.test(to) ? to : `mailto:${to}`))
    const properties = [
      ...issue.map((value) => ['issue', value] as const),
      ...wild.map((value) => ['issuewild', value] as const),
      ...reports.map((value) => ['iodef', value] as const),
    ]
    if (properties.length === 0) problems.add('issue', 'caa_nothing')
    const records = properties.map(([tag, value]) => {
      return { content: `0 ${tag} ${printStrings([new TextEncoder().encode(value)])}` }
    })
    return {
      wished: [{ name, type: 'CAA', records, isOwn }],
      problems: problems.all,
      notes: notesOf(issue, wild),
    }
  },
}

function isOwn(record: WizardRecord): boolean {
  return TAGS.some((tag) => tag === propertyOf(record).tag)
}

function propertyOf({ content }: WizardRecord): { tag: string; value: string } {
  try {
    const [, tag, value] = textTokens(content)
    return { tag: byteText(tag.bytes), value: parseStrings(value.raw).map(byteText).join('') }
  } catch {
    return { tag: '', value: '' }
  }
}

/** Whether a value names an authority: ";" names none (RFC 8659, 4.2). */
function isSomebody(value: string): boolean {
  return value.split(';')[0].trim() !== ''
}

function notesOf(issue: string[], wild: string[]): WizardText[] {
  return [
    ...(issue.length === 0 && wild.length > 0 ? [{ text: 'caa_only_wild' }] : []),
    ...(issue.some(isSomebody) && wild.length === 0 ? [{ text: 'caa_wild_too' }] : []),
    ...(issue.length > 0 ? [{ text: 'caa_shuts_out' }] : []),
  ]
}
