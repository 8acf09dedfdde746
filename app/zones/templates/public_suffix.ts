import { getPublicSuffix } from 'tldts'

/**
 * What registries sell names below: `co.uk` of `shop.example.co.uk` (publicsuffix.org, the part of registries).
 * Undefined for a name that is no host name.
 */
export function publicSuffix(name: string): string | undefined {
  return getPublicSuffix(name, { validateHostname: false }) ?? undefined
}
