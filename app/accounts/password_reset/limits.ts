import { createHmac } from 'node:crypto'
import { lockout } from '#accounts/sign_in/lockout'
import { ExpiringCounts } from '#database/counters'
import { clientNetwork } from '#dns/addresses/networks'
import { derivedKey } from '#support/derived_key'

/** Mails per account, and requests per network, within `WINDOW_MINUTES`. */
const MAX_MAILS = 3
const MAX_REQUESTS = 20
const WINDOW_MINUTES = 60

/** Counted separately from wrong passwords. */
const resetRequestCounts = new ExpiringCounts<{ subject: string; network: string }>({
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
export async function countRequestFrom(address: string): Promise<boolean> {
  const addressStatus = lockout.addressStatusOf(address)
  return addressStatus === 'counted'
    ? countAndCheck({ subject: subjectOf('from'), network: clientNetwork(address) }, MAX_REQUESTS)
    : addressStatus === 'allowed'
}

/** Counts a mail to an account. Returns false above the limit. */
export function countMailTo(userId: number): Promise<boolean> {
  return countAndCheck({ subject: subjectOf(`to ${userId}`), network: '' }, MAX_MAILS)
}

/** Counts before the check, so that concurrent requests cannot exceed the limit. */
async function countAndCheck(
  key: { subject: string; network: string },
  limit: number
): Promise<boolean> {
  await resetRequestCounts.add(key, WINDOW_MINUTES)
  return (await resetRequestCounts.readCount(key)) <= limit
}

function subjectOf(text: string): string {
  return createHmac('sha256', derivedKey('password resets')).update(text).digest('hex')
}
