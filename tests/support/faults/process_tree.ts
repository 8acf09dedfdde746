import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Reads a file of /proc; '' when the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether a process runs; one that ended and was not waited for does not. */
export function isAlive(pid: number): boolean {
  const state = read(`/proc/${pid}/stat`).split(') ').at(-1)?.[0] ?? ''
  return state !== '' && state !== 'Z'
}

/** The processes that a process started and that run. */
export function childrenOf(pid: number): number[] {
  const pids = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return pids.filter(isAlive)
}

/** The local ports of the clients whose connections to a port of 127.0.0.1 a process holds. */
export function clientPortsOf(pid: number, port: number): Set<number> {
  const inodes = new Set<string>()
  for (const file of readdirSync(`/proc/${pid}/fd`)) {
    try {
      inodes.add(readlinkSync(`/proc/${pid}/fd/${file}`).replace(/^socket:\[(\d+)\]$/, '$1'))
    } catch {
      // Closed meanwhile.
    }
  }
  const portOf = (address: string) => Number.parseInt(address.split(':')[1], 16)
  const rows = read('/proc/net/tcp').trim().split('\n').slice(1)
  const own = rows
    .map((row) => row.trim().split(/\s+/))
    .filter((cells) => inodes.has(cells[9]) && portOf(cells[1]) === port)
  return new Set(own.map((cells) => portOf(cells[2])).filter((remote) => remote !== 0))
}
