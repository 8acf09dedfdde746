/** Runs `work` and returns the CPU time that it took, in milliseconds. Other processes do not count. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
