import { createHmac } from 'node:crypto'
import { ExpiringCounts } from '#database/counters'
import { derivedKey } from '#support/derived_key'

/** A counter of wrong passwords. */
export interface FailureCounter {
  username: string
  /** In the format of `clientNetwork`; empty if addresses do not count. */
  network: string
}

const failureCounts = new ExpiringCounts<{ subject: string; network: string }>({
  name: 'zw_sign_in_failures',
  key: ['subject', 'network'],
  count: 'failures',
  isProlonged: true,
  purgeMinutes: 1,
  what: 'wrong passwords',
})

/** Returns the current number of wrong passwords. */
export function readFailureCount({ username, network }: FailureCounter): Promise<number> {
  return failureCounts.readCount({ subject: subjectOf(username), network })
}

/** Returns those names with at least this number of wrong passwords from one network. */
export async function findNamesWithFailures(
  usernames: readonly string[],
  minFailures: number
): Promise<Set<string>> {
  const subjects = new Map(usernames.map((username) => [subjectOf(username), username]))
  const found = await failureCounts.valuesAtLeast('subject', [...subjects.keys()], minFailures)
  return new Set([...found].flatMap((subject) => subjects.get(subject) ?? []))
}

/** Counts a wrong password. The counter is reset after so many minutes without one. */
export function countFailure(
  { username, network }: FailureCounter,
  minutes: number
): Promise<void> {
  return failureCounts.add({ subject: subjectOf(username), network }, minutes)
}

/** Resets a counter; without a network, all counters of the user. */
export function resetFailures({
  username,
  network,
}: Pick<FailureCounter, 'username'> & Partial<FailureCounter>): Promise<void> {
  const subject = subjectOf(username)
  return failureCounts.forget(network === undefined ? { subject } : { subject, network })
}

/** Deletes expired rows. Returns their number. */
export function purgeFailures(): Promise<number> {
  return failureCounts.purge()
}

function subjectOf(username: string): string {
  return createHmac('sha256', derivedKey('sign-in failures')).update(username).digest('hex')
}
