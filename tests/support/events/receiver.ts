import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { VisibleEvent } from '#events/visibility'

/** A received delivery. */
export interface Received {
  event: VisibleEvent
  status: number
  isSigned: boolean
  headers: Record<string, unknown>
}

/** A server that receives webhooks. It sends the status of `answer`; null closes the connection. */
export class Receiver {
  readonly all: Received[] = []
  /** Secret for the signatures of the webhook. */
  secret = ''
  readonly #server: Server

  private constructor(answer: () => number | null) {
    this.#server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        const status = answer()
        const { headers } = request
        const isSigned = this.#signs(String(headers['webhook-signature']), body)
        this.all.push({ event: JSON.parse(body), status: status ?? 0, isSigned, headers })
        if (status === null) request.socket.destroy()
        else response.writeHead(status).end('thanks')
      })
    })
  }

  static async start(answer: () => number | null = () => 200): Promise<Receiver> {
    const receiver = new Receiver(answer)
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}/hook?token=canary`
  }

  /** Events that were accepted, in the order of their arrival. */
  get taken(): VisibleEvent[] {
    return this.all.filter(({ status }) => status === 200).map(({ event }) => event)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Checks the signature as docs/reference/events.md describes. */
  #signs(header: string, body: string): boolean {
    const [, time, hmac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
    const wanted = createHmac('sha256', this.secret).update(`${time}.${body}`).digest('hex')
    return wanted === hmac && Math.abs(Date.now() / 1_000 - Number(time)) < 300
  }
}
