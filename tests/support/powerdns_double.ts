import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that the double received. */
export interface DoubleCall {
  method: string
  /** Decoded path and query after the server's address. */
  path: string
  key: string | undefined
}

/** A double of PowerDNS' HTTP API that can fail or be slow. */
export class PowerDnsDouble {
  readonly calls: DoubleCall[] = []
  /** Answers a call. Default: the successful response of PowerDNS. */
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

  /** Stops the double and closes all connections. New connections are refused. */
  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Sends a response as PowerDNS does. */
export function fine(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end('{"count": 1, "result": "Flushed cache."}')
}

/** Returns an `answer` that sends an error as PowerDNS does. */
export function refusing(status: number, error: string) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error }))
  }
}
