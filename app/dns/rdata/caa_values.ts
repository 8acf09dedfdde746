import { byteText, shownText, textTokens } from '#dns/rdata/character_strings'

/** The three parts of a CAA record (RFC 8659, 4.1), decoded. */
interface CaaProperty {
  /** 0..255; 128 is "critical". */
  flags: number
  /** Lower case. */
  tag: string
  value: string
}

interface CaaValue {
  allowed: string
  matches: (value: string) => boolean
}

const CRITICAL_FLAG = 128
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i
const PARAMETER = /^[a-z0-9-]+[ \t]*=[ \t]*[!-:<-~]*$/i

const ISSUER: CaaValue = {
  allowed:
    'the domain of a certificate authority, optionally followed by ";name=value", or ";" or an empty text for none',
  matches: isIssuer,
}

/** Tags of the IANA registry "Certification Authority Restriction Properties" on this date, without reserved ones. */
const REGISTRY_DATE = '2026-11-26'
const VALUES: Record<string, CaaValue> = {
  issue: ISSUER,
  issuewild: ISSUER,
  issuemail: ISSUER,
  issuevmc: ISSUER,
  iodef: { allowed: 'a URL with http:, https: or mailto:', matches: isReportUrl },
  contactemail: { allowed: 'an email address', matches: isMailAddress },
  contactphone: {
    allowed: 'a telephone number, such as +1-555-0100',
    matches: (value) => /^\+?[0-9(][0-9 ().;a-z=-]{2,}$/i.test(value),
  },
}

/**
 * Returns why authorities cannot use a CAA content; undefined for a usable or an invalid content. DNS serves such records. An
 * authority that cannot read a property issues no certificate (RFC 8659, 4.1 and 4.2).
 */
export function caaFault(content: string): string | undefined {
  const property = propertyOf(content)
  if (!property) return undefined
  const { flags, tag, value } = property
  const rule = Object.hasOwn(VALUES, tag) ? VALUES[tag] : undefined
  if (rule?.matches(value)) return undefined
  if (rule) {
    const quoted = JSON.stringify(shownText(Buffer.from(value, 'latin1')))
    return `the value ${quoted} does not fit the tag ${tag}; allowed: ${rule.allowed}`
  }
  const unknown = `the tag "${tag}" is not in the registry of CAA tags of ${REGISTRY_DATE}, which contains ${Object.keys(VALUES).join(', ')}`
  return flags & CRITICAL_FLAG
    ? `${unknown}; the record is critical, so an authority that does not know the tag issues no certificate (RFC 8659, 4.1)`
    : unknown
}

/** Undefined for invalid data of another program. */
function propertyOf(content: string): CaaProperty | undefined {
  try {
    const [flags, tag, value, ...more] = textTokens(content).map(({ bytes }) => byteText(bytes))
    if (value === undefined || more.length > 0) return undefined
    return { flags: Number(flags), tag: tag.toLowerCase(), value }
  } catch {
    return undefined
  }
}

function isIssuer(value: string): boolean {
  const [domain, ...parameters] = value.split(';').map(trimBlanks)
  if (domain !== '' && !isDomain(domain)) return false
  return parameters.every((parameter, index) => {
    const last = index === parameters.length - 1
    return PARAMETER.test(parameter) || (last && parameter === '')
  })
}

function isReportUrl(value: string): boolean {
  if (/^mailto:/i.test(value)) return isMailAddress(value.slice('mailto:'.length).split('?', 1)[0])
  return /^https?:\/\/[^\s/?#]+[!-~]*$/i.test(value) && URL.canParse(value)
}

function isMailAddress(value: string): boolean {
  const position = value.lastIndexOf('@')
  return (
    /^[!-?A-~]+$/.test(value.slice(0, Math.max(position, 0))) && isDomain(value.slice(position + 1))
  )
}

function isDomain(text: string): boolean {
  return (
    text.length <= 253 && text.split('.').every((label) => label.length < 64 && LABEL.test(label))
  )
}

function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '').trimEnd()
}
