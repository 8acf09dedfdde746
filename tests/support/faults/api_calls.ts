import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'

/** What came back of one call. A status counts from the moment its line arrived, whatever happened then. */
export interface Answer {
  /** null: the connection ended, or `LIMIT` passed, before there was a status. */
  status: number | null
  text: string
  contentType: string
  /** The entity tag, if there was one. */
  tag: string | null
  milliseconds: number
}

/** Headers of one call beside those that every call has. */
export type ExtraHeaders = Record<string, string>

/** What the API's envelope holds, as far as these tests look into it. */
export interface Envelope {
  success: boolean
  message: string
  // Whatever the endpoint answers: each test says what it expects of it.
  data: any
}

/** No call waits longer than this, in ms. */
const LIMIT = 90_000

/** The API of one server as the holder of a key calls it. A call never throws: it tells what came. */
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
    const since = performance.now()
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
        answer.milliseconds = performance.now() - since
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

  /** Leaves all connections. */
  close(): void {
    this.#agent.destroy()
  }
}

/** The envelope of an answer; throws where there is none. */
export function envelopeOf({ status, text }: Answer): Envelope {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Status ${status} came without an envelope: '${text}'`, { cause: error })
  }
}

/** The `data` of a success, of any shape; throws on anything else. */
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
