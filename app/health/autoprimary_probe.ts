import { connect, isIP } from 'node:net'

/** Whether an autoprimary could be reached. */
export interface ProbedServer {
  ip: string
  /** `skipped`: there are more than are probed, or it is no address. */
  status: 'ok' | 'unreachable' | 'skipped'
  /** ISO 8601 in UTC; null where it was not probed. */
  lastChecked: string | null
  /** Why it could not be reached, in a word. */
  error: string | null
}

const PORT = 53
const TIMEOUT_MS = 1500
const MOST = 20

/** Tries to connect to DNS over TCP at each address, at all of them at once; the first twenty at most. */
export function probeServers(addresses: string[], port = PORT): Promise<ProbedServer[]> {
  return Promise.all(
    addresses.map((ip, index) =>
      index < MOST && isIP(ip) !== 0
        ? probe(ip, port)
        : { ip, status: 'skipped' as const, lastChecked: null, error: null }
    )
  )
}

async function probe(ip: string, port: number): Promise<ProbedServer> {
  const error = await new Promise<string | null>((resolve) => {
    const socket = connect({ host: ip, port })
    const end = (reason: string | null) => {
      socket.destroy()
      resolve(reason)
    }
    socket.setTimeout(TIMEOUT_MS, () => end('ETIMEDOUT'))
    socket.once('connect', () => end(null))
    socket.once('error', (reason: NodeJS.ErrnoException) => end(reason.code ?? 'failed'))
  })
  return {
    ip,
    status: error === null ? 'ok' : 'unreachable',
    lastChecked: new Date().toISOString(),
    error,
  }
}
