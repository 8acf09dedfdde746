import { InvalidDns } from '#dns/errors'
import { byteText } from '#dns/rdata_text'

const LIMIT = 255
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
  allowed: 'URIs with commas between, such as mailto:dmarc@example.org',
  matches: (value) => listed(value, ',').every((uri) => REPORT_URI.test(uri)),
}

/** Tags of RFC 7489, 6.3, and the three that its revision adds (np, psd, t). */
const TAGS: Record<string, DmarcTag> = {
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
    allowed: '0, 1, d and s, with colons between',
    matches: (value) => listed(value, ':').every((option) => /^[01ds]$/i.test(option)),
  },
  rf: {
    allowed: 'report formats with colons between, such as afrf',
    matches: (value) => listed(value, ':').every((format) => REPORT_FORMAT.test(format)),
  },
  rua: reports,
  ruf: reports,
  psd: { allowed: 'y, n or u', matches: (v) => /^[ynu]$/i.test(v) },
  t: { allowed: 'y or n', matches: (v) => /^[yn]$/i.test(v) },
}

/** Whether DMARC policies are looked up at this name (RFC 7489, 6.1). */
export function isDmarcName(name: string): boolean {
  return name.startsWith('_dmarc.')
}

/**
 * Checks the strings of a TXT record that starts with v=DMARC1 as a policy (RFC 7489, 6.3): at most 255
 * bytes, known tags, each once, p among them. Other text passes.
 *
 * @throws InvalidDns on 'content'
 */
export function checkDmarc(strings: Uint8Array[]): void {
  const text = strings.map(byteText).join('')
  if (!/^v[ \t]*=[ \t]*DMARC1/i.test(text)) return
  if (text.length > LIMIT) throw refusal(text, 'is too long', `at most ${LIMIT} bytes`)
  const [version, ...parts] = listed(text, ';')
  if (!/^v[ \t]*=[ \t]*DMARC1$/.test(version)) {
    throw refusal(text, 'does not start with its version', 'v=DMARC1; as the first tag')
  }
  if (parts.at(-1) === '') parts.pop()
  const seen = new Set(parts.map((part) => checkTag(text, part)))
  if (seen.size < parts.length) throw refusal(text, 'has a tag twice', 'each tag once')
  if (!seen.has('p')) throw refusal(text, 'has no policy', `the tag p with ${policy.allowed}`)
}

function checkTag(text: string, part: string): string {
  const [name, value, more] = splitTag(part)
  if (!Object.hasOwn(TAGS, name) || more) {
    throw refusal(text, `has the tag ${JSON.stringify(part)}`, Object.keys(TAGS).join(', '))
  }
  if (!TAGS[name].matches(value)) {
    const problem = `has a value that does not fit the tag ${name}`
    throw refusal(text, problem, TAGS[name].allowed)
  }
  return name
}

function splitTag(part: string): [name: string, value: string, more: boolean] {
  const equals = part.indexOf('=')
  if (equals < 0) return ['', '', true]
  return [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim(), false]
}

function listed(text: string, separator: string): string[] {
  return text.split(separator).map((item) => item.trim())
}

function refusal(text: string, problem: string, allowed: string): InvalidDns {
  return new InvalidDns('content', text, `${allowed} (RFC 7489, 6.3)`, { problem })
}
