import { createHmac } from 'node:crypto'
import { ExpiringCounts } from '#database/counters'
import { derivedKey } from '#support/derived_key'

/** Whose wrong passwords are counted together. */
export interface Counter {
  username: string
  /** As `clientNetwork` writes it; empty where addresses do not count. */
  network: string
}

const failures = new ExpiringCounts<{ subject: string; network: string }>({
  name: 'zw_sign_in_failures',
  key: ['subject', 'network'],
  count: 'failures',
  isProlonged: true,
  purgeMinutes: 1,
  what: 'wrong passwords',
})

/** Number of wrong passwords that count at this moment. */
export function failuresOf({ username, network }: Counter): Promise<number> {
  return failures.of({ subject: subjectOf(username), network })
}

/** Those of the names for which so many wrong passwords count at this moment, from one network or other. */
export async function namesWith(usernames: readonly string[], least: number): Promise<Set<string>> {
  const subjects = new Map(usernames.map((username) => [subjectOf(username), username]))
  const found = await failures.reached('subject', [...subjects.keys()], least)
  return new Set([...found].flatMap((subject) => subjects.get(subject) ?? []))
}

/** Counts a wrong password. All of the counter's are forgotten when so many minutes pass without one. */
export function countFailure({ username, network }: Counter, minutes: number): Promise<void> {
  return failures.add({ subject: subjectOf(username), network }, minutes)
}

/** Forgets the wrong passwords of a counter; of a user from everywhere without a network. */
export function forgetFailures({
  username,
  network,
}: Pick<Counter, 'username'> & Partial<Counter>): Promise<void> {
  const subject = subjectOf(username)
  return failures.forget(network === undefined ? { subject } : { subject, network })
}

/** Removes what does not count any more. Returns how many rows. */
export function purgeFailures(): Promise<number> {
  return failures.purge()
}

function subjectOf(username: string): string {
  return createHmac('sha256', derivedKey('sign-in failures')).update(username).digest('hex')
}
