import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
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

const WEAK_BITS = 2048
const MIN_KEY_BITS = 1024
const MAX_BITS = 4096
/** Length of a raw Ed25519 key (RFC 8463, 4). */
const ED25519_BYTES = 32
const SELECTOR = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** Tags with a field in the form. */
const FIELD_TAGS = ['v', 'k', 'p', 't']
/** A tag of a record (RFC 6376, 3.2). */
const TAG = /^([a-z][a-z0-9_]*)\s*=[ -:<-~]*$/i

/** The public key that verifies mail (RFC 6376). */
export const dkim: Wizard = {
  kind: 'dkim',
  fields: [
    { name: 'selector', kind: 'text', hint: true },
    { ...NAME_FIELD, hint: true },
    { name: 'key', kind: 'area', hint: true },
    { name: 'testing', kind: 'check' },
    { name: 'other', kind: 'text', hint: true },
  ],
  reads: (values, apex) =>
    SELECTOR.test(valueOf(values, 'selector')) ? [{ name: nameOf(values, apex), type: 'TXT' }] : [],
  load(values, { existing }) {
    const [text] = existing.map(({ content }) => textOf(content)).filter(isDkim)
    if (text === undefined) return values
    const tags = tagsOf(text)
    const isTesting = flagsIn(tags.get('t')).includes('y')
    return {
      ...values,
      key: tags.get('p') ?? '',
      testing: isTesting ? 'on' : '',
      other: otherIn(text),
    }
  },
  make(values, { apex }) {
    const problems = new Problems()
    if (!SELECTOR.test(valueOf(values, 'selector'))) {
      problems.add('selector', 'dkim_selector_bad')
      return { requested: [], problems: problems.all, hints: [] }
    }
    const name = problems.try('name', () => nameOf(values, apex)) ?? apex
    const key = keyIn(valueOf(values, 'key'))
    if ('problem' in key) {
      problems.add('key', key.problem)
      return { requested: [], problems: problems.all, hints: [] }
    }
    const { flags, tags } = othersOf(values, problems)
    const tagged = [...(flags.length > 0 ? [`t=${flags.join(':')}`] : []), ...tags]
    const text = ['v=DKIM1', `k=${key.algorithm}`, ...tagged, `p=${key.data}`].join('; ')
    const content = textContent(text)
    return {
      requested: [
        {
          name,
          type: 'TXT',
          role: 'dkim',
          records: [{ content }],
          isOwn: (it) => isDkim(textOf(it.content)),
        },
      ],
      problems: problems.all,
      hints: hintsOf(key, flags.includes('y')),
    }
  },
  // Any text that is no public key may be part of a private key without its header lines.
  withholds(field, value) {
    const key = field === 'key' ? keyIn(value.trim()) : null
    return key !== null && 'problem' in key && SECRETS.has(key.problem)
  },
}

const SECRETS: ReadonlySet<string> = new Set(['dkim_private', 'dkim_bad_key'])

/** Returns whether a field contains a private key, which must not be displayed again. */
export function holdsPrivateKey(text: string): boolean {
  return /PRIVATE KEY/i.test(text)
}

interface DkimKey {
  algorithm: 'rsa' | 'ed25519'
  /** Base64. */
  data: string
  /** 0 for an algorithm with one size only. */
  bits: number
}

