import {
  countFailure,
  readFailureCount,
  resetFailures,
  findNamesWithFailures,
  type FailureCounter,
} from '#accounts/sign_in/failures'
import security from '#config/security'
import { clientNetwork, isInNetworks, parseNetworks, type Network } from '#dns/addresses/networks'

export type LockoutSettings = typeof security.account_lockout

/** A sign-in attempt. */
export interface SignInAttempt {
  /** As typed; the user may not exist. */
  username: string
  /** Client address. */
  address: string
}

/**
 * Limits password guessing: wrong passwords lock for a time, and listed addresses are refused. The
 * counter is per user name and network (IPv4 address, IPv6 /64), also for unknown names. With
 * `track_ip_address` off it is per name, so others can lock a name; allowed addresses stay exempt.
 */
export class Lockout {
  constructor(private readonly settings: LockoutSettings) {}

  get #allowedNetworks(): Network[] {
    return parseNetworks(this.settings.whitelist_ip_addresses)
  }

  get #refusedNetworks(): Network[] {
    return parseNetworks(this.settings.blacklist_ip_addresses)
  }

  /** Returns the status of an address in the lists: never counted, always refused, or counted. */
  addressStatusOf(address: string): 'allowed' | 'refused' | 'counted' {
    if (isInNetworks(address, this.#allowedNetworks)) {
      return 'allowed'
    }
    return isInNetworks(address, this.#refusedNetworks) ? 'refused' : 'counted'
  }

  /** Returns whether passwords are refused at present, right or wrong. */
  async isLocked(attempt: SignInAttempt): Promise<boolean> {
    const addressStatus = this.addressStatusOf(attempt.address)
    if (addressStatus !== 'counted') {
      return addressStatus === 'refused'
    }
    if (!this.settings.enable_lockout) {
      return false
    }
    const failures = await readFailureCount(this.#counterOf(attempt))
    return failures >= this.settings.lockout_attempts
  }

  /** Returns those names that are locked at present, at least from one network. */
  findLockedNames(usernames: readonly string[]): Promise<Set<string>> {
    return this.settings.enable_lockout
      ? findNamesWithFailures(usernames, this.settings.lockout_attempts)
      : Promise.resolve(new Set())
  }

  /** Counts a wrong password. Returns whether it caused the lock. */
  async countFailure(attempt: SignInAttempt): Promise<boolean> {
    if (!this.settings.enable_lockout || isInNetworks(attempt.address, this.#allowedNetworks)) {
      return false
    }
    const counter = this.#counterOf(attempt)
    await countFailure(counter, this.settings.lockout_duration)
    return (await readFailureCount(counter)) === this.settings.lockout_attempts
  }

  /** Resets the counter after a sign-in in the web interface, if the settings say so. */
  async recordSuccess(attempt: SignInAttempt): Promise<void> {
    if (this.settings.enable_lockout && this.settings.clear_attempts_on_success) {
      await resetFailures(this.#counterOf(attempt))
    }
  }

  #counterOf({ username, address }: SignInAttempt): FailureCounter {
    const network = this.settings.track_ip_address ? clientNetwork(address) : ''
    return { username, network }
  }
}

/** The instance of this process, with the configured settings. */
export const lockout = new Lockout(security.account_lockout)
