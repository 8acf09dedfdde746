import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson, type Json } from '#audit/canonical_json'
import { entryOf, type StoredEvent } from '#audit/entry'
import { derivedKey } from '#support/derived_key'

/** A position in the chain with its hash. Positions count from 1; 0 is before the first event. */
export interface ChainPoint {
  position: number
  /** 64 lower-case hex digits. */
  hash: string
}

/** The point before the first event. */
export const GENESIS_POINT: ChainPoint = { position: 0, hash: '0'.repeat(64) }

/** The end of the chain, and the anchor: its start after retention removed events. */
export interface ChainEnds {
  head: ChainPoint
  anchor: ChainPoint
}

/**
 * The hash of an event in the chain: SHA-256 of the previous hash, a line feed, and the event as canonical JSON: as in `GET
 * /api/v2/audit`, without `position` and `hash`.
 */
export function linkHash(previous: string, row: StoredEvent): string {
  const event = canonicalJson(entryOf(row) as unknown as Json)
  return createHash('sha256').update(`${previous}\n${event}`).digest('hex')
}

/** Whether the stored detail is the text that was sealed, byte by byte: other readers may parse it differently. */
export function isCanonicalDetail({ detail }: Pick<StoredEvent, 'detail'>): boolean {
  try {
    return canonicalJson(JSON.parse(detail) as Json) === detail
  } catch {
    return false
  }
}

/** The signature of both ends. It needs the APP_KEY: write access to the database is not enough. */
export function signEnds({ head, anchor }: ChainEnds): string {
  const text = [head.position, head.hash, anchor.position, anchor.hash].join('\n')
  return createHmac('sha256', derivedKey('audit head')).update(text).digest('hex')
}

/** Returns whether the signature belongs to these ends. A new chain needs no signature. */
export function isSigned(ends: ChainEnds, mac: string | null): boolean {
  if (mac === null) {
    return [ends.head, ends.anchor].every(
      ({ position, hash }) => position === GENESIS_POINT.position && hash === GENESIS_POINT.hash
    )
  }
  const [storedMac, expectedMac] = [Buffer.from(mac), Buffer.from(signEnds(ends))]
  return storedMac.length === expectedMac.length && timingSafeEqual(storedMac, expectedMac)
}
