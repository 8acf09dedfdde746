/**
 * The longest step of a generator in milliseconds of CPU time of this thread: so long it holds the event loop. A measurement
 * above `bound` is repeated twice and the lowest counts, because the garbage collector runs at any time.
 */
export function longestStepMs(stepsOf: () => Iterator<unknown>, bound: number): number {
  let lowest = Infinity
  for (let attempt = 0; attempt < 3 && lowest > bound; attempt++) {
    const steps = stepsOf()
    let longest = 0
    for (let isDone = false; !isDone;) {
      const before = process.threadCpuUsage()
      isDone = steps.next().done === true
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
    }
    lowest = Math.min(lowest, longest)
  }
  return lowest
}

/** Runs `work` and returns the CPU time that it took, in milliseconds. Other processes do not count. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The longest CPU time of this thread, in milliseconds, without a turn of the event loop while `work` runs. */
export async function longestStop<T>(work: () => Promise<T>): Promise<{ result: T; stop: number }> {
  let since = process.threadCpuUsage()
  let stop = 0
  const measure = () => {
    const { user, system } = process.threadCpuUsage(since)
    stop = Math.max(stop, (user + system) / 1000)
    since = process.threadCpuUsage()
  }
  const timer = setInterval(measure, 1)
  const result = await work().finally(() => clearInterval(timer))
  measure()
  return { result, stop }
}
