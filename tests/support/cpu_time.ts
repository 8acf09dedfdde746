/**
 * Returns the longest step of a generator in milliseconds of CPU time of this thread, which is the time that it blocks the
 * event loop. A result above `bound` is measured twice more and the lowest counts, because garbage collection may run any
 * time.
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

/** Returns the CPU time of `work` in milliseconds. Other processes do not count. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Returns the longest CPU time of this thread, in milliseconds, between two turns of the event loop while `work` runs. */
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
