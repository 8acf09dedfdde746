import { hostName } from '#dns/names'
import {
  NAME_FIELD,
  nameBelow,
  Problems,
  valueOf,
  type Wizard,
  type WizardValues,
} from '#dns/wizards/wizard'

const PROTOCOLS = ['tcp', 'udp', 'tls', 'sctp']
const SERVICE = /^_?[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$/i

/** Host and port of a service (RFC 2782). */
export const srv: Wizard = {
  kind: 'srv',
  fields: [
    { name: 'service', kind: 'text', hint: true },
    {
      name: 'protocol',
      kind: 'choice',
      value: 'tcp',
      options: PROTOCOLS.map((value) => ({ value })),
    },
    NAME_FIELD,
    { name: 'target', kind: 'text', hint: true },
    { name: 'port', kind: 'text' },
    { name: 'priority', kind: 'text', value: '10', hint: true },
    { name: 'weight', kind: 'text', value: '5', hint: true },
  ],
  reads: (values, apex) =>
    SERVICE.test(valueOf(values, 'service')) ? [{ name: nameOf(values, apex), type: 'SRV' }] : [],
  load: (values) => values,
  make(values, { apex, existing }) {
    const problems = new Problems()
    if (!SERVICE.test(valueOf(values, 'service'))) problems.add('service', 'srv_bad_service')
    if (!PROTOCOLS.includes(valueOf(values, 'protocol'))) problems.add('protocol', 'bad_choice')
    const priority = number(values, 'priority', problems)
    const weight = number(values, 'weight', problems)
    const port = number(values, 'port', problems)
    const wanted = valueOf(values, 'target')
    const target = problems.try('target', () => hostName(wanted, 'content', { allowRoot: true }))
    if (problems.all.length > 0) {
      return { requested: [], problems: problems.all, hints: [] }
    }
    const name = problems.try('name', () => nameOf(values, apex)) ?? apex
    const portAndTarget = `${port} ${target}`
    const otherRecords = existing.filter(
      (it) => it.name === name && !it.content.endsWith(` ${portAndTarget}`)
    )
    return {
      requested: [
        {
          name,
          type: 'SRV',
          role: `srv ${portAndTarget}`,
          records: [{ content: `${weight} ${portAndTarget}`, priority }],
          isOwn: ({ content }) => content.endsWith(` ${portAndTarget}`),
        },
      ],
      problems: problems.all,
      hints: [
        ...(target === '.' ? [{ text: 'srv_none' }] : []),
        ...(otherRecords.length > 0
          ? [{ text: 'srv_others', values: { count: otherRecords.length } }]
          : []),
      ],
    }
  },
}

function number(values: WizardValues, field: string, problems: Problems): number {
  const text = valueOf(values, field)
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) problems.add(field, 'bad_number')
  return Number(text)
}

function nameOf(values: WizardValues, apex: string): string {
  const service = valueOf(values, 'service').toLowerCase().replace(/^_/, '')
  return nameBelow(`_${service}._${valueOf(values, 'protocol')}`, values, apex)
}
