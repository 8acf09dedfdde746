import { createHash } from 'node:crypto'
import { labelBytes } from '#dns/names/labels'
import { labelsOf } from '#dns/names/name_tree'

/** Parameters of NSEC3 (RFC 5155, section 4), as PowerDNS stores them in NSEC3PARAM metadata. */
export interface Nsec3Parameters {
  /** Extra rounds of the hash, 0..65535. */
  iterations: number
  salt: Buffer
  /** Flag bit 1: insecure delegations have no NSEC3 record. */
  optOut: boolean
}

/** PowerDNS limits extra rounds to this number (`max-nsec3-iterations`), whatever is stored. */
export const MAX_ITERATIONS = 100

const ALPHABET = '0123456789abcdefghijklmnopqrstuv'

/**
 * Parses an NSEC3PARAM ("1 0 1 ab"; salt "-" is empty). Returns null for invalid text, and for hash
 * algorithms other than SHA-1, the only defined one.
 */
export function parseNsec3Parameters(text: string): Nsec3Parameters | null {
  const [algorithm, flags, iterations, salt] = text.trim().split(/\s+/)
  if (algorithm !== '1' || !/^\d{1,5}$/.test(iterations ?? '') || salt === undefined) {
    return null
  }
  return {
    iterations: Number(iterations),
    salt: salt === '-' ? Buffer.alloc(0) : Buffer.from(salt, 'hex'),
    optOut: (Number(flags) & 1) === 1,
  }
}

/**
 * Returns the hash of an owner name (RFC 5155, section 5) in lower-case base32hex, the form of
 * PowerDNS' ordername. `name` is canonical: absolute, lower case, without final dot.
 */
export function nsec3Hash(name: string, parameters: Nsec3Parameters): string {
  let digest = round(wireName(name), parameters.salt)
  for (let i = 0; i < parameters.iterations; i++) {
    digest = round(digest, parameters.salt)
  }
  return base32hex(digest)
}

function round(input: Buffer, salt: Buffer): Buffer {
  return createHash('sha1').update(input).update(salt).digest()
}

function wireName(name: string): Buffer {
  const labels = labelsOf(name).map((label) => Buffer.from(labelBytes(label)))
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), label])
  return Buffer.concat([...parts, Buffer.from([0])])
}

/** Encodes bytes in lower-case base32hex (RFC 4648, 7), without padding. */
export function base32hex(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return text
}
