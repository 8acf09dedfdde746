import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

/** Response to one call. A status counts once its status line arrived, even if the connection fails later. */
export interface Answer {
  /** null: the connection ended, or `LIMIT` passed, before a status arrived. */
  status: number | null
  text: string
  contentType: string
  /** The entity tag; null without one. */
  tag: string | null
  milliseconds: number
}

/** Headers of one call in addition to the headers of every call. */
export type ExtraHeaders = Record<string, string>

/** The parts of the API's envelope that these tests read. */
export interface Envelope {
  success: boolean
  message: string
  // Depends on the endpoint. Each test asserts the shape that it expects.
  data: any
}

/** Timeout of a call in ms. */
const LIMIT = 90_000

/** API calls to one server with a key. A call never throws; it returns the response or its absence. */
export class ApiCalls {
  readonly #agent: Agent

  constructor(
    private readonly url: string,
    private readonly key: string,
    options: { keepAlive?: boolean } = {}
  ) {
    this.#agent = new Agent({ keepAlive: options.keepAlive ?? false })
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', `/api/v2${path}`)
  }

  post(path: string, body: object, extra?: ExtraHeaders): Promise<Answer> {
    return this.call('POST', `/api/v2${path}`, body, extra)
  }

  put(path: string, body: object, extra?: ExtraHeaders): Promise<Answer> {
    return this.call('PUT', `/api/v2${path}`, body, extra)
  }

  delete(path: string, extra?: ExtraHeaders): Promise<Answer> {
    return this.call('DELETE', `/api/v2${path}`, undefined, extra)
  }

  call(method: string, path: string, body?: object, extra: ExtraHeaders = {}): Promise<Answer> {
    const startTime = performance.now()
    const answer: Answer = { status: null, text: '', contentType: '', tag: null, milliseconds: 0 }
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const headers: Record<string, string | number> = { 'x-api-key': this.key, ...extra }
    if (payload !== undefined) {
      headers['content-type'] = 'application/json'
      headers['content-length'] = Buffer.byteLength(payload)
    }
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        answer.milliseconds = performance.now() - startTime
        resolve(answer)
      }
      const call = request(`${this.url}${path}`, { method, headers, agent: this.#agent })
      const timer = setTimeout(() => call.destroy(), LIMIT)
      call.once('response', (response) => {
        answer.status = response.statusCode ?? null
        answer.contentType = response.headers['content-type'] ?? ''
        answer.tag = response.headers.etag ?? null
        response.setEncoding('utf8')
        response.on('data', (part: string) => (answer.text += part))
        response.on('error', () => {})
      })
      call.on('error', () => {})
      call.once('close', finish)
      call.end(payload)
    })
  }

  /** Closes all connections. */
  close(): void {
    this.#agent.destroy()
  }
}

/** Returns the envelope of a response. Throws without one. */
export function envelopeOf({ status, text }: Answer): Envelope {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Status ${status} came without an envelope: '${text}'`, { cause: error })
  }
}

/** Returns the `data` of a success, of any shape. Throws for any other response. */
export function dataOf(answer: Answer): any {
  const envelope = envelopeOf(answer)
  if (!envelope.success) {
    throw new Error(`Status ${answer.status}: ${envelope.message}`)
  }
  return envelope.data
}

export function isSuccess({ status }: Answer): boolean {
  return status !== null && status >= 200 && status < 300
}
