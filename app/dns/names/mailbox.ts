import { InvalidDns } from '#dns/errors'
import { hostName } from '#dns/names'

const ATOM = /^[a-z0-9!#%&'*+/=?^_{|}~-]+$/
/** A name such as `invalid.`, which is no mailbox but occurs in zones (RFC 9432, A). */
const ONE_LABEL = /^([a-z0-9_-]+)\.?$/i
const HOST_FORM = /^((?:\\\d{3}|\\\D|[^\\.])+)\.(.+)$/s

/**
 * Returns the canonical host form of a mailbox, as in the second field of an SOA (RFC 1035, section
 * 8): the local part is the first label, with dots as `\.`. Accepts the host form, also with other
 * escaped characters, and `user@domain`.
 *
 * @throws InvalidDns on 'content'
 */
export function mailboxName(text: string): string {
  if (text === '.') return text
  const [, single] = ONE_LABEL.exec(text) ?? []
  if (single !== undefined) return hostName(single)
  const { local, domain } = text.includes('@') ? splitMail(text) : splitHost(text)
  const host = hostName(domain)
  // The stored name would be read as user@domain.
  if (host.includes('@')) throw refusal(text)
  if (!local.split('.').every((atom) => ATOM.test(atom)) || local.length > 63) throw refusal(text)
  const name = `${local.replaceAll('.', '\\.')}.${host}`
  if (name.length > 253) throw refusal(text)
  return name
}

function splitMail(text: string): { local: string; domain: string } {
  const position = text.indexOf('@')
  return { local: unescaped(text.slice(0, position)), domain: text.slice(position + 1) }
}

function splitHost(text: string): { local: string; domain: string } {
  const [, label, domain] = HOST_FORM.exec(text) ?? []
  if (label === undefined) throw refusal(text)
  return { local: unescaped(label), domain }
}

function unescaped(local: string): string {
  const plain = local.replace(/\\(\d{3}|\D)/g, (_, what: string) =>
    what.length === 3 ? String.fromCharCode(Number(what)) : what
  )
  return plain.toLowerCase()
}

function refusal(text: string): InvalidDns {
  return new InvalidDns(
    'content',
    text,
    'user@domain, or its host form with "\\." for a dot in the user part (RFC 1035, 8)',
    { problem: 'is not a mailbox' }
  )
}
