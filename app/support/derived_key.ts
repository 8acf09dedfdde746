import { hkdfSync } from 'node:crypto'
import env from '#support/env'

const BYTES = 32
const keys = new Map<string, Buffer>()

/**
 * Derives a key of 32 bytes for one purpose from `APP_KEY` (RFC 5869): signatures of one part of the product are not valid in
 * another. Another `APP_KEY` gives other keys.
 *
 * @param purpose a constant of the code
 */
export function derivedKey(purpose: string): Buffer {
  const cachedKey = keys.get(purpose)
  if (cachedKey) {
    return cachedKey
  }
  const appKey = env.get('APP_KEY').release()
  const key = Buffer.from(hkdfSync('sha256', appKey, '', `zonewright ${purpose}`, BYTES))
  keys.set(purpose, key)
  return key
}
