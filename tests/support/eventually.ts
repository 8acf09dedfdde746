import { setTimeout as sleep } from 'node:timers/promises'

/** Repeats `check` until it no longer throws, and returns its result. Throws its last error after `within` ms. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { within = 5_000, every = 50 }: { within?: number; every?: number } = {}
): Promise<T> {
  const deadline = Date.now() + within
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) {
        throw error
      }
      await sleep(every)
    }
  }
}
