import { createHash, X509Certificate } from 'node:crypto'
import {
  NAME_FIELD,
  nameBelow,
  Problems,
  valueOf,
  type Wizard,
  type WizardText,
  type WizardValues,
} from '#dns/wizards/wizard'

const PROTOCOLS = ['tcp', 'udp', 'sctp']
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const HASHES: Readonly<Record<string, string>> = { 1: 'sha256', 2: 'sha512' }
/** Usages that refer to the certificate of an authority (RFC 6698, 2.1.1). */
const AUTHORITY_USAGES = ['0', '2']
const DAY_MS = 86_400_000
const EXPIRY_HINT_DAYS = 30

const options = (field: string, values: string[]) =>
  values.map((value) => ({ value, text: `tlsa_${field}_${value}` }))

/** The certificate that a service presents (RFC 6698). */
export const tlsa: Wizard = {
  kind: 'tlsa',
  fields: [
    NAME_FIELD,
    { name: 'port', kind: 'text', value: '443' },
    {
      name: 'protocol',
      kind: 'choice',
      value: 'tcp',
      options: PROTOCOLS.map((value) => ({ value })),
    },
    { name: 'certificate', kind: 'area', hint: true },
    { name: 'usage', kind: 'choice', value: '3', options: options('usage', ['3', '2', '1', '0']) },
    { name: 'selector', kind: 'choice', value: '1', options: options('selector', ['1', '0']) },
    { name: 'matching', kind: 'choice', value: '1', options: options('matching', ['1', '2', '0']) },
  ],
  reads: (values, apex) =>
    isServiceEndpoint(values) ? [{ name: nameOf(values, apex), type: 'TLSA' }] : [],
  load: (values) => values,
  make(values, { apex, existing, now }) {
    const problems = new Problems()
    const [usage, selector, matching] = ['usage', 'selector', 'matching'].map((name) =>
      valueOf(values, name)
    )
    if (!isServiceEndpoint(values)) problems.add('port', 'bad_port')
    const name = problems.try('name', () => nameOf(values, apex)) ?? apex
    const isChoice = /^[0-3]$/.test(usage) && /^[01]$/.test(selector) && /^[012]$/.test(matching)
    if (!isChoice) problems.add('usage', 'bad_choice')
    const certificate = certificateIn(valueOf(values, 'certificate'), usage)
    if (typeof certificate === 'string') problems.add('certificate', certificate)
    if (typeof certificate === 'string' || problems.all.length > 0) {
      return { requested: [], problems: problems.all, hints: [] }
    }
    const content = `${usage} ${selector} ${matching} ${associated(certificate, selector, matching)}`
    const otherRecords = existing.filter(
      (record) => record.name === name && record.content !== content
    )
    return {
      // Both are needed until the old certificate is out of use everywhere (RFC 7671, 8.1).
      requested: [
        {
          name,
          type: 'TLSA',
          role: `tlsa ${content}`,
          records: [{ content }],
          isOwn: (it) => it.content === content,
        },
      ],
      problems: problems.all,
      hints: hintsOf(certificate, { usage, others: otherRecords.length, now }),
    }
  },
}

function isServiceEndpoint(values: WizardValues): boolean {
  const port = valueOf(values, 'port')
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535
  return isPort && PROTOCOLS.includes(valueOf(values, 'protocol'))
}

function nameOf(values: WizardValues, apex: string): string {
  const labels = `_${Number(valueOf(values, 'port'))}._${valueOf(values, 'protocol')}`
  return nameBelow(labels, values, apex)
}

/** Returns the pasted certificate that the usage refers to, or the reason why there is none. */
function certificateIn(text: string, usage: string): X509Certificate | string {
  const blocks = text.match(PEM) ?? []
  if (/PRIVATE KEY/i.test(text)) return 'tlsa_private'
  if (blocks.length === 0) return 'tlsa_no_certificate'
  try {
    const certificates = blocks.map((block) => new X509Certificate(block))
    const authority = certificates.find(({ ca }) => ca)
    return AUTHORITY_USAGES.includes(usage) ? (authority ?? 'tlsa_no_authority') : certificates[0]
  } catch {
    return 'tlsa_bad_certificate'
  }
}

/** Returns the association data in hex (RFC 6698, 2.1.4). */
function associated(certificate: X509Certificate, selector: string, matching: string): string {
  const data =
    selector === '1'
      ? certificate.publicKey.export({ type: 'spki', format: 'der' })
      : certificate.raw
  const hash = HASHES[matching]
  return hash ? createHash(hash).update(data).digest('hex') : data.toString('hex')
}

function hintsOf(
  { validTo, subject }: X509Certificate,
  { usage, others, now }: { usage: string; others: number; now: number }
): WizardText[] {
  const expiresAt = Date.parse(validTo)
  const days = Math.floor((expiresAt - now) / DAY_MS)
  const expiryDate = Number.isNaN(expiresAt)
    ? validTo
    : new Date(expiresAt).toISOString().slice(0, 10)
  const named = subject ? subject.replaceAll('\n', ', ').slice(0, 200) : '-'
  return [
    { text: 'tlsa_of', values: { subject: named, until: expiryDate } },
    ...(days < 0 ? [{ text: 'tlsa_ended' }] : []),
    ...(days >= 0 && days < EXPIRY_HINT_DAYS ? [{ text: 'tlsa_ends_soon', values: { days } }] : []),
    ...(others > 0 ? [{ text: 'tlsa_others', values: { count: others } }] : []),
    ...(usage === '3' ? [{ text: 'tlsa_renewal' }] : []),
    { text: 'tlsa_signed' },
  ]
}
