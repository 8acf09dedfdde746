import type { Channel } from '#access/actor'
import { fairnessNetworkOf } from '#dns/addresses/networks'
import { Refusal } from '#exceptions/refusal'

/**
 * Hashes computed at once by this process: each needs megabytes and one of the four threads of the
 * pool.
 */
const SLOT_COUNT = 2

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
  maxPerChannel: number
  /** Per channel and network. */
  maxPerNetwork: number
}

/** Channel and network of a job, for fair scheduling. */
export interface FairnessKey {
  channel: string
  network: string
}

interface WaitingJob {
  start(): void
  reject(): void
}

/**
 * Limits running and waiting jobs. Round-robin over channels, then over networks; first-in,
 * first-out per network. If a channel is full, the network with most entries loses one.
 */
export class FairQueue {
  #freeSlots: number
  /** Waiting jobs by channel and network; the next one is first. */
  readonly #channels = new Map<string, Map<string, WaitingJob[]>>()

  constructor(
    slots: number,
    private readonly limits: SlotLimits
  ) {
    this.#freeSlots = slots
  }

  /** Runs `work` in its turn. Throws a 429 if too many jobs wait. */
  async run<T>(fairnessKey: FairnessKey, work: () => Promise<T>): Promise<T> {
    if (this.#freeSlots > 0) {
      this.#freeSlots--
    } else {
      await this.#waitFor(fairnessKey)
    }
    try {
      return await work()
    } finally {
      // The next job in the queue takes this slot, so a new request cannot overtake it.
      const next = this.#next()
      if (next) {
        next.start()
      } else {
        this.#freeSlots++
      }
    }
  }

  #waitFor({ channel, network }: FairnessKey): Promise<void> {
    const networks = this.#channels.get(channel) ?? new Map<string, WaitingJob[]>()
    const queue = networks.get(network) ?? []
    const queues = [...networks.values()]
    const isFull = queues.reduce((sum, { length }) => sum + length, 0) >= this.limits.maxPerChannel
    const longest = queues.reduce((one, other) => (other.length > one.length ? other : one), queue)
    if (
      queue.length >= this.limits.maxPerNetwork ||
      (isFull && longest.length <= queue.length + 1)
    ) {
      throw queueFullError()
    }
    if (isFull) longest.pop()?.reject()
    this.#channels.set(channel, networks.set(network, queue))
    return new Promise((resolve, reject) => {
      queue.push({ start: resolve, reject: () => reject(queueFullError()) })
    })
  }

  /** Returns the next job, and moves its channel and network to the end. */
  #next(): WaitingJob | undefined {
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

function queueFullError(): Refusal {
  const refusal = new Refusal(429, 'Too many passwords are being checked: try again in a moment')
  refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
  return refusal
}

const hashQueue = new FairQueue(SLOT_COUNT, {
  maxPerChannel: MAX_WAITING,
  maxPerNetwork: MAX_PER_NETWORK,
})

/** Fairness key of jobs other than sign-ins, such as the hash of a new password. */
const INTERNAL_FAIRNESS_KEY: FairnessKey = { channel: 'own', network: '' }

/**
 * Returns the queue of a sign-in, so that the web interface does not wait for API clients that send
 * a password with each request.
 *
 * @param address client address
 */
export function fairnessKeyOf({
  channel,
  address,
}: {
  channel: Channel
  address: string
}): FairnessKey {
  return { channel: channel === 'web' ? 'web' : 'programs', network: fairnessNetworkOf(address) }
}

/**
 * Runs a password hash in the fair queue. Nested calls, and calls inside a transaction, could deadlock. Throws a 429 if
 * too many jobs wait.
 */
export function runInSlot<T>(
  work: () => Promise<T>,
  fairnessKey: FairnessKey = INTERNAL_FAIRNESS_KEY
): Promise<T> {
  return hashQueue.run(fairnessKey, work)
}
