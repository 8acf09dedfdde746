const MIN_BACKOFF_MS = 2_000

/** The longest pause between two attempts. */
export const MAX_BACKOFF_MS = 60 * 60 * 1000

/**
 * Pause in ms after the n-th consecutive failure, n from 1: doubles each time, up to an hour. Random between half and all of
 * it, so that concurrent failures are not repeated at the same time.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const doubledMs = Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
  return Math.round(doubledMs / 2 + (random() * doubledMs) / 2)
}
