import { getPublicSuffix } from 'tldts'

/**
 * Returns the public suffix: `co.uk` of `shop.example.co.uk` (publicsuffix.org, ICANN section).
 * undefined for an invalid host name.
 */
export function publicSuffix(name: string): string | undefined {
  return getPublicSuffix(name, { validateHostname: false }) ?? undefined
}
