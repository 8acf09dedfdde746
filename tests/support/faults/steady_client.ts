import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

/** A request without a response, or with another status than 200. */
export interface Failure {
  /** Local port of the connection; 0 without a connection. */
  port: number
  reason: string
  milliseconds: number
}

/** Timeout of a request, longer than any response takes. */
const LIMIT_MS = 20_000

/** A client that repeats one request, on one connection while it lasts, or each time on a new one. */
export class SteadyClient {
  readonly failures: Failure[] = []
  /** Arrival times of the responses. */
  readonly answers: number[] = []
  /** Local port of the connection. */
  port = 0
  readonly #agent: Agent | false
  #isOver = false
  readonly #running: Promise<void>

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    { keepAlive }: { keepAlive: boolean }
  ) {
    this.#agent = keepAlive && new Agent({ keepAlive: true, maxSockets: 1 })
    this.#running = this.#run()
  }

  /** Ends after the current request. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
    if (this.#agent) this.#agent.destroy()
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const startTime = performance.now()
      const reason = await this.#ask()
      const milliseconds = performance.now() - startTime
      if (reason === null) {
        this.answers.push(Date.now())
      } else {
        this.failures.push({ port: this.port, reason, milliseconds })
      }
    }
  }

  /** Returns the cause of a failure; null for a success. */
  #ask(): Promise<string | null> {
    return new Promise((resolve) => {
      const call = request(this.url, { headers: this.headers, agent: this.#agent })
      const timer = setTimeout(() => call.destroy(new Error('no answer')), LIMIT_MS)
      const finish = (reason: string | null) => {
        clearTimeout(timer)
        resolve(reason)
      }
      this.port = 0
      call.once('socket', (socket) => {
        this.port = socket.localPort ?? 0
        if (socket.connecting) {
          socket.once('connect', () => (this.port = socket.localPort ?? 0))
        }
      })
      call.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
      call.once('response', (response) => {
        response.resume()
        response.once('error', (error) => finish(error.message))
        response.once('end', () => {
          finish(response.statusCode === 200 ? null : `status ${response.statusCode}`)
        })
      })
      call.end()
    })
  }
}