/** Parses a pasted key: a PEM block, its base64, or a whole DKIM record. */
function keyIn(text: string): DkimKey | { problem: string } {
  if (text === '') return { problem: 'dkim_no_key' }
  if (holdsPrivateKey(text)) return { problem: 'dkim_private' }
  const isRecord = /(^|[\s;"(])p=/.test(text)
  const keyText = isRecord ? (tagsOf(text.replace(/"\s*"|[()"]/g, '')).get('p') ?? '') : text
  const base64 = keyText.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return { problem: 'dkim_bad_key' }
  const der = Buffer.from(base64, 'base64')
  // Node would derive a public key from a private one, and accept it.
  if (isPrivateKey(der)) return { problem: 'dkim_private' }
  if (der.length === ED25519_BYTES) {
    return { algorithm: 'ed25519', data: base64, bits: 0 }
  }
  const key = publicKey(der)
  if (key?.asymmetricKeyType === 'ed25519') {
    const raw = key.export({ type: 'spki', format: 'der' }).subarray(-ED25519_BYTES)
    return { algorithm: 'ed25519', data: raw.toString('base64'), bits: 0 }
  }
  if (key?.asymmetricKeyType !== 'rsa') return { problem: 'dkim_bad_key' }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < MIN_KEY_BITS) return { problem: 'dkim_short_key' }
  if (bits > MAX_BITS) return { problem: 'dkim_long_key' }
  const data = key.export({ type: 'spki', format: 'der' }).toString('base64')
  return { algorithm: 'rsa', data, bits }
}

function isPrivateKey(der: Buffer): boolean {
  return (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) => {
    try {
      createPrivateKey({ key: der, format: 'der', type })
      return true
    } catch {
      return false
    }
  })
}

function publicKey(der: Buffer): KeyObject | null {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      return createPublicKey({ key: der, format: 'der', type })
    } catch {
      // Tries the other format.
    }
  }
  return null
}

function nameOf(values: WizardValues, apex: string): string {
  return nameBelow(`${valueOf(values, 'selector').toLowerCase()}._domainkey`, values, apex)
}

/** Returns whether a text is a DKIM record: the version is optional (RFC 6376, 3.6.1). */
function isDkim(text: string): boolean {
  return /^\s*v\s*=\s*DKIM1\b/i.test(text) || tagsOf(text).has('p')
}

function tagsOf(text: string): Map<string, string> {
  return new Map(
    text.split(';').flatMap((part): [string, string][] => {
      const equals = part.indexOf('=')
      return equals < 0 ? [] : [[part.slice(0, equals).trim(), part.slice(equals + 1).trim()]]
    })
  )
}

/** Returns the tags without a field, and all flags except the testing flag. */
function otherIn(text: string): string {
  const parts = text.split(';').map((part) => part.trim())
  return parts
    .flatMap((part) => {
      const name = part.split('=')[0].trim()
      const flags = flagsIn(tagsOf(part).get('t')).filter((flag) => flag !== 'y')
      if (name === 't') return flags.length > 0 ? [`t=${flags.join(':')}`] : []
      return part === '' || FIELD_TAGS.includes(name) ? [] : [part]
    })
    .join('; ')
}

/** Returns flags and further tags of a form. */
function othersOf(values: WizardValues, problems: Problems): { flags: string[]; tags: string[] } {
  const parts = linesOf(values, 'other', /;/)
  const names = parts.map((part) => TAG.exec(part)?.[1] ?? '')
  const bad = parts.find((_, position) => {
    const name = names[position]
    const isOwn = name !== 't' && FIELD_TAGS.includes(name.toLowerCase())
    return name === '' || isOwn || names.indexOf(name) < position
  })
  // Shows a few characters only: it may be a key in the wrong field.
  if (bad !== undefined) {
    problems.add('other', 'dkim_other_bad', { value: bad.split('=')[0].slice(0, 20) })
  }
  const testing = values.testing === 'on' ? ['y'] : []
  const flags = parts.flatMap((part) => flagsIn(tagsOf(part).get('t')))
  return {
    flags: [...new Set([...testing, ...flags])],
    tags: parts.filter((_, position) => names[position] !== 't'),
  }
}

function flagsIn(value = ''): string[] {
  return value
    .split(':')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '')
}

function hintsOf({ algorithm, bits }: DkimKey, isTesting: boolean): WizardText[] {
  return [
    ...(algorithm === 'rsa'
      ? [{ text: 'dkim_bits', values: { bits } }]
      : [{ text: 'dkim_ed25519' }]),
    ...(algorithm === 'rsa' && bits < WEAK_BITS ? [{ text: 'dkim_weak' }] : []),
    ...(isTesting ? [{ text: 'dkim_testing_on' }] : []),
  ]
}
