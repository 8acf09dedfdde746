import type { Channel } from '#access/actor'
import { turnNetwork } from '#dns/addresses/networks'
import { Refusal } from '#exceptions/refusal'

/**
 * Hashes computed at once by this process: each takes megabytes and a thread of the pool of four, which
 * others need too.
 */
const SLOTS = 2

/**
 * So many may wait for a slot, at the web interface and at all other channels each; at some fiftieths of a second each, the
 * last one waits seconds.
 */
const MOST_WAITING = 200
/** So many of them from one network. */
const MOST_OF_ONE = 50
const RETRY_AFTER_SECONDS = 5

/** How many works may wait. */
export interface SlotLimits {
  /** At one channel. */
  waiting: number
  /** At one channel, from one network. */
  ofOne: number
}

/** Whose work it is, as far as turns go. */
export interface Turn {
  channel: string
  network: string
}

interface Waiting {
  go(): void
  refuse(): void
}

/**
 * Lets a bounded number of works run at once, and a bounded number wait. Channels take turns, and at each channel networks do; works
 * of one network go in the order they came. Where no more may wait at a channel, the network with the most gives a place up.
 */
export class Slots {
  #free: number
  /** Works that wait, by channel and network; whose turn is next comes first. */
  readonly #channels = new Map<string, Map<string, Waiting[]>>()

  constructor(
    slots: number,
    private readonly most: SlotLimits
  ) {
    this.#free = slots
  }

  /** Runs `work` when it is its turn. Throws a 429 when too many wait already. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free--
    } else {
      await this.#waitFor(turn)
    }
    try {
      return await work()
    } finally {
      // The next in the queue takes this slot, so a new request cannot overtake it.
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

  /** The work whose turn it is: its channel and network come last after that. */
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

const slots = new Slots(SLOTS, { waiting: MOST_WAITING, ofOne: MOST_OF_ONE })

/** Works that are no attempt to sign in, such as the hash of a new password. */
const OWN_WORK: Turn = { channel: 'own', network: '' }

/**
 * Whose turn an attempt to sign in takes: people at the web interface do not wait behind programs that send a password with
 * each request.
 *
 * @param address of the connection
 */
export function turnOf({ channel, address }: { channel: Channel; address: string }): Turn {
  return { channel: channel === 'web' ? 'web' : 'programs', network: turnNetwork(address) }
}

/**
 * Runs work that computes a password hash, when it is its turn. Not to be called from inside such work, nor inside
 * a transaction: works that wait for the database would wait for it, and it for them.
 * Throws a 429 when too many wait.
 */
export function inSlot<T>(work: () => Promise<T>, turn: Turn = OWN_WORK): Promise<T> {
  return slots.run(turn, work)
}
