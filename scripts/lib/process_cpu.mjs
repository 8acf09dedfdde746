import { readFileSync } from 'node:fs'

/** Clock ticks per second in `/proc/<pid>/stat` (USER_HZ); the same on all Linux platforms. */
const TICKS_PER_SECOND = 100

/** CPU seconds of a process and of its ended children (proc(5), fields utime to cstime). */
export function cpuSecondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}
