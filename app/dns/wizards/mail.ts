import { hostName } from '#dns/names'
import { dmarc } from '#dns/wizards/dmarc'
import { isSpf, spf } from '#dns/wizards/spf'
import {
  linesOf,
  NAME_FIELD,
  nameBelow,
  Problems,
  textOf,
  valueOf,
  type Wizard,
  type WizardContext,
  type WizardField,
  type WizardOutcome,
  type WizardValues,
  type RequestedSet,
} from '#dns/wizards/wizard'

const FIRST_PREFERENCE = 10

/**
 * Mail of a domain: hosts that receive it (RFC 5321, 5.1), senders, and the policy for other mail.
 */
export const mail: Wizard = {
  kind: 'mail',
  fields: [
    NAME_FIELD,
    { name: 'hosts', kind: 'area', hint: true },
    field(spf, 'includes'),
    field(spf, 'all'),
    field(dmarc, 'p'),
    field(dmarc, 'rua'),
  ],
  reads: (values, apex) => [
    { name: nameBelow('', values, apex), type: 'MX' },
    ...spf.reads(values, apex),
    ...dmarc.reads(values, apex),
  ],
  load(values, context) {
    const hosts = context.existing
      .filter(({ type }) => type === 'MX')
      .map(({ priority, content }) => `${priority} ${content}`)
    const { policy, reports } = parts(context)
    const { includes = '', all = '~all' } = spf.load({}, policy)
    const { p = 'none', rua = '' } = dmarc.load({}, reports)
    return { ...values, hosts: hosts.join('\n'), includes, all, p, rua }
  },
  make(values, context) {
    const problems = new Problems()
    const { apex } = context
    const name = problems.try('name', () => nameBelow('', values, apex)) ?? apex
    const records = hostsIn(values, problems)
    const { policy, reports } = parts(context)
    // Parts without a field in the form stay.
    const policyOutcome = senders(values, policy)
    const policyContent = dmarc.make(
      {
        ...dmarc.load({ aspf: 'r', adkim: 'r' }, reports),
        ...selectedHosts(values, ['name', 'p', 'rua']),
      },
      reports
    )
    const mx: RequestedSet = { name, type: 'MX', role: 'mx', records, isOwn: () => true }
    return {
      requested: [mx, ...policyOutcome.requested, ...policyContent.requested],
      problems: [...problems.all, ...policyOutcome.problems, ...policyContent.problems].map(
        (problem) =>
          mail.fields.some(({ name: ownName }) => ownName === problem.field)
            ? problem
            : { ...problem, field: 'hosts' }
      ),
      hints: [
        ...(records.length === 1 && records[0].content === '.' ? [{ text: 'mail_none' }] : []),
        ...policyOutcome.hints,
        ...policyContent.hints,
      ],
    }
  },
}

/** Returns the SPF policy. An unchanged policy keeps its text. */
function senders(values: WizardValues, policy: WizardContext): WizardOutcome {
  const loaded = spf.load({}, policy)
  const outcome = spf.make(
    { mx: 'on', ...loaded, ...selectedHosts(values, ['name', 'includes', 'all']) },
    policy
  )
  const storedSpf = policy.existing.find(({ content }) => isSpf(textOf(content)))
  const isSame =
    valueOf(values, 'all') === loaded.all &&
    linesOf(values, 'includes').join() === linesOf(loaded, 'includes').join()
  if (!storedSpf || !isSame) return outcome
  const records = [{ content: storedSpf.content }]
  return {
    ...outcome,
    problems: [],
    requested: outcome.requested.map((set) => ({ ...set, records })),
  }
}

/** Returns a field of another wizard, with its label. */
function field({ kind, fields }: Wizard, name: string): WizardField {
  return { ...fields.find((one) => one.name === name)!, label: `${kind}_${name}` }
}

/** Splits the existing records by policy: the policies have different names. */
function parts(context: WizardContext): { policy: WizardContext; reports: WizardContext } {
  const isReport = ({ name }: { name: string }) => name.startsWith('_dmarc.')
  const texts = context.existing.filter(({ type }) => type === 'TXT')
  return {
    policy: { ...context, existing: texts.filter((record) => !isReport(record)) },
    reports: { ...context, existing: texts.filter(isReport) },
  }
}

function selectedHosts(values: WizardValues, names: string[]): WizardValues {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
}

/** Parses hosts, one per line, with an optional preference in front. */
function hostsIn(
  values: WizardValues,
  problems: Problems
): { content: string; priority: number }[] {
  const records = linesOf(values, 'hosts', /[\n,;]+/).flatMap((line, position) => {
    const [, number, host] = /^(?:(\d{1,5})\s+)?(\S+)$/.exec(line) ?? []
    const priority = number === undefined ? FIRST_PREFERENCE * (position + 1) : Number(number)
    if (host === undefined || priority > 65_535) {
      problems.add('hosts', 'mail_bad_host', { value: line.slice(0, 100) })
      return []
    }
    const content = problems.try('hosts', () => hostName(host, 'content', { allowRoot: true }))
    return content === undefined ? [] : [{ content, priority: content === '.' ? 0 : priority }]
  })
  if (records.length === 0 && problems.all.length === 0) problems.add('hosts', 'mail_no_hosts')
  const hasNone = records.some(({ content }) => content === '.')
  if (hasNone && records.length > 1) problems.add('hosts', 'mail_none_and_some')
  return records
}
