import { createHmac, randomBytes } from 'node:crypto'

/** Name of the header that signs a delivery. */
export const SIGNATURE_HEADER = 'Webhook-Signature'

/** A new secret, of 256 bits. */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/**
 * Value of the header: the timestamp and, in hex, the HMAC-SHA256 of timestamp, dot and body under the secret. The timestamp
 * prevents a later replay of a recorded delivery.
 *
 * @param seconds since 1970
 */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hmac}`
}
