import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { childrenOf, clientPortsOf } from '#tests/support/faults/process_tree'
import { ServerProcess } from '#tests/support/faults/server_process'
import { eventually } from '#tests/support/eventually'

export const WORKERS = 2

/** Start timeout of a worker on a busy machine. */
export const START_MS = 30_000

/** The service as `npm start` runs it, with two workers. */
export class Workers {
  private constructor(readonly server: ServerProcess) {}

  /** Starts the service and waits until all workers serve. */
  static async start(overrides: Record<string, string | number> = {}): Promise<Workers> {
    const variables = { SERVER_WORKERS: WORKERS, ...overrides }
    const workers = new Workers(await ServerProcess.start(variables, 'build/bin/start.js'))
    await workers.untilServed(WORKERS)
    return workers
  }

  get port(): number {
    return Number(new URL(this.server.url).port)
  }

  /** Returns the ids of the running workers. */
  pids(): number[] {
    return childrenOf(this.server.pid)
  }

  /** Returns log lines that contain the text. */
  logLines(text: string): string[] {
    const lines = this.server.log().split('\n')
    return lines.filter((line) => line.includes(text))
  }

  /** Waits until `count` workers have started to serve since the start. */
  async untilServed(count: number): Promise<void> {
    const check = () => {
      const served = this.logLines('Worker ready').length
      if (served < count) throw new Error(`${served} workers served\n${this.server.log()}`)
    }
    await eventually(check, { within: START_MS })
  }

  /** Returns the local ports of the clients of a worker. */
  clientsOf(pid: number): Set<number> {
    return clientPortsOf(pid, this.port)
  }
}

/** A POST request with the first half of its body sent. */
export class HalfRequest {
  #answer = ''
  readonly #closed: Promise<void>

  private constructor(
    private readonly socket: Socket,
    private readonly rest: string
  ) {
    socket.setEncoding('latin1').on('data', (text) => (this.#answer += text))
    socket.on('error', () => {})
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  static async begin(url: string, path: string, key: string, body: object): Promise<HalfRequest> {
    const text = JSON.stringify(body)
    const head = [
      `POST /api/v2${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
      '\r\n',
    ]
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(head.join('\r\n') + text.slice(0, 5))
    return new HalfRequest(socket, text.slice(5))
  }

  get port(): number {
    return this.socket.localPort ?? 0
  }

  /** Sends the rest. Returns the status line once the server has closed the connection; '' without a response. */
  async finish(): Promise<string> {
    this.socket.write(this.rest)
    await this.#closed
    return this.#answer.split('\r\n')[0]
  }
}
