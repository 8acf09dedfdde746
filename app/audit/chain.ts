import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson, type Json } from '#audit/canonical_json'
import { entryOf, type StoredEvent } from '#audit/entry'
import { derivedKey } from '#support/derived_key'

/** A place in the chain. Positions count from 1; 0 is before the first event. */
export interface ChainPoint {
  position: number
  /** 64 lower-case hex digits. */
  hash: string
}

/** The point before the first event. */
export const GENESIS: ChainPoint = { position: 0, hash: '0'.repeat(64) }

/** The end of the chain, and its start after retention. */
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

/** Whether the signature is that of these ends. A chain that was never begun needs none. */
export function isSigned(ends: ChainEnds, mac: string | null): boolean {
  if (mac === null) {
    return [ends.head, ends.anchor].every(
      ({ position, hash }) => position === GENESIS.position && hash === GENESIS.hash
    )
  }
  const [given, wanted] = [Buffer.from(mac), Buffer.from(signEnds(ends))]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
