/** Runs at home; many enough to find what is plainly wrong. */
const AT_HOME = 1000
const IN_CI = 10_000

/**
 * How often a law is tried, for `fc.assert`: `LAW_RUNS` times where that is set, 10 000 times where `CI` is
 * true, and 1000 times elsewhere.
 */
export const LAW_RUNS = { numRuns: runs(process.env.LAW_RUNS, process.env.CI === 'true') }

function runs(wanted: string | undefined, inCi: boolean): number {
  if (!wanted) return inCi ? IN_CI : AT_HOME
  if (/^[1-9]\d{0,8}$/.test(wanted)) return Number(wanted)
  throw new Error(`LAW_RUNS is ${JSON.stringify(wanted)}; allowed is a number from 1 to 999999999`)
}
