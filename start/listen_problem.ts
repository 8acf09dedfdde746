/** Error of a failed `listen`. */
type ListenError = Error & { code: string; syscall: string; address?: string; port?: number }

const LISTEN_CALLS = ['listen', 'bind']

/** Returns why the server cannot listen on `HOST` and `PORT`, in one line for the operator; null for other errors. */
export function listenProblem(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) {
    return null
  }
  const { code, syscall, address, port } = error as ListenError
  if (!LISTEN_CALLS.includes(syscall)) {
    return null
  }
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: found ${port}, which is in use on ${address}, allowed: a free port`
    case 'EACCES':
      return `PORT: found ${port}, which this account may not listen on, allowed: a port above 1023`
    case 'EADDRNOTAVAIL':
      return `HOST: found "${address}", which is not an address of this machine, allowed: an address of this machine`
    default:
      return `HOST, PORT: cannot listen on port ${port} of ${address} (${code})`
  }
}
