/** Letters, digits, `-` and `_` in labels, at least two of them; no address literal. */
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/i

/** Characters of a local part, plain or percent-encoded (RFC 6068, 2). */
const LOCAL_PART = /^(?:[\w.!$&'*+,;=/~-]|%[0-9a-f]{2})+$/i

/** Visible ASCII characters of a URI, without quotes and brackets (RFC 3986, 2). */
const URI_TEXT = /^[!#-;=?-Z_a-z~[\]@]+$/

/**
 * Returns the URI for reports (RFC 7489, 6.2; RFC 8659, 4.4): an address becomes a `mailto:` URI;
 * `mailto:` and `http(s):` URIs stay. null for other texts.
 *
 * @param isListed whether the URI is in the list of a tag, where `,`, `;` and `!` are encoded, and
 * `!` with a size may follow
 */
export function reportUri(address: string, isListed: boolean): string | null {
  const [, text, size = ''] = isListed
    ? (/^(.*?)(!\d{1,20}[kmgt]?)?$/i.exec(address) ?? [])
    : [address, address]
  if (text === undefined || !URI_TEXT.test(text)) {
    return null
  }
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? []
  const uri = scheme === '' ? `mailto:${encoded(text)}` : text
  if (isListed && /[,;!]/.test(uri)) {
    return null
  }
  const isWhole = /^(?:mailto)?$/i.test(scheme) ? hasAddress(uri) : isPage(uri)
  return isWhole ? uri + size : null
}

/** Percent-encodes characters of the local part that have a meaning in a list of URIs. */
function encoded(address: string): string {
  const position = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(position, 0))
  const inUri = local.replaceAll('!', '%21').replaceAll(/[,;?#&]/g, encodeURIComponent)
  return inUri + address.slice(Math.max(position, 0))
}

function hasAddress(uri: string): boolean {
  const [address] = uri.slice('mailto:'.length).split('?')
  const position = address.lastIndexOf('@')
  return (
    position > 0 &&
    LOCAL_PART.test(address.slice(0, position)) &&
    DOMAIN.test(address.slice(position + 1))
  )
}

function isPage(uri: string): boolean {
  return /^https?:\/\/[^/]/i.test(uri) && URL.canParse(uri)
}
