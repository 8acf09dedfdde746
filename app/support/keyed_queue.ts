/** Limits of a queue. */
export interface QueueTerms {
  /** Longest wait for all keys of a caller. */
  waitMs: number
  /** Running and waiting work of one key; unlimited if absent. */
  maxLength?: number
  /** The error of a caller that waited too long, or that the queue has no space for. */
  busy(): Error
}

interface QueuedKey {
  /** Resolves when the last task of the queue has ended. */
  tail: Promise<void>
  /** Running and waiting. */
  length: number
}

/**
 * Runs work of the same key one after the other, in order of arrival. Work of different keys runs at the same time. Covers
 * this process only.
 */
export class KeyedQueue<Key extends number | string> {
  readonly #queues = new Map<Key, QueuedKey>()

  constructor(private readonly terms: QueueTerms) {}

  /** Runs `work` as soon as it is first in the queue of its key. Throws `busy()`; the work does not start then. */
  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire([key])
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits until the caller is first in the queues of all keys, and returns what releases them. The keys are acquired in
   * order, so that callers do not deadlock. Throws `busy()`; nothing is held then.
   */
  async acquire(keys: readonly Key[]): Promise<() => void> {
    const releases: (() => void)[] = []
    const release = () => releases.forEach((leaveQueue) => leaveQueue())
    const deadline = Date.now() + this.terms.waitMs
    for (const key of [...new Set(keys)].sort((one, other) => (one < other ? -1 : 1))) {
      const before = this.#queues.get(key)
      if (before && before.length >= (this.terms.maxLength ?? Infinity)) {
        release()
        throw this.terms.busy()
      }
      const leave = this.#enterQueue(key, before?.length ?? 0)
      if (before && !(await endsBy(before.tail, deadline))) {
        // The next in the queue still waits for those before this one.
        void before.tail.then(leave)
        release()
        throw this.terms.busy()
      }
      releases.push(leave)
    }
    return release
  }

  #enterQueue(key: Key, before: number): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#queues.set(key, { tail: promise, length: before + 1 })
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const queue = this.#queues.get(key)
      if (queue && --queue.length === 0) {
        this.#queues.delete(key)
      }
      resolve()
    }
  }
}

/** Whether `work` ends before this time, in milliseconds since the epoch. */
async function endsBy(work: Promise<void>, deadline: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), deadline - Date.now())
  })
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}
