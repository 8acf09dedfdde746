import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds of a step, and digits of a code: the defaults of authenticators. */
const STEP_SECONDS = 30
const DIGITS = 6
/**
 * Steps before and after the current one that are accepted, for clock differences and slow typing.
 */
const MAX_DRIFT_STEPS = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code of a step (RFC 6238 with SHA-1, as authenticators expect; RFC 4226, 5.3). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest[digest.length - 1] & 0xf
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns the step of a time. */
export function stepAt(milliseconds: number): number {
  return Math.floor(milliseconds / 1000 / STEP_SECONDS)
}

/** Returns the step of a code, near the current time and after `lastStep`; null for none. */
export function stepOfCode(
  secret: Buffer,
  code: string,
  { now, lastStep }: { now: number; lastStep: number }
): number | null {
  const typed = Buffer.from(code.replaceAll(/\s/g, ''))
  const current = stepAt(now)
  let found: number | null = null
  for (let step = current - MAX_DRIFT_STEPS; step <= current + MAX_DRIFT_STEPS; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    const isMatch = typed.length === expected.length && timingSafeEqual(typed, expected)
    if (isMatch && step > lastStep) {
      found = step
    }
  }
  return found
}

/** Base32 without padding (RFC 4648, 6), for manual input into authenticators. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Returns the text of the QR code (Key URI Format). */
export function keyUri(
  secret: Buffer,
  { issuer, account }: { issuer: string; account: string }
): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
