import { createHmac } from 'node:crypto'
import { lockout } from '#accounts/sign_in/lockout'
import { ExpiringCounts } from '#database/counters'
import { clientNetwork } from '#dns/addresses/networks'
import { derivedKey } from '#support/derived_key'

/** Mails per account, and requests per network, within `MINUTES`. */
const MAX_MAILS = 3
const MAX_REQUESTS = 20
const MINUTES = 60

/** Counted separately from wrong passwords. */
const asked = new ExpiringCounts<{ subject: string; network: string }>({
  name: 'zw_sign_in_failures',
  key: ['subject', 'network'],
  count: 'failures',
  isProlonged: false,
  purgeMinutes: 1,
  what: 'requests for new passwords',
})

/**
 * Counts a request from an address. Returns false above the limit, and for addresses that may not
 * sign in.
 */
export async function mayAskFrom(address: string): Promise<boolean> {
  const standing = lockout.standingOf(address)
  return standing === 'counted'
    ? isWithin({ subject: subjectOf('from'), network: clientNetwork(address) }, MAX_REQUESTS)
    : standing === 'allowed'
}

/** Counts a mail to an account. Returns false above the limit. */
export function mayMail(userId: number): Promise<boolean> {
  return isWithin({ subject: subjectOf(`to ${userId}`), network: '' }, MAX_MAILS)
}

/** Counts before the check, so that concurrent requests cannot exceed the limit. */
async function isWithin(key: { subject: string; network: string }, most: number): Promise<boolean> {
  await asked.add(key, MINUTES)
  return (await asked.readCount(key)) <= most
}

function subjectOf(text: string): string {
  return createHmac('sha256', derivedKey('password resets')).update(text).digest('hex')
}
