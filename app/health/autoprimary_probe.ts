import { connect, isIP } from 'node:net'

/** Result of the connection test of an autoprimary. */
export interface ProbedServer {
  ip: string
  /** `skipped`: beyond the maximum number, or no address. */
  status: 'ok' | 'unreachable' | 'skipped'
  /** Time of the test, ISO 8601 in UTC; null if skipped. */
  lastChecked: string | null
  /** Error code of a failed connection. */
  error: string | null
}

const PORT = 53
const TIMEOUT_MS = 1500
const MAX_AUTOPRIMARIES = 20

/** Opens DNS connections over TCP to the first twenty addresses, concurrently. */
export function probeServers(addresses: string[], port = PORT): Promise<ProbedServer[]> {
  return Promise.all(
    addresses.map((ip, index) =>
      index < MAX_AUTOPRIMARIES && isIP(ip) !== 0
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
