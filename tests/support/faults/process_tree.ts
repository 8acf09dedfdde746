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
  return new Set(remotePortsOf(pid, port).filter((remote) => remote !== 0))
}

/** Whether a process, or one that it started, listens at a port of 127.0.0.1. */
export function listensAt(pid: number, port: number): boolean {
  return [pid, ...childrenOf(pid)].some((one) => remotePortsOf(one, port).includes(0))
}

/** The ports at the other ends of the sockets that a process has at a port; 0 of one that listens. */
function remotePortsOf(pid: number, port: number): number[] {
  const inodes = new Set<string>()
  for (const file of filesOf(pid)) {
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
  return own.map((cells) => portOf(cells[2]))
}

function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
  } catch {
    return []
  }
}
