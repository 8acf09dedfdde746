import { InvalidDns } from '#dns/errors'
import { shownText } from '#dns/rdata/character_strings'

const POLICY = /^(none|quarantine|reject)$/i
const ALIGNMENT = /^[rs]$/i
const REPORT_URI = /^[a-z][a-z0-9+.-]*:[!-+\--:<-~]+$/i
const REPORT_FORMAT = /^[a-z][a-z0-9]*$/i

interface DmarcTag {
  allowed: string
  matches: (value: string) => boolean
}

const policy: DmarcTag = { allowed: 'none, quarantine or reject', matches: (v) => POLICY.test(v) }
const alignment: DmarcTag = { allowed: 'r or s', matches: (v) => ALIGNMENT.test(v) }
const reports: DmarcTag = {
  allowed: 'URIs separated by commas, such as mailto:dmarc@example.org',
  matches: (value) => splitList(value, ',').every((uri) => REPORT_URI.test(uri)),
}

/** Tags of RFC 7489, 6.3, and three of its revision (np, psd, t). */
const TAG_RULES: Record<string, DmarcTag> = {
  p: policy,
  sp: policy,
  np: policy,
  adkim: alignment,
  aspf: alignment,
  pct: { allowed: '0 to 100', matches: (v) => /^\d{1,3}$/.test(v) && Number(v) <= 100 },
  ri: {
    allowed: '0 to 4294967295 seconds',
    matches: (v) => /^\d{1,10}$/.test(v) && Number(v) <= 4294967295,
  },
  fo: {
    allowed: '0, 1, d and s, separated by colons',
    matches: (value) => splitList(value, ':').every((option) => /^[01ds]$/i.test(option)),
  },
  rf: {
    allowed: 'report formats separated by colons, such as afrf',
    matches: (value) => splitList(value, ':').every((format) => REPORT_FORMAT.test(format)),
  },
  rua: reports,
  ruf: reports,
  psd: { allowed: 'y, n or u', matches: (v) => /^[ynu]$/i.test(v) },
  t: { allowed: 'y or n', matches: (v) => /^[yn]$/i.test(v) },
}

/** Returns whether receivers look up DMARC policies at this name (RFC 7489, 6.1). */
export function isDmarcName(name: string): boolean {
  return name.startsWith('_dmarc.')
}

/** The fault of a policy, and the allowed form. */
export interface PolicyFault {
  problem: string
  allowed: string
}

/**
 * Returns the fault of a policy that starts with v=DMARC1 (RFC 7489, 6.3): each tag must be known and occur once, and p or rua
 * is required. Returns undefined for a valid policy and for other text.
 */
export function dmarcFault(text: string): PolicyFault | undefined {
  if (!/^v[ \t]*=[ \t]*DMARC1/i.test(text)) return undefined
  const [version, ...parts] = splitList(text, ';')
  if (!/^v[ \t]*=[ \t]*DMARC1$/.test(version)) {
    return { problem: 'does not start with its version', allowed: 'v=DMARC1; as the first tag' }
  }
  if (parts.at(-1) === '') parts.pop()
  const fault = parts.map(tagFault).find((found) => found !== undefined)
  if (fault) return fault
  const tagNames = parts.map((part) => splitTag(part)[0])
  const twice = tagNames.find((name, position) => tagNames.indexOf(name) < position)
  if (twice !== undefined) {
    return { problem: `has the tag ${twice} twice`, allowed: 'each tag once' }
  }
  const names = new Set(tagNames)
  // Without p, a record with rua counts as p=none (RFC 7489, 6.6.3).
  if (names.has('p') || names.has('rua')) return undefined
  return { problem: 'has no policy', allowed: `the tag p with ${policy.allowed}` }
}

/**
 * Validates the strings of a policy that a user creates.
 *
 * @throws InvalidDns on 'content'
 */
export function checkDmarc(strings: Uint8Array[]): void {
  const text = shownText(Buffer.concat(strings))
  const fault = dmarcFault(text)
  if (!fault) return
  const { problem, allowed } = fault
  throw new InvalidDns('content', text, `${allowed} (RFC 7489, 6.3)`, { problem })
}

function tagFault(part: string): PolicyFault | undefined {
  const [name, value, more] = splitTag(part)
  if (!Object.hasOwn(TAG_RULES, name) || more) {
    const allowed = Object.keys(TAG_RULES).join(', ')
    return { problem: `has the tag ${JSON.stringify(part)}, which receivers ignore`, allowed }
  }
  if (TAG_RULES[name].matches(value)) return undefined
  const problem = `has the value ${JSON.stringify(value)} for the tag ${name}`
  return { problem, allowed: TAG_RULES[name].allowed }
}

function splitTag(part: string): [name: string, value: string, more: boolean] {
  const equals = part.indexOf('=')
  if (equals < 0) return ['', '', true]
  return [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim(), false]
}

function splitList(text: string, separator: string): string[] {
  return text.split(separator).map((item) => item.trim())
}
