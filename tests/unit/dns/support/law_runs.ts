const DEFAULT_RUNS = 200

/** Number of samples of each property for `fc.assert`: the variable `LAW_RUNS`, or 200. */
export const LAW_RUNS = { numRuns: runsOf(process.env.LAW_RUNS) }

function runsOf(wanted: string | undefined): number {
  if (!wanted) return DEFAULT_RUNS
  if (/^[1-9]\d{0,8}$/.test(wanted)) return Number(wanted)
  throw new Error(`LAW_RUNS is ${JSON.stringify(wanted)}; allowed is a number from 1 to 999999999`)
}
