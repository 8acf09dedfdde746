import type { Channel } from '#access/actor'
import { fairnessNetworkOf } from '#dns/addresses/networks'
import { Refusal } from '#exceptions/refusal'

/**
 * Hashes computed at once by this process: each needs megabytes and one of the four threads of the
 * pool.
 */
const SLOTS = 2

/**
 * Maximum queue length of the web interface, and of all other channels together. The last entry
 * waits for seconds.
 */
const MAX_WAITING = 200
/** Maximum queue length per network. */
const MAX_PER_NETWORK = 50
const RETRY_AFTER_SECONDS = 5

/** Limits of the queue. */
export interface SlotLimits {
  /** Per channel. */
  waiting: number
  /** Per channel and network. */
  ofOne: number
}

/** Channel and network of a job, for fair scheduling. */
export interface Turn {
  channel: string
  network: string
}

interface Waiting {
  go(): void
  refuse(): void
}

/**
 * Limits running and waiting jobs. Round-robin over channels, then over networks; first-in,
 * first-out per network. If a channel is full, the network with most entries loses one.
 */
export class Slots {
  #free: number
  /** Waiting jobs by channel and network; the next one is first. */
  readonly #channels = new Map<string, Map<string, Waiting[]>>()

  constructor(
    slots: number,
    private readonly most: SlotLimits
  ) {
    this.#free = slots
  }

  /** Runs `work` in its turn. Throws a 429 if too many jobs wait. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free--
    } else {
      await this.#waitFor(turn)
    }
    try {
      return await work()
    } finally {
      // The next job in the queue takes this slot, so a new request cannot overtake it.
      const next = this.#next()
      if (next) {
        next.go()
      } else {
        this.#free++
      }
    }
  }

  #waitFor({ channel, network }: Turn): Promise<void> {
    const networks = this.#channels.get(channel) ?? new Map<string, Waiting[]>()
    const queue = networks.get(network) ?? []
    const queues = [...networks.values()]
    const isFull = queues.reduce((sum, { length }) => sum + length, 0) >= this.most.waiting
    const longest = queues.reduce((one, other) => (other.length > one.length ? other : one), queue)
    if (queue.length >= this.most.ofOne || (isFull && longest.length <= queue.length + 1)) {
      throw tooMany()
    }
    if (isFull) longest.pop()?.refuse()
    this.#channels.set(channel, networks.set(network, queue))
    return new Promise((resolve, reject) => {
      queue.push({ go: resolve, refuse: () => reject(tooMany()) })
    })
  }

  /** Returns the next job, and moves its channel and network to the end. */
  #next(): Waiting | undefined {
    const [first] = this.#channels
    if (!first) {
      return undefined
    }
    const [channel, networks] = first
    const [[network, queue]] = networks
    this.#channels.delete(channel)
    networks.delete(network)
    const next = queue.shift()
    if (queue.length > 0) networks.set(network, queue)
    if (networks.size > 0) this.#channels.set(channel, networks)
    return next
  }
}

function tooMany(): Refusal {
  const refusal = new Refusal(429, 'Too many passwords are being checked: try again in a moment')
  refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
  return refusal
}

const slots = new Slots(SLOTS, { waiting: MAX_WAITING, ofOne: MAX_PER_NETWORK })

/** Jobs other than sign-ins, such as the hash of a new password. */
const INTERNAL_TURN: Turn = { channel: 'own', network: '' }

/**
 * Returns the queue of a sign-in, so that the web interface does not wait for API clients that send
 * a password with each request.
 *
 * @param address client address
 */
export function turnOf({ channel, address }: { channel: Channel; address: string }): Turn {
  return { channel: channel === 'web' ? 'web' : 'programs', network: fairnessNetworkOf(address) }
}

/**
 * Runs a password hash in its turn. Nested calls, and calls inside a transaction, could deadlock.
 * Throws a 429 if too many jobs wait.
 */
export function inSlot<T>(work: () => Promise<T>, turn: Turn = INTERNAL_TURN): Promise<T> {
  return slots.run(turn, work)
}
