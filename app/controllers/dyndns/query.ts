/*
 * The query of an update as devices write it. Some escape nothing, some escape twice, some leave
 * placeholders in, and some append a second URL to the configured one.
 */

/**
 * Values by parameter in lower case, in their order. Empty values and placeholders are left out.
 */
export type DyndnsQuery = ReadonlyMap<string, readonly string[]>

/** Parameters of names or addresses, which cannot contain "+". */
const LISTS = new Set([
  'hostname',
  'myip',
  'ip',
  'myipv4',
  'ipv4',
  'myip6',
  'ip6',
  'myipv6',
  'ipv6',
  'ip6lanprefix',
])

/** A second update URL within a query: parameters follow its "?". */
const SECOND_URL = /\/(?:nic\/update|dynamic_update(?:\.php)?)[^&?]*\?/g

/**
 * `%h`, `%IP%`, `<ipaddr>`, `__MYIP__`, `${ip}`, `{ip}`, `[ip]`: placeholders that the device did
 * not replace.
 */
const PLACEHOLDER = /^(?:%[a-z]|%\w+%|<\w*>|__\w+__|\$?\{\w+\}|\[\w+\])$/i

/**
 * The parameters of a request target. "+" is literal, as in secrets that were not escaped, and so
 * are invalid escapes. In names and addresses, "+" is a blank, as in forms.
 */
export function dyndnsQuery(target: string): DyndnsQuery {
  const start = target.indexOf('?')
  const text = start === -1 ? '' : target.slice(start + 1).replace(SECOND_URL, '&')
  const query = new Map<string, string[]>()
  for (const part of text.split('&')) {
    const [, rawName, rawValue = ''] = /^(?:amp;)?([^=]*)=?(.*)$/s.exec(part) ?? []
    const name = unescaped(rawName ?? '').toLowerCase()
    const unescapedValue = unescaped(rawValue)
    const value = LISTS.has(name) ? unescapedValue.replaceAll('+', ' ') : unescapedValue
    if (name !== '' && !PLACEHOLDER.test(value)) {
      query.set(name, [...(query.get(name) ?? []), value])
    }
  }
  return query
}

/** The last value that is not blank, of the first of these parameters with one. */
export function valueOf(query: DyndnsQuery, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = query.get(name)?.findLast((one) => one.trim() !== '')
    if (value !== undefined) {
      return value
    }
  }
  return undefined
}

/** Decodes percent escapes as UTF-8, or as Latin-1 if they are not valid UTF-8. */
function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
    const utf8 = bytes.toString('utf8')
    return utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8
  })
}
