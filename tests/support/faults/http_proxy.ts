import { createServer, request as ask, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** One call through the proxy. */
export interface ProxiedCall {
  method: string
  path: string
  /** Status of the response, once it has arrived. */
  status?: number
}

/**
 * Result of a call: `pass`; cut off before it arrives, permanently or until `letGo`, so that it arrives after the caller
 * gave up; carried out with its response cut off or held, for some milliseconds or until `heal`; or answered with another
 * response, carried out or not.
 */
export type Fate =
  | 'pass'
  | 'cut before'
  | 'late'
  | 'cut after'
  | 'held'
  | { held: number }
  | { status: number; body: string; isCarriedOut?: boolean }

/** A proxy between the product and PowerDNS' HTTP API that simulates network and server faults. */
export class HttpProxy {
  readonly calls: ProxiedCall[] = []
  fate: (call: ProxiedCall) => Fate = () => 'pass'
  #healing = Promise.withResolvers<void>()
  readonly #late: (() => Promise<{ status: number }>)[] = []

  private constructor(
    private readonly server: Server,
    readonly url: string
  ) {}

  /** @param target base address of the real server */
  static async start(target: string): Promise<HttpProxy> {
    const server = createServer((incoming, answer) => {
      void (async () => {
        const { method = 'GET', url = '/', headers } = incoming
        const call: ProxiedCall = { method, path: url.replace('/api/v1/servers/localhost', '') }
        proxy.calls.push(call)
        const fate = proxy.fate(call)
        const body = await bytesOf(incoming)
        const arrive = () => forwarded(`${target}${url}`, method, headers, body)
        if (fate === 'cut before' || fate === 'late') {
          if (fate === 'late') proxy.#late.push(arrive)
          answer.destroy()
          return
        }
        const other = typeof fate === 'object' && 'status' in fate ? fate : null
        let real = other && !other.isCarriedOut ? other : await arrive()
        call.status = real.status
        // A call that failed on the server was not carried out. The product receives the failure and repeats the call.
        if (fate === 'cut after' && real.status < 500) {
          answer.destroy()
          return
        }
        if (fate === 'held') {
          // The database of the name server may have been locked. Only the response of a carried out call is held.
          while (real.status >= 500) real = await arrive()
          call.status = real.status
          await proxy.#healing.promise
        } else if (typeof fate === 'object' && 'held' in fate) {
          await wait(fate.held)
        }
        // A call that failed on the server gets the real response. The product then repeats the call.
        const sent = other && real.status < 500 ? other : real
        answer.writeHead(sent.status, { 'Content-Type': 'application/json' }).end(sent.body)
      })().catch(() => answer.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const proxy = new HttpProxy(server, `http://127.0.0.1:${port}`)
    return proxy
  }

  /** Restores normal operation, clears the recorded calls and sends held responses. */
  heal(): void {
    this.fate = () => 'pass'
    this.calls.length = 0
    this.#healing.resolve()
    this.#healing = Promise.withResolvers()
  }

  /** Delivers the delayed calls. */
  async deliverLate(): Promise<void> {
    for (const arrive of this.#late.splice(0)) {
      // A call that failed because the database of the name server was locked is repeated.
      for (let status = 500; status >= 500;) ({ status } = await arrive())
    }
  }

  async stop(): Promise<void> {
    this.heal()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

function forwarded(
  url: string,
  method: string,
  headers: IncomingMessage['headers'],
  body: Buffer
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const forwardedHeaders = Object.entries(headers).filter(
      ([name]) => !['host', 'connection'].includes(name)
    )
    const call = ask(url, { method, headers: Object.fromEntries(forwardedHeaders) }, (answer) => {
      bytesOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, body: bytes }),
        reject
      )
    })
    call.on('error', reject)
    call.end(body)
  })
}
