import { stepAt, totpCode } from '#accounts/second_factor/totp'
import type { Page, WebClient } from '#tests/support/web/client'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the TOTP secret on a page. */
export function secretOn(page: Page): Buffer {
  return secretIn(page.html)
}

/** Returns the TOTP secret in HTML text. */
export function secretIn(html: string): Buffer {
  const text = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? ''
  const bits = [...text.replaceAll(' ', '')]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Enables the second factor of a user. Returns the secret and the recovery codes. */
export async function secondFactor(
  client: WebClient,
  password: string
): Promise<{ secret: Buffer; codes: string[] }> {
  const page = await client.get('/account/second-factor')
  const secret = secretOn(page)
  const code = totpCode(secret, stepAt(Date.now()))
  const { token } = page
  const resultPage = await client.post('/account/second-factor', { code, password }, { token })
  const codes = [...resultPage.html.matchAll(/<li>([A-Z2-7-]{19})<\/li>/g)].map(([, one]) => one)
  return { secret, codes }
}
