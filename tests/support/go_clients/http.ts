import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Decoder } from '#tests/support/go_clients/decode'

/** Maximum body length in bytes. A longer body is cut off, and then is not valid JSON. */
const MAX_BYTES = 2 ** 20
const TIMEOUT_MS = 30_000

/** A received response. */
export interface GoAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: number
}

/** A response with an error status. */
export class GoApiError extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

/** HTTP behaviour of the Go clients: no redirects, optional compression, and a limit of 1 MiB. */
export class GoHttp {
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>
  ) {}

  /** Sends a request and returns the response, whatever its status. */
  send(method: string, path: string, body?: object): Promise<GoAnswer> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      'user-agent': 'Go-http-client/1.1',
      'accept-encoding': 'gzip',
      'accept': 'application/json',
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...this.headers,
    }
    return new Promise((resolve, reject) => {
      const target = `${this.url}/api/v2${path}`
      const request = httpRequest(target, { method, headers, timeout: TIMEOUT_MS }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.once('error', reject)
        answer.once('end', () => {
          const whole = Buffer.concat(parts)
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: whole.subarray(0, MAX_BYTES).toString(),
            bytes: whole.length,
          })
        })
      })
      request.once('error', reject).once('timeout', () => request.destroy(new Error('timeout')))
      request.end(text)
    })
  }

  /** Sends a request and decodes `data` of the response, which must have one of these statuses. */
  async call<T>(
    method: string,
    path: string,
    decode: Decoder<T>,
    { body, statuses }: { body?: object; statuses?: number[] } = {}
  ): Promise<T> {
    const answer = await this.send(method, path, body)
    demandStatus(answer, statuses)
    const { success, data } = JSON.parse(answer.text) as { success?: unknown; data?: unknown }
    if (success !== true) throw new GoApiError(answer.status, 'success is not true')
    return decode(data, 'data')
  }

  /** Sends a request and checks only the status of the response. */
  async done(
    method: string,
    path: string,
    { body, statuses }: { body?: object; statuses?: number[] } = {}
  ): Promise<GoAnswer> {
    const answer = await this.send(method, path, body)
    demandStatus(answer, statuses)
    return answer
  }
}

/** Throws a `GoApiError` with the message of the response if its status is not in the list, or without a list is not 2xx. */
function demandStatus({ status, text }: GoAnswer, statuses?: number[]): void {
  const isFine = statuses ? statuses.includes(status) : status >= 200 && status < 300
  if (isFine) return
  let message: unknown
  try {
    message = (JSON.parse(text) as { message?: unknown }).message
  } catch {
    throw new GoApiError(status, `no JSON: ${text.slice(0, 200)}`)
  }
  if (typeof message !== 'string') throw new GoApiError(status, `no message: ${text.slice(0, 200)}`)
  throw new GoApiError(status, message)
}

/** Returns the status and message of the error that the call must end with. */
export async function refusal(call: Promise<unknown>): Promise<GoApiError> {
  try {
    await call
  } catch (error) {
    if (error instanceof GoApiError) return error
    throw error
  }
  throw new Error('It was not refused')
}
