/*
 * The query of an update, read as devices write it: some escape nothing, some escape twice, some leave their
 * placeholders in, and some append the address of the convention to one that they were given.
 */

/** Values by parameter, in their order; names in lower case. Empty values and unfilled placeholders are left out. */
export type DyndnsQuery = ReadonlyMap<string, readonly string[]>

/** Parameters whose values are names or addresses, in none of which "+" can be. */
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

/** An address of ours within a query: what follows its "?" are parameters again. */
const GLUED = /\/(?:nic\/update|dynamic_update(?:\.php)?)[^&?]*\?/g

/** `%h`, `%IP%`, `<ipaddr>`, `__MYIP__`, `${ip}`, `{ip}`, `[ip]`: the device filled nothing in. */
const PLACEHOLDER = /^(?:%[a-z]|%\w+%|<\w*>|__\w+__|\$?\{\w+\}|\[\w+\])$/i

/**
 * The parameters of a request target. "+" stands for itself, as it does in secrets that nobody escaped; what looks
 * like an escape and is none stands for itself as well. In names and addresses "+" is a blank, as forms write it.
 */
export function dyndnsQuery(target: string): DyndnsQuery {
  const start = target.indexOf('?')
  const text = start === -1 ? '' : target.slice(start + 1).replace(GLUED, '&')
  const query = new Map<string, string[]>()
  for (const part of text.split('&')) {
    const [, rawName, rawValue = ''] = /^(?:amp;)?([^=]*)=?(.*)$/s.exec(part) ?? []
    const name = unescaped(rawName ?? '').toLowerCase()
    const written = unescaped(rawValue)
    const value = LISTS.has(name) ? written.replaceAll('+', ' ') : written
    if (name !== '' && !PLACEHOLDER.test(value)) {
      query.set(name, [...(query.get(name) ?? []), value])
    }
  }
  return query
}

/** The last value of the first of these parameters that has one which is not blank. */
export function valueOf(query: DyndnsQuery, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = query.get(name)?.findLast((one) => one.trim() !== '')
    if (value !== undefined) {
      return value
    }
  }
  return undefined
}

/** Percent escapes of UTF-8, or of bytes that are none. */
function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
    const utf8 = bytes.toString('utf8')
    return utf8.includes('\ufffd') ? bytes.toString('latin1') : utf8
  })
}
