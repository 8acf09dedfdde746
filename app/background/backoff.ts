const FIRST_MS = 2_000

/** The longest pause between two attempts. */
export const LONGEST_PAUSE_MS = 60 * 60 * 1000

/**
 * Milliseconds to wait after the n-th failure in a row, n from 1: twice as long each time, up to an hour,
 * and uneven (half to the whole of it), so that many that failed at once do not come back at once.
 */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)
  return Math.round(whole / 2 + (random() * whole) / 2)
}
