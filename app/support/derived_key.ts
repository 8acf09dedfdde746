import { hkdfSync } from 'node:crypto'
import env from '#support/env'

const BYTES = 32
const keys = new Map<string, Buffer>()

/**
 * A key of 32 bytes for one purpose, derived from `APP_KEY` (RFC 5869), so that what one part of the product
 * signs or digests says nothing to another. Another `APP_KEY` gives other keys.
 *
 * @param purpose a fixed phrase, never a caller's text
 */
export function derivedKey(purpose: string): Buffer {
  const known = keys.get(purpose)
  if (known) {
    return known
  }
  const appKey = env.get('APP_KEY').release()
  const key = Buffer.from(hkdfSync('sha256', appKey, '', `zonewright ${purpose}`, BYTES))
  keys.set(purpose, key)
  return key
}
