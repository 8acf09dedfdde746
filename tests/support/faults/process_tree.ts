import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Reads a file of /proc; '' for a process that ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Returns true if a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  const state = read(`/proc/${pid}/stat`).split(') ').at(-1)?.[0] ?? ''
  return state !== '' && state !== 'Z'
}

/** Returns the running child processes of a process. */
export function childrenOf(pid: number): number[] {
  const pids = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return pids.filter(isAlive)
}

/** Returns the local ports of clients that are connected to a port of 127.0.0.1 of a process. */
export function clientPortsOf(pid: number, port: number): Set<number> {
  return new Set(remotePortsOf(pid, port).filter((remote) => remote !== 0))
}

/** Returns true if a process or a child of it listens on a port of 127.0.0.1. */
export function listensAt(pid: number, port: number): boolean {
  return [pid, ...childrenOf(pid)].some((one) => remotePortsOf(one, port).includes(0))
}

/** Returns the remote ports of the sockets that a process has on a port; 0 for a listening socket. */
function remotePortsOf(pid: number, port: number): number[] {
  const inodes = new Set<string>()
  for (const file of filesOf(pid)) {
    try {
      inodes.add(readlinkSync(`/proc/${pid}/fd/${file}`).replace(/^socket:\[(\d+)\]$/, '$1'))
    } catch {
      // The file was closed since the listing.
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
