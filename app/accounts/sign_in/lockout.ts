import {
  countFailure,
  failuresOf,
  forgetFailures,
  namesWith,
  type Counter,
} from '#accounts/sign_in/failures'
import security from '#config/security'
import { clientNetwork, isInNetworks, parseNetworks, type Network } from '#dns/addresses/networks'

export type LockoutSettings = typeof security.account_lockout

/** Who tries to sign in, and from where. */
export interface Attempt {
  /** As typed; there may be nobody of that name. */
  username: string
  /** Of the connection. */
  address: string
}

/**
 * Keeps passwords from being tried out: too many wrong ones lock for a while, and some addresses are refused.
 *
 * Wrong passwords count for the pair of user name and network (an IPv4 address, an IPv6 /64), so that locking
 * somebody out takes being where they are. Names that nobody has count like all others. Where addresses do not
 * count (`track_ip_address` off), one counter of the name is for all, and whoever knows the name can lock it:
 * only the allowed addresses are left out then.
 */
export class Lockout {
  constructor(private readonly settings: LockoutSettings) {}

  get #allowed(): Network[] {
    return parseNetworks(this.settings.whitelist_ip_addresses)
  }

  get #refused(): Network[] {
    return parseNetworks(this.settings.blacklist_ip_addresses)
  }

  /** What the lists of addresses say of one: never counted, always refused, or counted. */
  standingOf(address: string): 'allowed' | 'refused' | 'counted' {
    if (isInNetworks(address, this.#allowed)) {
      return 'allowed'
    }
    return isInNetworks(address, this.#refused) ? 'refused' : 'counted'
  }

  /** Whether no password is accepted now, right or wrong. */
  async isLocked(attempt: Attempt): Promise<boolean> {
    const standing = this.standingOf(attempt.address)
    if (standing !== 'counted') {
      return standing === 'refused'
    }
    if (!this.settings.enable_lockout) {
      return false
    }
    const failures = await failuresOf(this.#counterOf(attempt))
    return failures >= this.settings.lockout_attempts
  }

  /** Those of the names whose passwords are not accepted now, at least from some network. */
  lockedAmong(usernames: readonly string[]): Promise<Set<string>> {
    return this.settings.enable_lockout
      ? namesWith(usernames, this.settings.lockout_attempts)
      : Promise.resolve(new Set())
  }

  /** Counts a wrong password. Returns whether it was the one that locks. */
  async countFailure(attempt: Attempt): Promise<boolean> {
    if (!this.settings.enable_lockout || isInNetworks(attempt.address, this.#allowed)) {
      return false
    }
    const counter = this.#counterOf(attempt)
    await countFailure(counter, this.settings.lockout_duration)
    return (await failuresOf(counter)) === this.settings.lockout_attempts
  }

  /** Forgets wrong passwords once somebody signed in by the web interface, where the settings say so. */
  async noteSuccess(attempt: Attempt): Promise<void> {
    if (this.settings.enable_lockout && this.settings.clear_attempts_on_success) {
      await forgetFailures(this.#counterOf(attempt))
    }
  }

  #counterOf({ username, address }: Attempt): Counter {
    const network = this.settings.track_ip_address ? clientNetwork(address) : ''
    return { username, network }
  }
}

/** The lockout of this process, as the settings say. */
export const lockout = new Lockout(security.account_lockout)
