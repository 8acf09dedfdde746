import { InvalidDns } from '#dns/errors'

/** The three parts of a CAA record (RFC 8659, 4.1), decoded. */
export interface CaaProperty {
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

const CRITICAL = 128
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i
const PARAMETER = /^[a-z0-9-]+[ \t]*=[ \t]*[!-:<-~]*$/i

const ISSUER: CaaValue = {
  allowed:
    'the domain of a certificate authority, with ";name=value" where needed, or ";" or nothing for none',
  matches: isIssuer,
}

const VALUES: Record<string, CaaValue> = {
  issue: ISSUER,
  issuewild: ISSUER,
  issuemail: ISSUER,
  issuevmc: ISSUER,
  iodef: { allowed: 'a URL with http:, https: or mailto: (RFC 8659, 4.4)', matches: isReportUrl },
  contactemail: { allowed: 'a mail address', matches: isMailAddress },
  contactphone: {
    allowed: 'a telephone number, such as +1-555-0100',
    matches: (value) => /^\+?[0-9(][0-9 ().;a-z=-]{2,}$/i.test(value),
  },
  tbs: { allowed: 'any text', matches: () => true },
}

/**
 * Checks the value of a CAA record by its tag. A tag that is not known is taken, unless the record is
 * critical: then every authority that does not know it either must refuse to issue.
 *
 * @param content what the message shows
 * @throws InvalidDns on 'content'
 */
export function checkCaaValue({ flags, tag, value }: CaaProperty, content: string): void {
  const known = Object.hasOwn(VALUES, tag) ? VALUES[tag] : undefined
  if (!known && flags & CRITICAL) {
    throw new InvalidDns('content', content, `one of ${Object.keys(VALUES).join(', ')}`, {
      problem: 'is critical and has an unknown tag',
    })
  }
  if (known && !known.matches(value)) {
    throw new InvalidDns('content', content, known.allowed, {
      problem: `has a value that does not fit the tag ${tag}`,
    })
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
  const at = value.lastIndexOf('@')
  return /^[!-?A-~]+$/.test(value.slice(0, Math.max(at, 0))) && isDomain(value.slice(at + 1))
}

function isDomain(text: string): boolean {
  return (
    text.length <= 253 && text.split('.').every((label) => label.length < 64 && LABEL.test(label))
  )
}

function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+/, '').trimEnd()
}
