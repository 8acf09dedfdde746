import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that the double got. */
export interface DoubleCall {
  method: string
  /** Path and query behind the server's address, decoded. */
  path: string
  key: string | undefined
}

/** What stands in for PowerDNS' HTTP API where it has to fail, or to be slow. */
export class PowerDnsDouble {
  readonly calls: DoubleCall[] = []
  /** Answers a call; by default as PowerDNS does when all is well. */
  answer: (response: ServerResponse, call: DoubleCall) => void | Promise<void> = fine

  private constructor(
    private readonly server: Server,
    /** For `pdns_api.url`. */
    readonly url: string
  ) {}

  static async start(): Promise<PowerDnsDouble> {
    const server = createServer((request, response) => {
      const call = {
        method: request.method ?? '',
        path: decodeURIComponent(request.url ?? '').replace('/api/v1/servers/localhost', ''),
        key: request.headers['x-api-key'] as string | undefined,
      }
      double.calls.push(call)
      void double.answer(response, call)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const double = new PowerDnsDouble(server, `http://127.0.0.1:${port}`)
    return double
  }

  /** Methods and paths of the calls so far. */
  get paths(): string[] {
    return this.calls.map(({ method, path }) => `${method} ${path}`)
  }

  /** Ends it, and every connection to it; from then on nobody listens. */
  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** An answer as PowerDNS gives it. */
export function fine(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end('{"count": 1, "result": "Flushed cache."}')
}

/** An error as PowerDNS tells it. */
export function refusing(status: number, error: string) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error }))
  }
}
